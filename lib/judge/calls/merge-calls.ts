import { isSameInput } from '../../model/same-input'
import { judgeFailure } from './failure-class'
import { inOrder, inPrecedence, pointerTo, type Place } from './merge-streams'
import type { Call } from '../../model/summary'
import type { CallFact, ResultFact } from '../../model/event-facts'
import type { CountedAttempt } from '../../model/workflow-facts'

export interface HeldCall {
  place: Place
  call: CallFact
  /** Which try of its work it is, where its source counts them. */
  counted?: AssertedAttempt
}

export interface AssertedAttempt extends CountedAttempt {
  /** The source says too which attempt it follows; else that is inferred. */
  asserted: boolean
}

export interface HeldResult {
  place: Place
  result: ResultFact
}

/** A call with what the later judgements need beside it: message, and the decisive line of its error with its place. */
export interface WorkedCall extends Call {
  messageId: string | null
  decisive: { text: string; pointer: Call['resultPointer'] } | null
  /** Only receipts tell of it: what was run is not known, but for what its target and the digest of its parameters say. */
  receiptOnly: boolean
  /** A step of a workflow, which is no command that somebody could run by hand. */
  isStep: boolean
  /** Its record should say how it ended, and does not. */
  endUntold: boolean
  /** Where its result stands, else the call itself. */
  lastPlace: Place
  counted: AssertedAttempt | null
}

type Disagreement = Call['disagreements'][number]

const group = <T extends { place: Place }>(held: T[], idOf: (h: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const one of held) {
    const id = idOf(one)
    const list = groups.get(id)
    if (list) list.push(one)
    else groups.set(id, [one])
  }
  for (const list of groups.values()) list.sort((a, b) => inPrecedence(a.place, b.place))
  return groups
}

const stateWord = (r: ResultFact): string => (r.failed ? 'failed' : 'succeeded')

/** Where other records of the same call and result differ; each channel and fact is named once. */
function findDisagreements(calls: HeldCall[], results: HeldResult[]): Disagreement[] {
  const found = new Map<string, Disagreement>()
  const note = (place: Place, fact: string, said: string, used: string) => {
    const key = `${place.stream.channel}\u0000${fact}\u0000${said}`
    if (said !== used && !found.has(key)) found.set(key, { channel: place.stream.channel, fact, said, used })
  }
  const [call, ...otherCalls] = calls
  for (const other of otherCalls) {
    note(other.place, 'tool', other.call.tool, call!.call.tool)
    // A receipt names a target only of tools that its issuer knows.
    if (other.call.target !== null || other.place.stream.channel !== 'receipt')
      note(other.place, 'target', other.call.target ?? '(none)', call!.call.target ?? '(none)')
    if (
      other.call.target === call!.call.target &&
      isSameInput(other.call.inputDigest, call!.call.inputDigest) === false
    )
      note(other.place, 'input', other.call.inputDigest, call!.call.inputDigest)
  }
  const [result, ...otherResults] = results
  for (const other of otherResults) {
    note(other.place, 'state', stateWord(other.result), stateWord(result!.result))
    if (other.result.exitCode !== undefined && result!.result.exitCode !== undefined)
      note(other.place, 'exitCode', String(other.result.exitCode), String(result!.result.exitCode))
  }
  return [...found.values()]
}

const milliseconds = (from: string | null, to: string | null): number | null => {
  const span = from === null || to === null ? Number.NaN : Date.parse(to) - Date.parse(from)
  return Number.isFinite(span) && span >= 0 ? span : null
}

interface Around {
  ordinal: number
  children: ReadonlyMap<string, string>
  session: string | null
}

function toCall(
  calls: HeldCall[],
  results: HeldResult[],
  { ordinal, children, session }: Around,
): WorkedCall {
  const { call, place } = calls[0]!
  const best = results[0]
  const result = best?.result
  const failed = result?.failed === true
  // Another record of the same failure may have text that the first one lacks; it is used only if it agrees on the failure.
  const worded = failed
    ? (results.find((r) => r.result.failed && (r.result.text ?? '') !== '') ?? best!)
    : undefined
  const startedAt = place.at ?? calls.find((c) => c.place.at !== null)?.place.at ?? null
  const endedAt = best?.place.at ?? results.find((r) => r.place.at !== null)?.place.at ?? null
  const childAgentId = results.find((r) => r.result.childAgentId !== undefined)?.result.childAgentId
  return {
    callId: call.callId,
    ordinal,
    tool: call.tool,
    target: call.target,
    looseTarget: call.looseTarget ?? null,
    inputDigest: call.inputDigest,
    state: result === undefined ? 'no_result' : failed ? 'failed' : 'succeeded',
    failureClass: failed
      ? judgeFailure({ result, pointer: pointerTo(best!.place, result.span) }).verdict
      : null,
    errorText: worded?.result.text ?? null,
    errorTextCut: worded?.result.textCut ?? false,
    exitCode: result?.exitCode ?? null,
    startedAt,
    endedAt,
    durationMs:
      results.find((r) => r.result.durationMs !== undefined)?.result.durationMs ??
      // One receipt tells of both, and of one time.
      (best?.place === place && place.stream.channel === 'receipt' ? null : milliseconds(startedAt, endedAt)),
    callPointer: pointerTo(place, call.span),
    resultPointer: best ? pointerTo((worded ?? best).place, (worded ?? best).result.span) : null,
    chain: null,
    numberInChain: null,
    linkRule: null,
    linkParams: null,
    linkBasis: null,
    inputChanged: null,
    attachedTo: null,
    resolution: null,
    retry: null,
    childKey:
      children.get(call.callId) ??
      (childAgentId === undefined || session === null ? null : `${session}/agent-${childAgentId}`),
    disagreements: findDisagreements(calls, results),
    messageId: call.messageId ?? calls.find((c) => c.call.messageId !== undefined)?.call.messageId ?? null,
    decisive: worded?.result.decisive
      ? { text: worded.result.decisive.text, pointer: pointerTo(worded.place, worded.result.decisive.span) }
      : null,
    // Receipts have the lowest precedence: where one is the first record, no other channel has the call.
    receiptOnly: place.stream.channel === 'receipt',
    isStep: place.stream.channel === 'rows',
    endUntold: result === undefined && call.endUntold === true,
    lastPlace: (worded ?? best)?.place ?? place,
    counted: calls[0]!.counted ?? null,
  }
}

/**
 * One call for each distinct call id, from the channel of the highest precedence, in the order the calls were made: inside a channel
 * by position; a call that only a weaker channel knows goes where its time says. Results of calls that nobody made are left out.
 * Both lists are empty afterwards: what was held goes as the calls are made of it, or a long session would be held twice.
 *
 * @param children external keys of executions by the call that started them
 * @param session  session id, for results that name their sub-agent only by its short id
 */
export function mergeCalls(
  held: HeldCall[],
  heldResults: HeldResult[],
  children: ReadonlyMap<string, string>,
  session: string | null,
): WorkedCall[] {
  const calls = group(held, (h) => h.call.callId)
  const results = group(heldResults, (h) => h.result.callId)
  const ids = inOrderOfCalls(held, calls)
  held.length = heldResults.length = 0
  return ids.map((id, ordinal) => {
    const call = toCall(calls.get(id)!, results.get(id) ?? [], { ordinal, children, session })
    calls.delete(id)
    results.delete(id)
    return call
  })
}

/** Call ids in the order in which the calls were made. */
function inOrderOfCalls(held: readonly HeldCall[], calls: ReadonlyMap<string, HeldCall[]>): string[] {
  const byChannel = new Map<string, HeldCall[]>()
  for (const [first] of calls.values()) {
    const channel = first!.place.stream.channel
    const list = byChannel.get(channel)
    if (list) list.push(first!)
    else byChannel.set(channel, [first!])
  }
  // Times inside a file are not sorted; the latest time so far keeps each channel's own order when channels are merged.
  const rank = new Map<HeldCall, string>()
  for (const list of byChannel.values()) {
    list.sort((a, b) => inOrder(a.place, b.place))
    let latest = ''
    for (const one of list) {
      if (one.place.at !== null && one.place.at > latest) latest = one.place.at
      rank.set(one, latest)
    }
  }
  const inMessage = new Map(held.map((h, index) => [h, index]))
  return [...rank.keys()]
    .sort((a, b) => {
      const [left, right] = [rank.get(a)!, rank.get(b)!]
      return (
        (left < right ? -1 : left > right ? 1 : 0) ||
        inPrecedence(a.place, b.place) ||
        inMessage.get(a)! - inMessage.get(b)!
      )
    })
    .map(({ call }) => call.callId)
}
