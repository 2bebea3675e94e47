import { cutAtWord } from '../../text/visible'
import type { CauseCategory } from '../../model/cause-categories'
import type { Ending } from '../outcomes/ending'
import type { ChainsRead, Focus, Work } from './focus'
import type { WorkedCall } from '../calls/merge-calls'
import type { Place } from '../calls/merge-streams'
import { earlierLine, type FailedRequest } from './on-the-way'
import type { Judgement } from '../outcomes/outcome'
import { withQuote } from '../../words/phrases'
import type { PipelineRun } from '../outcomes/pipeline-run'
import type { Cause, Pointer } from '../../model/execution'
import type { WorkflowRun } from '../calls/workflow-run'
import type { RunResultFact } from '../../model/run-facts'

export const CAUSE_CHARS_MAX = 240

/** What the cause is made from. */
export interface CauseInput {
  judgement: Judgement
  result: { place: Place; fact: RunResultFact } | null
  ending: Ending | null
  work: Work
  read: ChainsRead
  apiErrors: FailedRequest[]
  /** Of a workflow engine; unset: the execution is none. */
  run?: WorkflowRun | null
  /** Of a pipeline; unset: the execution is none. */
  pipeline?: PipelineRun | null
}

/** A cause with the failure it speaks about, which the advice goes on from. */
export interface CauseFound {
  cause: Cause & { category: CauseCategory }
  focus: Focus | null
}

/** Room that is kept for the line about what failed before. */
const EARLIER_CHARS = 100

/** `start: “quote”`, the quote cut so that the whole fits. */
export const sentence = (start: string, quote: string, charsMax = CAUSE_CHARS_MAX): string =>
  withQuote(start, quote, charsMax)

export const found = (
  category: CauseCategory,
  text: string,
  pointer: Pointer | null,
  focus: Focus | null = null,
): CauseFound => ({
  cause: { text: cutAtWord(text, CAUSE_CHARS_MAX), category, pointer },
  focus,
})

/** Where the words of a failed call stand: exactly the decisive line when the adapter noted it, else the whole failure text. */
export const pointerOf = (a: WorkedCall): Pointer | null =>
  a.decisive?.pointer ?? a.resultPointer ?? a.callPointer

const RULES_OF_REQUESTS: ReadonlySet<string> = new Set(['api_error_last', 'api_failure', 'stop_failure'])

/** Whether the agent spoke or called again after the last request that failed. */
export const wentOnAfter = (requests: readonly FailedRequest[], ending: Ending | null): boolean => {
  const [last, answer] = [requests.at(-1)?.place, ending?.lastAssistant]
  return (
    last !== undefined &&
    answer != null &&
    answer.apiError === undefined &&
    answer.place.stream === last.stream &&
    answer.place.offset > last.offset
  )
}

/** Requests that failed on the way; none where the run's end is about the request itself. */
export const requestsOnTheWay = ({ judgement, apiErrors }: CauseInput): FailedRequest[] =>
  RULES_OF_REQUESTS.has(judgement.rule) ? [] : apiErrors

/** A cause about the run itself, and on a line of its own what failed inside before it. */
export function withEarlier(
  category: CauseCategory,
  start: string,
  quote: string,
  pointer: Pointer | null,
  input: CauseInput,
): CauseFound {
  const { work, read, ending } = input
  const requests = requestsOnTheWay(input)
  // The failures are the reader's second question; without any the quote may have all the room.
  const nothing = earlierLine(work, read, requests, false, CAUSE_CHARS_MAX) === ''
  const line = nothing ? sentence(start, quote) : sentence(start, quote, CAUSE_CHARS_MAX - EARLIER_CHARS)
  const earlier = earlierLine(
    work,
    read,
    requests,
    wentOnAfter(requests, ending),
    CAUSE_CHARS_MAX - line.length - 1,
  )
  return found(category, earlier === '' ? line : `${line}\n${earlier}`, pointer)
}
