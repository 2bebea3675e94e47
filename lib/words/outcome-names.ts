import type { Outcome } from '../model/execution'

/** Each outcome in a word, as it is beside its sign. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  retriable: 'Retriable',
  running: 'Running',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
  unknown: 'Unknown',
}
