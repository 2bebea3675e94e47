import { member } from '@/lib/text/exact-json'

export interface StatusReading {
  terminal: boolean
  /** What the executor makes of it; null while the run works. A cancelled run reads `ok`. */
  agentStatus: 'ok' | 'error' | null
  /** Whether the rows of a diagnosis run are asked for a diagnosis. */
  mayFetchDiagnosis: boolean
}

/** What the status document of a run says. `failed` wins over `completed`. */
export function readStatusDocument(document: unknown): StatusReading {
  const says = (key: string): boolean => member(document, key) === true
  const failed = says('failed')
  const terminal = failed || says('completed')
  return {
    terminal,
    agentStatus: terminal ? (failed ? 'error' : 'ok') : null,
    mayFetchDiagnosis: failed ? says('completion_inferred') && !says('timeout') : terminal,
  }
}
