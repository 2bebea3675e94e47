import { verdictWords } from '@/lib/words/verdicts'
import type { CiExecution } from '@/lib/views/attempts/chain'

/** Failures with the same cause. */
export interface CauseGroup {
  text: string
  category: string
  /** In the order of the run; at least one. */
  executions: CiExecution[]
}

const NO_CAUSE = 'Failed (cause unknown)'

/**
 * Whether another attempt could help, in the words of the page; where not all of them have the same answer, each with how many have it.
 *
 * @param executions at least one
 */
export function answerOf(executions: readonly CiExecution[]): string {
  const answers = new Map<string, number>()
  for (const one of executions) answers.set(verdictWords(one), (answers.get(verdictWords(one)) ?? 0) + 1)
  return [...answers]
    .map(([words, count]) => (answers.size === 1 ? words : `${words} (${count} of ${executions.length})`))
    .join('; ')
}

/** Failures by their cause, in the order of the first of each. Numbers, ids, times and paths of temporary folders make no other cause. */
export function groupCauses(failed: readonly CiExecution[]): CauseGroup[] {
  const groups = new Map<string, CauseGroup>()
  for (const execution of failed) {
    const text = execution.cause?.text ?? NO_CAUSE
    const category = execution.cause?.category ?? ''
    const key = `${category}\n${alike(text)}`
    const group = groups.get(key)
    if (group) group.executions.push(execution)
    else groups.set(key, { text, category, executions: [execution] })
  }
  return [...groups.values()]
}

const alike = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '#')
    .replace(/\/(?:tmp|var\/folders)\/[^\s"'”]+/g, '#')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b/gi, '#')
    .replace(/\d+(?:[.,:]\d+)*/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
