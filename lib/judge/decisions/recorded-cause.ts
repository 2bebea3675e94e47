import type { CauseCategory } from '../../model/cause-categories'
import type { CauseMessage } from '../../model/messages/cause'
import type { SourceVerdict } from '../../model/summary'
import { oneLine } from '../../text/visible'
import { messageText } from '../message-text'
import type { Decision } from './decision'

/** What a failure is filed under that a source recorded, by its subtype. Keyed by the words of AutoSkillit. */
const CATEGORIES: Readonly<Record<string, CauseCategory>> = {
  adjudicated_failure: 'contract',
  missing_completion_marker: 'contract',
  empty_result: 'contract',
  path_contamination: 'contract',
  zero_writes: 'contract',
  empty_output: 'process',
  unparseable: 'process',
  context_exhausted: 'limit',
  context_exhaustion: 'limit',
  error_max_turns: 'limit',
  timeout: 'limit',
  error_during_execution: 'cli_error',
  interrupted: 'interruption',
  stale: 'process',
  idle_stall: 'process',
  crashed: 'process',
}

/** A result that was rejected because the session reports an error broke no contract. */
const isRejectedError = (subtype: string, { contentState }: Decision): boolean =>
  subtype === 'adjudicated_failure' && contentState === 'session_error'

const categoryOf = (subtype: string, decision: Decision): CauseCategory =>
  isRejectedError(subtype, decision)
    ? 'cli_error'
    : Object.hasOwn(CATEGORIES, subtype)
      ? CATEGORIES[subtype]!
      : 'unexplained'

/** The failure that the source recorded, with its exit code where that says anything, and the end of its attempts. */
export function recordedCause(
  fact: SourceVerdict,
  decision: Decision,
): { category: CauseCategory; message: CauseMessage } {
  const subtype = decision.recorded?.subtype ?? decision.subtype
  const detail =
    subtype === 'crashed'
      ? fact.crash
      : subtype === 'path_contamination'
        ? fact.writePathWarnings?.[0]
        : undefined
  return {
    category: categoryOf(subtype, decision),
    message: {
      id: 'recorded_failure',
      params: {
        subtype: messageText(subtype),
        ...(isRejectedError(subtype, decision) && { sessionError: true }),
        durationS: fact.durationSeconds ?? null,
        // Below zero it is how the source stopped a process that was done.
        exitCode: fact.exitCode !== undefined && fact.exitCode > 0 ? fact.exitCode : null,
        outputLost: decision.retryReason === 'drain_race',
        attemptsUsedUp: decision.retryReason === 'budget_exhausted',
        detail: messageText(oneLine(detail ?? '')),
      },
    },
  }
}
