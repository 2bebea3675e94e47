import type { DecisionReason, DecisionReasons } from '../../model/messages/decision'
import { messageText } from '../message-text'
import { firstThatHolds, type RuleTable } from '../rule-table'
import type { Decided } from './decide'
import type { VerdictFacts } from './verdict-facts'
import { FAILURE_SUBTYPES, type DecisionOutcome } from './vocabulary'

interface Facts {
  decided: Decided
  /** Null where no output was looked at. */
  verdict: VerdictFacts | null
}
type ByRules = Pick<
  DecisionReasons,
  | 'recovered_from_stale'
  | 'retry_reason'
  | 'delivered'
  | 'channel_confirmed'
  | 'time_limit'
  | 'no_readable_result'
  | 'result_error'
  | 'only_marker'
  | 'exit_code'
  | 'end_not_reported'
  | 'result_blank'
  | 'not_delivered'
  | 'nothing_asks'
>

/** Reasons for which another attempt is asked for, or no further one is made. */
const RETRY_REASONS_SAID: ReadonlySet<string> = new Set([
  'resume',
  'stale',
  'early_stop',
  'empty_output',
  'drain_race',
  'path_contamination',
  'contract_recovery',
  'zero_writes',
  'budget_exhausted',
])

const noParams = () => ({})
const outcome = ({ decided }: Facts): DecisionOutcome => decided.outcome
const isError = ({ decided }: Facts): boolean => decided.contentState === 'session_error'
/** Everything that was asked for is there, and still it failed. */
const isComplete = ({ decided, verdict }: Facts): boolean =>
  verdict !== null && decided.contentState === 'complete'
const missingPatterns = ({ patterns }: VerdictFacts): string[] =>
  patterns.filter(({ state }) => state !== 'found').map(({ pattern }) => pattern)
const lacksMarker = ({ markerSet, markerInText }: VerdictFacts): boolean => markerSet && !markerInText

const READINGS: RuleTable<Facts, DecisionOutcome, ByRules> = [
  {
    id: 'recovered_from_stale',
    when: ({ decided }) => decided.recoveredFromStale,
    verdict: outcome,
    params: noParams,
  },
  {
    id: 'retry_reason',
    when: ({ decided }) => decided.outcome !== 'succeeded' && RETRY_REASONS_SAID.has(decided.retryReason),
    verdict: outcome,
    params: ({ decided }) => ({ reason: decided.retryReason }),
  },
  {
    id: 'delivered',
    when: ({ decided }) => decided.outcome === 'succeeded' && decided.contentState === 'complete',
    verdict: outcome,
    params: noParams,
  },
  {
    id: 'channel_confirmed',
    when: ({ decided }) => decided.outcome === 'succeeded',
    verdict: outcome,
    params: noParams,
  },
  {
    id: 'time_limit',
    when: ({ verdict }) => verdict?.termination === 'timed_out',
    verdict: outcome,
    params: noParams,
  },
  {
    id: 'no_readable_result',
    when: (facts) => isError(facts) && FAILURE_SUBTYPES.has(facts.verdict?.subtype ?? ''),
    verdict: outcome,
    params: ({ verdict }) => ({ subtype: verdict!.subtype }),
  },
  {
    id: 'result_error',
    when: isError,
    verdict: outcome,
    params: ({ verdict }) => ({ subtype: verdict?.subtype ?? null }),
  },
  {
    id: 'only_marker',
    when: (facts) => isComplete(facts) && facts.verdict!.onlyMarker,
    verdict: outcome,
    params: noParams,
  },
  {
    id: 'exit_code',
    when: (facts) => isComplete(facts) && facts.verdict!.exitCode !== 0,
    verdict: outcome,
    params: ({ verdict }) => ({ exitCode: verdict!.exitCode }),
  },
  {
    id: 'end_not_reported',
    when: isComplete,
    verdict: outcome,
    params: ({ verdict }) => ({ subtype: verdict!.subtype }),
  },
  { id: 'result_blank', when: ({ verdict }) => verdict?.blank === true, verdict: outcome, params: noParams },
  {
    id: 'not_delivered',
    when: ({ verdict }) => verdict !== null && (lacksMarker(verdict) || missingPatterns(verdict).length > 0),
    verdict: outcome,
    params: ({ verdict }) => ({
      markerMissing: lacksMarker(verdict!),
      patterns: missingPatterns(verdict!).map((pattern) => messageText(pattern)),
    }),
  },
  { id: 'nothing_asks', when: () => true, verdict: outcome, params: noParams },
]

/**
 * Why the rules decided so.
 *
 * @param verdict facts of the session that was judged; null where no output was looked at
 */
export function readingOf(decided: Decided, verdict: VerdictFacts | null): DecisionReason {
  const { rule, params } = firstThatHolds(READINGS, { decided, verdict })!
  return { id: rule, params } as DecisionReason
}

/** The rule that decided: the last that fired and changed anything. */
export const decidingRule = ({ trace }: Decided): string =>
  trace.findLast(
    ({ rule, stage }) => rule !== 'warn:write_paths' && rule !== 'retry:none' && stage !== 'recovery',
  )?.rule ?? 'retry:none'
