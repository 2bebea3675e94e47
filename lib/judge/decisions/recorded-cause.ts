import type { Decision } from './decision'
import { durationWords } from '../../text/duration'
import { oneLine } from '../../text/visible'
import type { CauseCategory } from '../../model/cause-categories'
import { sentence } from '../causes/cause-found'
import type { SourceVerdict } from '../../model/summary'

/** What a source recorded as broken, by its subtype: the category, and the words. Keyed by the words of AutoSkillit. */
const BROKE: Readonly<Record<string, [CauseCategory, (fact: SourceVerdict, decision: Decision) => string]>> =
  {
    adjudicated_failure: [
      'contract',
      () => 'The result lacks an expected pattern; the source does not record which',
    ],
    missing_completion_marker: ['contract', () => 'The completion marker was not in the result'],
    empty_result: [
      'contract',
      (_, { retryReason }) =>
        `The result was blank${retryReason === 'drain_race' ? ', although a channel saw the end: output was lost' : ''}`,
    ],
    path_contamination: ['contract', () => 'The agent wrote outside its working directory'],
    zero_writes: ['contract', () => 'The run reported success but wrote none of the expected files'],
    empty_output: ['process', () => 'The process printed nothing'],
    unparseable: ['process', () => 'The process printed no readable result'],
    context_exhausted: ['limit', () => 'The context window was used up before the work was done'],
    context_exhaustion: ['limit', () => 'The context window was used up before the work was done'],
    error_max_turns: ['limit', () => 'The turn limit was reached before the work was done'],
    timeout: ['limit', (fact) => `Timed out${after(fact)}`],
    error_during_execution: ['cli_error', () => 'The agent reported an error while running'],
    interrupted: ['interruption', () => 'The run was interrupted'],
    stale: ['process', (fact) => `The run went silent and was stopped${after(fact)}`],
    idle_stall: ['process', (fact) => `The run stalled and was stopped${after(fact)}`],
    crashed: ['process', () => 'The source crashed while running the agent or reading its output'],
  }

const after = ({ durationSeconds }: SourceVerdict): string =>
  durationSeconds === undefined ? '' : ` after ${durationWords(durationSeconds)}`

/** The sentence for a failure that the source recorded, with its exit code where that says anything, and the end of its attempts. */
export function recordedCause(
  fact: SourceVerdict,
  decision: Decision,
): { category: CauseCategory; text: string } {
  const subtype = decision.recorded?.subtype ?? decision.subtype
  const [category, words] = BROKE[subtype] ?? [
    'unexplained' as const,
    () =>
      subtype === 'unknown'
        ? 'The source recorded a failure without saying why'
        : `The source recorded an unknown kind of failure: ${oneLine(subtype)}`,
  ]
  // Below zero it is how the source stopped a process that was done.
  const exit = fact.exitCode !== undefined && fact.exitCode > 0 ? ` (exit code ${fact.exitCode})` : ''
  const budget = decision.retryReason === 'budget_exhausted' ? '; no attempts left' : ''
  const quote =
    subtype === 'crashed'
      ? fact.crash
      : subtype === 'path_contamination'
        ? fact.writePathWarnings?.[0]
        : undefined
  return { category, text: sentence(`${words(fact, decision)}${exit}${budget}`, oneLine(quote ?? '')) }
}
