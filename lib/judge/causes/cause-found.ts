import type { CiStepFact, RunResultFact } from '../../model/run-facts'
import type { WithEvidence } from '../../model/summary'
import type { CauseCategory } from '../../model/cause-categories'
import type { Pointer } from '../../model/execution'
import type { CauseMessage, CauseMessages, JudgedCause, QuotedCall } from '../../model/messages/cause'
import { decisiveText, failedCallRef } from '../calls/call-ref'
import type { WorkedCall } from '../calls/merge-calls'
import type { Place } from '../calls/merge-streams'
import type { WorkflowRun } from '../calls/workflow-run'
import { messageText } from '../message-text'
import type { Ending } from '../outcomes/ending'
import type { Judgement } from '../outcomes/outcome'
import type { PipelineRun } from '../outcomes/pipeline-run'
import { firstThatHolds, type RuleTable } from '../rule-table'
import type { ChainsRead, Focus } from './focus'
import type { Work } from './work'
import { failedBefore, type FailedRequest } from './on-the-way'

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
  /** The CI step that ran the agent, where it said how it ended. */
  ciStep?: WithEvidence<CiStepFact> | null
}

/** A cause with the failure it speaks about, which the advice continues from. */
export interface CauseFound {
  cause: JudgedCause & { category: CauseCategory }
  focus: Focus | null
}

/** What the tables of causes answer. */
export interface Blamed {
  category: CauseCategory
  /** The failed call that the cause is about. */
  focus: Focus | null
  /** The cause is about the run itself: what failed inside before it is another matter, and is below. */
  earlier: boolean
}

export type CauseTable<Facts, Ids extends keyof CauseMessages> = RuleTable<
  Facts,
  Blamed,
  Pick<CauseMessages, Ids>
>

export const blamed = (category: CauseCategory, focus: Focus | null = null): Blamed => ({
  category,
  focus,
  earlier: false,
})
export const blamedOnRun = (category: CauseCategory): Blamed => ({ category, focus: null, earlier: true })

/** The cause by the first rule that holds; null where none does. */
export function causeBy<Facts, Ids extends keyof CauseMessages>(
  table: CauseTable<Facts, Ids>,
  facts: Facts,
  input: CauseInput,
): CauseFound | null {
  const found = firstThatHolds(table, facts)
  if (found === null) return null
  const { rule, params, verdict, pointer } = found
  const message = { id: rule, params } as unknown as CauseMessage
  const earlier = verdict.earlier ? earlierOf(input) : null
  const { category, focus } = verdict
  return { cause: { message, earlier, category, pointer }, focus }
}

const earlierOf = (input: CauseInput): JudgedCause['earlier'] => {
  const requests = requestsOnTheWay(input)
  return failedBefore(input.work, input.read, requests, wentOnAfter(requests, input.ending))
}

/** A failed call as a cause quotes it. */
export const quotedCall = (a: WorkedCall): QuotedCall => ({
  call: failedCallRef(a),
  error: messageText(decisiveText(a)),
})

/** Where the words of a failed call stand: exactly the decisive line when the adapter noted it, else the whole failure text. */
export const pointerOf = (a: WorkedCall): Pointer | null =>
  a.decisive?.pointer ?? a.resultPointer ?? a.callPointer

/** A whole record. */
export const wholeOf = (place: Place): Pointer => ({
  received: place.received,
  byteStart: place.keptStart,
  byteEnd: place.keptEnd,
})

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
