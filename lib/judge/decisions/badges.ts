import type { VerdictWords } from './decision'
import { FAILURE_SUBTYPES } from './vocabulary'
import { subtypeWords } from '../../words/decision-values'

/** What a reader would take for a mistake of ours, and is one of the rules: said, never hidden. */
export interface Badge {
  code: string
  label: string
  says: string
}

/** What badges are made of: the verdict, and what of its evidence they look at. */
export interface BadgeInput extends VerdictWords {
  differs: readonly string[]
  recorded: VerdictWords | null
  recomputed: VerdictWords | null
  /** Codes of the rules that fired. */
  rules: readonly string[]
  exitCode: number | null
  termination: string | null
  isError: boolean | null
  cliSubtype: string | null
}

const FIELD_WORDS: Record<keyof VerdictWords, string> = {
  contentState: 'content state',
  outcome: 'outcome',
  retryReason: 'retry reason',
  subtype: 'subtype',
}
export const fieldWords = (field: string): string => FIELD_WORDS[field as keyof VerdictWords] ?? field

const badge = (code: string, label: string, says: string): Badge => ({ code, label, says })

/** @see docs/rules.md#contradictions */
export function badgesOf(d: BadgeInput): Badge[] {
  const fired = (rule: string): boolean => d.rules.includes(rule)
  const succeeded = d.outcome === 'succeeded'
  const rawSubtype = d.cliSubtype ?? d.subtype
  const badges: (Badge | false)[] = [
    d.differs.length > 0 &&
      d.recorded !== null &&
      d.recomputed !== null &&
      badge(
        'differs',
        'recorded and recomputed differ',
        `The source recorded another ${d.differs.map(fieldWords).join(', ')} than the rules give.`,
      ),
    succeeded &&
      fired('success:channel_b_bypass') &&
      (isUnsound(d) ||
        d.isError === true ||
        rawSubtype !== 'success' ||
        (d.exitCode !== null && d.exitCode !== 0) ||
        d.termination === 'timed_out') &&
      badge(
        'channel_only',
        'confirmed by channel only',
        'Channel B saw the end, and nothing else was asked: not the content, the exit code or how the process ended.',
      ),
    d.outcome === 'failed' &&
      d.contentState === 'complete' &&
      badge(
        'failed_complete',
        'failed with complete content',
        `Everything that was asked for is there; it failed for ${whyFailed(d)}.`,
      ),
    d.outcome === 'retriable' &&
      d.contentState === 'contract_violation' &&
      !fired('guard:dead_end_promoted:contract_violation') &&
      badge(
        'retried_violation',
        'retried with a contract violation',
        'Limits, lost output and gates ask for another attempt whatever the content is; that a contract violation is not retried holds for the dead-end guard alone.',
      ),
    d.termination === 'timed_out' &&
      d.outcome !== 'failed' &&
      badge(
        'timeout_not_final',
        'not final although its time was up',
        succeeded
          ? 'A channel without patterns makes a success also of a run whose time was up.'
          : 'A run that reached its limits is resumed also when its time was up.',
      ),
    d.subtype === 'recovered_from_stale' &&
      badge(
        'recovered_stale',
        'patterns not asked',
        'A run that went silent after its result is a success by its marker alone: expected patterns and writes are not looked at.',
      ),
    fired('recover:artifact_synthesis') &&
      badge(
        'synthetic',
        'result partly synthetic',
        'A line of the result was made from a call of the agent: it did not print it itself.',
      ),
    fired('gate:zero_writes') &&
      badge('zero_writes', 'repeats without limit', 'This gate is not counted against the retry budget.'),
    fired('gate:path_contamination') &&
      badge(
        'contaminated',
        'kept as another verdict',
        'The history of the source keeps the verdict in front of this gate: one that asked for no other attempt begins the count of attempts anew.',
      ),
    succeeded &&
      d.exitCode !== null &&
      d.exitCode !== 0 &&
      !fired('success:channel_b_bypass') &&
      badge(
        'exit_forgiven',
        'exit code forgiven',
        'The process was stopped after it had delivered: its exit code does not count.',
      ),
  ]
  return badges.filter((one) => one !== false)
}

const isUnsound = ({ contentState }: BadgeInput): boolean =>
  contentState === 'absent' || contentState === 'session_error'

function whyFailed({ exitCode, termination, rules, cliSubtype }: BadgeInput): string {
  if (rules.includes('content:fail:result_is_only_marker')) return 'holding nothing but the completion marker'
  if (termination === 'timed_out') return 'running out of time'
  if (cliSubtype !== null && FAILURE_SUBTYPES.has(cliSubtype))
    return `an output that does not say how it ended (${subtypeWords(cliSubtype)})`
  return exitCode !== null && exitCode !== 0 ? `its exit code ${exitCode}` : 'what the agent said of itself'
}
