import { signalHintText } from '../words/signal-hints'
import { attachToCause } from '../judge/calls/attach'
import { findRepeats } from '../judge/receipts/repeats'
import { linkCalls } from '../judge/calls/retry-chain'
import type { PipelineRunFact } from '../model/pipeline-facts'
import type { InputChannel } from '../model/normal-form'
import { findSilence, type KnownOfChains } from '../judge/receipts/silence'
import { adviseOn } from '../judge/retry/advise'
import type { FailureContext } from '../judge/retry/call-facts'
import { afterOf, type Words } from '../judge/retry/after'
import { findCause } from '../judge/causes/cause'
import { withCauseText } from './cause-text'
import { requestsOnTheWay, wentOnAfter } from '../judge/causes/cause-found'
import { countCalls } from './counts'
import { judgeCiStep } from '../judge/outcomes/ci-step'
import { collectTurns, readEnding, type Ending, type TurnEvent } from '../judge/outcomes/ending'
import { collectEvidence } from './evidence'
import { readFailures } from '../judge/retry/failures'
import { readChains } from '../judge/causes/focus'
import { workOf } from '../judge/causes/work'
import { collectLabels } from './labels'
import { mergeCalls, type HeldCall, type HeldResult, type WorkedCall } from '../judge/calls/merge-calls'
import {
  findOwners,
  holdRecord,
  inOrder,
  inPrecedence,
  type HeldStream,
  type Place,
} from '../judge/calls/merge-streams'
import {
  labelsOf,
  mergeRecorded,
  timesOf,
  usageOf,
  widen,
  type HeldRecorded,
  type TimeRange,
} from './merge-recorded'
import { resolveCalls } from '../judge/resolutions/resolution'
import { judgeAttention } from '../judge/causes/attention'
import { judgeCalls } from '../judge/retry/call-retry'
import { collectUsage } from './merge-usage'
import { judgeRun, openAgentFailures, statusDisagreements } from '../judge/outcomes/judge-run'
import { inferOutcome, noActivity, RUNNING } from '../judge/outcomes/ending-rules'
import type { Judgement } from '../judge/outcomes/outcome'
import { judgePipeline } from '../judge/outcomes/pipeline-rules'
import { judgeResult } from '../judge/outcomes/result-rules'
import { failedCallRef } from '../judge/calls/call-ref'
import { capital, whatHappened } from '../words/phrases'
import { signalHintsOf } from '../judge/outcomes/signal-hints'
import type { AnalysedEvent, Call, Disagreement, ExecutionSummary } from '../model/summary'
import { adviseOnPipeline, readTaskFailures } from '../judge/retry/tasks'
import { pipelineCalls } from '../judge/outcomes/pipeline-calls'
import { detailOf } from './pipeline-detail'
import { collectPipeline, attemptedTasks } from '../judge/outcomes/pipeline-run'
import { collectRun } from '../judge/calls/workflow-run'
import type { Silence } from '../model/silence'
import type { ReceiptFact } from '../model/receipt-facts'
import type { RunResultFact } from '../model/run-facts'
import type { Span } from '../model/span'
import { textOf } from '../words/catalogue'
import { disagreementFact } from '../words/disagreements'
import { OUTCOME_WORDS } from '../words/outcome'
import type { OutcomeMessage } from '../model/messages/outcome'

interface HeldRunResult {
  place: Place
  fact: RunResultFact
}

interface HeldApiError {
  place: Place
  text: string
  span: Span
}

/** A text of the agent that is shorter is held whole; of a longer one only the tail is, which may answer nothing. */
const SAID_WHOLE_BELOW = 299

export interface Analysis {
  add(e: AnalysedEvent): void
  /** Once, after the last event: what was held is given up on the way, since a long session holds a hundred megabytes. */
  /** @param gaps of the chains that its receipts are in: others' receipts tell them */
  finish(known?: KnownOfChains): ExecutionSummary
  /** Whether one of the events was a receipt. */
  holdsReceipts(): boolean
}

/**
 * Folds the events of one execution into what is known about it. Events may come in any order and through several channels; the result is
 * that of reading streams by their first time (then id) and records by offset. Only calls, results and the last events of each
 * stream are held, so memory grows with the calls, not with the bytes.
 *
 * @param executionKey external id of the execution, for the keys of its children; may be left out
 * @param mayRepeat false when each event comes once and all come from one stream, which saves remembering them
 * @see docs/sources/outcome.md
 */
export function createAnalysis(executionKey?: string, mayRepeat = true): Analysis {
  const streams = new Map<string, HeldStream>()
  const heldCalls: HeldCall[] = []
  const results: HeldResult[] = []
  const runResults: HeldRunResult[] = []
  const apiErrors: HeldApiError[] = []
  const recordings: HeldRecorded[] = []
  const prompts: Words[] = []
  const sayings: Words[] = []
  const receipts: ReceiptFact[] = []
  const retracted = new Set<string>()
  const children = new Map<string, string>()
  const labels = collectLabels()
  const usage = collectUsage()
  const turns = collectTurns()
  const evidence = collectEvidence()
  const workflow = collectRun()
  const pipelineFiles = collectPipeline()
  const observed: TimeRange = { first: null, last: null }
  /** Times at which logs were written: they date a run only when nothing else does. */
  const logged: TimeRange = { first: null, last: null }

  return {
    add(e) {
      const place = holdRecord(streams, e, mayRepeat)
      if (!place) return
      if (e.at !== null) widen(e.channel === 'log' ? logged : observed, e.at)
      const { facts } = e
      for (const call of facts.calls ?? []) heldCalls.push({ place, call })
      for (const result of facts.results ?? []) results.push({ place, result })
      for (const uuid of facts.retracts ?? []) retracted.add(uuid)
      for (const { callId, childKey } of facts.children ?? []) children.set(callId, childKey)
      if (facts.usage) usage.add(e.identity, facts.usage)
      if (facts.runResult) runResults.push({ place, fact: facts.runResult })
      if (facts.receipt) receipts.push(facts.receipt)
      if (facts.recorded) recordings.push({ place, fact: facts.recorded })
      if (facts.apiError) apiErrors.push({ place, text: facts.apiError.text, span: facts.apiError.span })
      if (facts.prompt !== undefined && !facts.prompt.startsWith('/'))
        prompts.push({ place, text: facts.prompt })
      if (facts.said && facts.said.tail.length < SAID_WHOLE_BELOW && facts.said.tail.trim() !== '')
        sayings.push({ place, text: facts.said.tail })
      labels.add(place, facts)
      if (e.channel === 'rows') workflow.add(place, facts)
      else if (e.channel === 'pipeline') pipelineFiles.add(place, facts)
      else turns.add(place, e.kind, facts)
      evidence.add(place, facts)
    },

    holdsReceipts: () => receipts.length > 0,

    finish(known = {}) {
      const ownership = findOwners(streams.values())
      for (const stream of streams.values()) stream.identities.clear()
      const isCurrent = ({ place }: { place: Place }) => !retracted.has(place.identity)
      const session = executionKey === undefined ? null : (executionKey.split('/')[0] ?? null)
      const run = workflow.read()
      const pipeline = pipelineFiles.read()
      const tasks = pipeline && pipelineCalls(pipeline)
      for (const call of tasks?.calls ?? []) heldCalls.push(call)
      for (const one of tasks?.results ?? []) results.push(one)
      for (const call of run?.calls ?? []) heldCalls.push(call)
      for (const one of run?.results ?? []) results.push(one)
      for (const [callId, childKey] of run?.children ?? []) children.set(callId, childKey)
      const calls = mergeCalls(heldCalls.splice(0).filter(isCurrent), results, children, session)
      const chains = linkCalls(calls)
      attachToCause(calls)
      const byId = new Map(calls.map((a) => [a.callId, a]))
      resolveCalls(calls, chains, byId)

      const channels = turns
        .channels()
        .map((channel) => ({ channel, events: turns.read(channel, ownership, retracted) }))
        .filter((d) => d.events.length > 0)
      const endings = channels.map(({ channel, events }) => readEnding(channel, events, byId))
      const ending = endings[0] ?? null
      const own = runResults.filter((r) => ownership.owns(r.place)).sort((a, b) => inOrder(a.place, b.place))
      const last = own.at(-1)
      const result = last && !goesOnAfter(last.place, channels) ? last : null
      const agentFailures = run ? openAgentFailures(run, chains) : []
      const recorded = mergeRecorded(recordings)
      const inside = run
        ? judgeRun(run, agentFailures)
        : pipeline
          ? judgePipeline(pipeline)
          : judge(result, ending, [...streams.values()])
      const facts = evidence.evidence(result, recorded)
      const ciStep = facts.ciSteps?.findLast(({ fact }) => fact.conclusion !== null) ?? null
      const judgement = judgeCiStep(ciStep?.fact.conclusion ?? null, inside)
      // The call that it broke off at says more than that it did, but a failure before that call is not why it did.
      const isOfStep = judgement.rule === 'ci_step_failed' && calls.some(({ state }) => state === 'failed')
      const blamed = inside.rule === 'call_without_result' && !isOfStep ? inside : judgement

      const work = workOf(calls, chains, byId)
      const read = readChains(work)
      const errors = apiErrors
        .filter((e) => isCurrent(e) && ownership.owns(e.place))
        .sort((a, b) => inPrecedence(a.place, b.place))
      const given = {
        judgement: blamed,
        ciStep,
        result,
        ending,
        work,
        read,
        apiErrors: errors,
        run,
        pipeline,
      }
      const found = findCause(given)
      const cause = found && withCauseText(found.cause)
      const parent = labels.parent()
      const openCall = ending?.openCalls[0] ?? null
      const named: Record<string, string> = {
        ...labels.labels(),
        ...labelsOf(recorded),
        ...(pipeline?.record && labelsOfRun(pipeline.record.fact)),
        ...(run &&
          !run.complete && { rows: `incomplete: ${run.held} of ${run.total ?? 'an unknown number'}` }),
      }
      const context: FailureContext = {
        work,
        cwd: named['cwd'] ?? null,
        ended: judgement.outcome === 'succeeded',
        ...afterOf(prompts, sayings, calls),
      }
      judgeCalls(context)
      const requests = requestsOnTheWay(given)
      const failures = pipeline
        ? readTaskFailures(pipeline, work)
        : readFailures(
            read,
            {
              all: cause?.category === 'api_error' ? [] : requests,
              wentOn: wentOnAfter(requests, ending),
            },
            context,
          )
      return {
        outcome: judgement.outcome,
        outcomeBasis: judgement.basis,
        outcomeRule: judgement.rule,
        outcomeParams: judgement.params,
        outcomeBecause: textOf(OUTCOME_WORDS, {
          id: judgement.rule,
          params: judgement.params,
        } as OutcomeMessage),
        failedAt: judgement.failedAt,
        cause,
        attention: judgeAttention({
          outcome: judgement.outcome,
          outcomeRule: judgement.rule,
          failedCalls: calls.filter(({ state }) => state === 'failed').length,
          leads: read.leads,
        }),
        leads: read.leads && { rule: read.leads.rule, params: read.leads.params },
        advice:
          found && cause
            ? {
                ...(pipeline
                  ? adviseOnPipeline(pipeline, judgement, work)
                  : adviseOn({
                      found,
                      judgement: blamed,
                      result: result?.fact ?? null,
                      isChild: parent !== null,
                      openCall,
                      agent: agentFailures[0],
                      signalReason: (result?.fact ?? ending?.finalSaid?.fact)?.signal?.reason ?? null,
                      context,
                    })),
                ...failures,
              }
            : null,
        counts: countCalls(ownership.records, calls, chains),
        calls: calls.map(toPlainCall),
        chains,
        usage: usageOf(usage.sum(retracted, costOf(own)), recorded),
        ...timesOf(
          pipeline?.record ? timesOfRun(pipeline.record.fact, observed) : observed,
          logged,
          recorded,
        ),
        title: labels.title(recorded?.fact.skillCommand, firstFailedOf(calls)),
        labels: named,
        parent,
        decision: null,
        pipeline: pipeline && detailOf(pipeline),
        evidence: {
          ...facts,
          ...(pipeline && { tasks: attemptedTasks(pipeline, judgement) }),
        },
        ...(receipts.length === 0
          ? { repeats: [], silence: null }
          : {
              repeats: findRepeats(receipts, calls),
              silence: silenceOf(
                findSilence(receipts.splice(0), {
                  ...known,
                  calls,
                  chains,
                  isRunning: judgement.outcome === 'running',
                }),
              ),
            }),
        signalHints: signalHintsOf(judgement, result, ending).map((hint) => ({
          breach: hint.breach,
          text: signalHintText(hint),
          pointer: hint.pointer,
        })),
        disagreements: [
          ...(run ? statusDisagreements(run, judgement) : []),
          ...outcomeDisagreements(judgement, result, endings),
          ...denialDisagreements(result, byId),
          ...callDisagreements(calls),
          ...(recorded?.disagreements ?? []),
        ].map((one) => ({ ...one, fact: disagreementFact({ ...one, fact: one.rule }) })),
      }
    },
  }
}

function firstFailedOf(calls: readonly WorkedCall[]): string | undefined {
  const failed = calls.find(({ state }) => state === 'failed')
  return failed && capital(whatHappened(failedCallRef(failed)))
}

/** What the record says of its times is above those of the files; a run without an end has been heard of last by a task. */
const timesOfRun = ({ startedAt, finishedAt }: PipelineRunFact, observed: TimeRange): TimeRange => ({
  first: startedAt ?? observed.first,
  last: finishedAt ?? observed.last,
})

const labelsOfRun = ({ pipeline, job, mode }: PipelineRunFact): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ pipeline, job, mode }).filter(
      (entry): entry is [string, string] => entry[1] !== null && entry[1] !== '',
    ),
  )

function judge(
  result: HeldRunResult | null,
  ending: Ending | null,
  streams: readonly HeldStream[],
): Judgement {
  if (result) return judgeResult(result.fact)
  if (ending) return inferOutcome(ending)
  // A session that was opened and not asked for anything yet.
  return streams.length > 0 && streams.every(({ channel }) => channel === 'hook')
    ? RUNNING
    : noActivity('nothing')
}

/**
 * Whether the session went on after a result record, so that the record tells of an earlier run only: by position in its own stream,
 * and by the time of a prompt in other ones. Output without times leaves the record standing.
 */
function goesOnAfter(result: Place, turnsByChannel: { events: TurnEvent[] }[]): boolean {
  const known = result.at ?? result.stream.lastAt
  return turnsByChannel.some(({ events }) =>
    events.some(({ place, kind }) => {
      if (place.stream === result.stream)
        return place.offset > result.offset && (kind === 'prompt' || kind === 'text' || kind === 'call')
      return kind === 'prompt' && known !== null && place.at !== null && place.at > known
    }),
  )
}

/** A result record's cost is the sum of its run so far: the last of each stream counts, and runs add up. */
function costOf(own: HeldRunResult[]): number | null {
  const byStream = new Map<HeldStream, number>()
  for (const { place, fact } of own) if (fact.costUsd !== null) byStream.set(place.stream, fact.costUsd)
  return byStream.size === 0 ? null : [...byStream.values()].reduce((sum, cost) => sum + cost, 0)
}

const toPlainCall = ({
  messageId: _message,
  decisive: _decisive,
  receiptOnly: _receiptOnly,
  isStep: _isStep,
  endUntold: _endUntold,
  lastPlace: _place,
  counted: _counted,
  ...call
}: WorkedCall): Call => call

const silenceOf = (found: Silence): Silence | null => (found.findings.length === 0 ? null : found)

/** How the channels read the end differently. `unknown` and `running` claim nothing about it and so disagree with nothing. */
function outcomeDisagreements(
  judgement: Judgement,
  result: HeldRunResult | null,
  endings: Ending[],
): Disagreement[] {
  const values: Disagreement['values'] = []
  if (result) values.push({ channel: 'result', said: judgement.outcome })
  for (const ending of endings) values.push({ channel: ending.channel, said: inferOutcome(ending).outcome })
  const claims = values.filter((v) => v.said !== 'unknown' && v.said !== 'running')
  return new Set([judgement.outcome, ...claims.map((v) => v.said)]).size > 1 && claims.length > 1
    ? [{ rule: 'outcome', params: {}, values: claims, used: judgement.outcome }]
    : []
}

/** A call that the result record lists as refused and another channel reports as done. */
function denialDisagreements(
  result: HeldRunResult | null,
  byId: ReadonlyMap<string, WorkedCall>,
): Disagreement[] {
  return (result?.fact.permissionDenials ?? []).flatMap(({ callId }) => {
    const call = callId === null ? undefined : byId.get(callId)
    if (call?.state !== 'succeeded') return []
    const channel: InputChannel = 'transcript'
    return [
      {
        rule: 'call_refused' as const,
        params: { callId: call.callId },
        values: [
          { channel: 'result' as const, said: 'refused' },
          { channel, said: call.state },
        ],
        used: 'refused',
      },
    ]
  })
}

function callDisagreements(calls: readonly Call[]): Disagreement[] {
  return calls.flatMap((a) =>
    a.disagreements.map((d) => ({
      rule: 'call_fact' as const,
      params: { callId: a.callId, fact: d.fact },
      values: [{ channel: d.channel, said: d.said }],
      used: d.used,
    })),
  )
}
