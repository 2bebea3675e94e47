import type { DecisionBadge, DecisionBadges } from '../../model/messages/decision'
import type { VerdictWords } from './decision'
import { FAILURE_SUBTYPES } from './vocabulary'

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

const badge = <Id extends keyof DecisionBadges>(id: Id, params: DecisionBadges[Id]): DecisionBadge =>
  ({ id, params }) as DecisionBadge

/**
 * What a reader would take for a mistake of ours, and is one of the rules.
 *
 * @see docs/rules.md#contradictions
 */
export function badgesOf(d: BadgeInput): DecisionBadge[] {
  const fired = (rule: string): boolean => d.rules.includes(rule)
  const succeeded = d.outcome === 'succeeded'
  const rawSubtype = d.cliSubtype ?? d.subtype
  const badges: (DecisionBadge | false)[] = [
    d.differs.length > 0 &&
      d.recorded !== null &&
      d.recomputed !== null &&
      badge('differs', { fields: [...d.differs] }),
    succeeded &&
      fired('success:channel_b_bypass') &&
      (isUnsound(d) ||
        d.isError === true ||
        rawSubtype !== 'success' ||
        (d.exitCode !== null && d.exitCode !== 0) ||
        d.termination === 'timed_out') &&
      badge('channel_only', {}),
    d.outcome === 'failed' &&
      d.contentState === 'complete' &&
      badge('failed_complete', { why: whyFailed(d) }),
    d.outcome === 'retriable' &&
      d.contentState === 'contract_violation' &&
      !fired('guard:dead_end_promoted:contract_violation') &&
      badge('retried_violation', {}),
    d.termination === 'timed_out' && d.outcome !== 'failed' && badge('timeout_not_final', { succeeded }),
    d.subtype === 'recovered_from_stale' && badge('recovered_stale', {}),
    fired('recover:artifact_synthesis') && badge('synthetic', {}),
    fired('gate:zero_writes') && badge('zero_writes', {}),
    fired('gate:path_contamination') && badge('contaminated', {}),
    succeeded &&
      d.exitCode !== null &&
      d.exitCode !== 0 &&
      !fired('success:channel_b_bypass') &&
      badge('exit_forgiven', {}),
  ]
  return badges.filter((one) => one !== false)
}

const isUnsound = ({ contentState }: BadgeInput): boolean =>
  contentState === 'absent' || contentState === 'session_error'

function whyFailed({
  exitCode,
  termination,
  rules,
  cliSubtype,
}: BadgeInput): DecisionBadges['failed_complete']['why'] {
  if (rules.includes('content:fail:result_is_only_marker')) return 'only_marker'
  if (termination === 'timed_out') return 'timed_out'
  if (cliSubtype !== null && FAILURE_SUBTYPES.has(cliSubtype)) return { subtype: cliSubtype }
  return exitCode !== null && exitCode !== 0 ? { exitCode } : 'agent'
}
