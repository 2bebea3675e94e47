import type { CauseMessages } from '../model/messages/cause'
import { durationWords } from './duration'
import { oneLine } from '../text/visible'

type Params = CauseMessages['recorded_failure']

const after = ({ durationS }: Params): string =>
  durationS === null ? '' : ` after ${durationWords(durationS)}`

/** What a source recorded as broken, by its subtype. Keyed by the words of AutoSkillit. */
const BY_SUBTYPE: Readonly<Record<string, (params: Params) => string>> = {
  adjudicated_failure: ({ sessionError }) =>
    sessionError
      ? 'The result was rejected: the session reported an error'
      : 'The result was rejected (contract violation or session error)',
  missing_completion_marker: () => 'The completion marker was not in the result',
  empty_result: ({ outputLost }) =>
    `The result was blank${outputLost ? ', although a channel saw the end: output was lost' : ''}`,
  path_contamination: () => 'The agent wrote outside its working directory',
  zero_writes: () => 'The run reported success but wrote none of the expected files',
  empty_output: () => 'The process printed nothing',
  unparseable: () => 'The process printed no readable result',
  context_exhausted: () => 'The context window was used up before the work was done',
  context_exhaustion: () => 'The context window was used up before the work was done',
  error_max_turns: () => 'The turn limit was reached before the work was done',
  timeout: (params) => `Timed out${after(params)}`,
  error_during_execution: () => 'The agent reported an error while running',
  interrupted: () => 'The run was interrupted',
  stale: (params) => `The run went silent and was stopped${after(params)}`,
  idle_stall: (params) => `The run stalled and was stopped${after(params)}`,
  crashed: () => 'The source crashed while running the agent or reading its output',
  unknown: () => 'The source recorded a failure without saying why',
}

/** A failure that the source recorded, with its exit code where that says anything, and the end of its attempts. */
export function recordedFailureWords(params: Params): string {
  const { subtype, exitCode, attemptsUsedUp } = params
  const words = Object.hasOwn(BY_SUBTYPE, subtype)
    ? BY_SUBTYPE[subtype]!(params)
    : `The source recorded an unknown kind of failure: ${oneLine(subtype)}`
  return `${words}${exitCode === null ? '' : ` (exit code ${exitCode})`}${attemptsUsedUp ? '; no attempts left' : ''}`
}
