import type { Decided } from './decide'
import type { VerdictFacts } from './verdict-facts'
import { FAILURE_SUBTYPES } from './vocabulary'

const quotedList = (texts: readonly string[]): string => texts.map((text) => `“${text}”`).join(', ')

/** What of the contract is not in the result, in words; null when all is there. */
export function lackOf({ blank, markerSet, markerInText, patterns }: VerdictFacts): string | null {
  if (blank) return 'the result is blank'
  const missing = patterns.filter(({ state }) => state !== 'found').map(({ pattern }) => pattern)
  const marker = markerSet && !markerInText ? ['the completion marker is not in the result'] : []
  const expected =
    missing.length === 0 ? [] : [`the result does not hold what was expected: ${quotedList(missing)}`]
  return [...marker, ...expected].join(', and ') || null
}

const REASONS: Record<string, string> = {
  resume: 'The run was cut by its turns or its context: it can be resumed where it stood.',
  stale: 'The run went silent and was stopped before it ended.',
  early_stop: 'The agent stopped before it had printed its completion marker.',
  empty_output: 'The process ended well, but its output tells no result.',
  drain_race: 'The end was seen on another channel, but the output was lost on the way.',
  path_contamination: 'The agent wrote outside of its working directory.',
  contract_recovery:
    'The agent wrote files, but its result does not name what was expected: the session can be asked for it.',
  zero_writes: 'The run reports success, but nothing was written although that was expected.',
  budget_exhausted: 'The attempts of this command in a row are used up: no further one is made.',
}

/** Why another attempt is asked for, or no further one is made, as a sentence; null for a reason that is none of these. */
export const reasonReading = (reason: string): string | null => REASONS[reason] ?? null

/** The one line that says why it was decided so. */
export function readingOf(decided: Decided, facts: VerdictFacts | null): string {
  if (decided.recoveredFromStale) return 'The run went silent, but had delivered its result before.'
  if (decided.outcome !== 'succeeded' && REASONS[decided.retryReason] !== undefined)
    return REASONS[decided.retryReason]!
  const lack = facts === null ? null : lackOf(facts)
  if (decided.outcome === 'succeeded')
    return decided.contentState === 'complete'
      ? 'The result holds everything that was asked for.'
      : 'The end was confirmed by a channel alone; the content was not asked.'
  if (facts !== null && facts.termination === 'timed_out')
    return 'The time was up before the run ended: another attempt is not asked for.'
  if (decided.contentState === 'session_error' && facts !== null && FAILURE_SUBTYPES.has(facts.subtype))
    return `The output holds no result that can be read (subtype ${facts.subtype}): another attempt is not asked for.`
  if (decided.contentState === 'session_error')
    return `The result record reports an error${facts === null ? '' : ` (subtype ${facts.subtype})`}: another attempt is not asked for.`
  if (facts !== null && decided.contentState === 'complete')
    return facts.onlyMarker
      ? 'The result holds nothing but the completion marker.'
      : facts.exitCode !== 0
        ? `The process ended with exit code ${facts.exitCode}.`
        : `The output does not say how the run ended (subtype ${facts.subtype}).`
  return lack === null
    ? 'The run did not succeed, and nothing asks for another attempt.'
    : `${lack[0]!.toUpperCase()}${lack.slice(1)}. Another try is not asked for.`
}

/** The rule that decided: the last that fired and changed anything. */
export const decidingRule = ({ trace }: Decided): string =>
  trace.findLast(
    ({ rule, stage }) => rule !== 'warn:write_paths' && rule !== 'retry:none' && stage !== 'recovery',
  )?.rule ?? 'retry:none'
