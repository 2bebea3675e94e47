'use client'

import { parseAsString, useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { parityWords, readParityQuestion, type ParityQuestion } from '@/lib/judge/parity/parity-question'

const KEYS = {
  window: parseAsString,
  kind: parseAsString,
  severity: parseAsString,
  show: parseAsString,
  path: parseAsString,
  from: parseAsString,
  to: parseAsString,
}

/** The state of the page is its address: the window, the facets, the open cell or the verdict that is listed, and the project. */
export function useParityState(unknownProject: string | null) {
  const [{ project, ...words }, setState] = useQueryStates(
    { ...KEYS, project: parseAsString },
    { history: 'push' },
  )
  const key = JSON.stringify(words)
  const { question, problems } = useMemo(() => readParityQuestion(JSON.parse(key) as typeof words), [key])
  const change = (next: Partial<ParityQuestion>): void => void setState(parityWords({ ...question, ...next }))
  // Of a project that there is not nothing could be asked.
  return { question, problems, project: project === unknownProject ? null : project, change }
}
export type ParityState = ReturnType<typeof useParityState>
