import { lineOf } from '../calls/call-ref'
import { pointerTo } from '../calls/merge-streams'
import { messageText } from '../message-text'
import {
  blamed,
  causeBy,
  pointerOf,
  quotedCall,
  type CauseFound,
  type CauseInput,
  type CauseTable,
} from './cause-found'
import { ENDING_CAUSES } from './ending-causes'
import { countFailed } from './on-the-way'
import { causeOfPipeline } from './pipeline-cause'
import { RESULT_CAUSES } from './result-causes'
import { STEP_CAUSES } from './step-causes'
import { causeOfRun } from './run-cause'

/** The run ended well, or nothing is known about its end: what failed on the way. */
const CAUSES_ON_THE_WAY: CauseTable<
  CauseInput,
  'requests_failed' | 'failures_along_the_way' | 'calls_failed'
> = [
  {
    id: 'requests_failed',
    when: ({ work, apiErrors }) =>
      apiErrors.length > 0 && work.calls.every(({ state }) => state !== 'failed'),
    verdict: blamed('api_error'),
    params: ({ judgement, apiErrors }) => ({
      outcome: judgement.outcome,
      requests: apiErrors.length,
      error: messageText(lineOf(apiErrors.at(-1)!.text)),
    }),
    pointer: ({ apiErrors }) => pointerTo(apiErrors.at(-1)!.place, apiErrors.at(-1)!.span),
  },
  {
    id: 'failures_along_the_way',
    when: ({ judgement, work, read }) =>
      (judgement.outcome === 'succeeded' || judgement.rule === 'left_open') &&
      read.leads === null &&
      read.leading !== null &&
      work.calls.some(({ state }) => state === 'failed'),
    verdict: ({ read }) => blamed('call_failures', read.leading),
    params: ({ work, read }) => ({
      counts: countFailed(work, read)!,
      ...quotedCall(read.leading!.call),
    }),
    pointer: ({ read }) => pointerOf(read.leading!.call),
  },
  {
    id: 'calls_failed',
    when: ({ work, read }) => read.leading !== null && work.calls.some(({ state }) => state === 'failed'),
    verdict: ({ read }) => blamed('call_failures', read.leading),
    params: ({ judgement, work, read }) => ({
      outcome: judgement.outcome,
      counts: countFailed(work, read)!,
      ...quotedCall(read.leading!.call),
    }),
    pointer: ({ read }) => pointerOf(read.leading!.call),
  },
]

const BREAKS_OFF: ReadonlySet<string> = new Set(['call_without_result', 'unanswered_prompt'])

/** The one sentence for a run, with the failure behind it; null when nothing failed. */
export function findCause(input: CauseInput): CauseFound | null {
  const { pipeline, run, judgement, result, ending, ciStep } = input
  if (pipeline) return causeOfPipeline(pipeline, input)
  // A record that breaks off says less than the failure that was worth a look before it did.
  if (BREAKS_OFF.has(judgement.rule) && input.read.leads !== null)
    return causeBy(CAUSES_ON_THE_WAY, input, input)
  const found =
    (ciStep && causeBy(STEP_CAUSES, { ...input, ciStep }, input)) ||
    (run && causeOfRun(run, input)) ||
    (judgement.basis === 'recorded' && result
      ? causeBy(RESULT_CAUSES, { ...input, result }, input)
      : ending && causeBy(ENDING_CAUSES, { ...input, ending }, input))
  return found ?? causeBy(CAUSES_ON_THE_WAY, input, input)
}
