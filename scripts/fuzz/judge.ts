import { PROBLEMS, type ProblemSlug } from '@/lib/problem'
import type { Answer } from './send'

export const SLOW_MS = 2_000

/** Refusals to be served for now that are part of the API; everything else from 500 up is a fault. */
const isDocumented503 = (type: string, text: string): boolean => {
  if (!type.startsWith('application/problem+json')) return false
  try {
    const slug = (JSON.parse(text) as { type: string }).type.replace('/problems/', '')
    return PROBLEMS[slug as ProblemSlug]?.status === 503
  } catch {
    return false
  }
}

/** What is wrong with an answer: nothing, a fault of the server, or that none came. */
export function faultOf(answer: Answer): string | null {
  if ('cut' in answer) return `no answer: ${answer.cut}`
  const { status, type, text } = answer
  if (status < 500) return null
  return status === 503 && isDocumented503(type, text) ? null : `status ${status}`
}

export const isSlow = ({ ms }: Answer): boolean => ms > SLOW_MS
