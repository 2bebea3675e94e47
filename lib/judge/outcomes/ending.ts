import type { InputChannel, EventKind } from '../../model/normal-form'
import type { WorkedCall } from '../calls/merge-calls'
import { channelRank, inOrder, type HeldStream, type Ownership, type Place } from '../calls/merge-streams'
import type { LeftOpen } from '../../model/messages/outcome'
import { leftOpen } from './left-open'
import type { EventFacts } from '../../model/event-facts'

/** An event that can matter for how a run ended, with just the facts needed for that. */
export interface TurnEvent {
  place: Place
  kind: EventKind
  /** A prompt that is only a slash command. */
  command: boolean
  said: EventFacts['said']
  apiError: EventFacts['apiError']
  interruption: EventFacts['interruption']
  hookStop: EventFacts['hookStop']
  ended: EventFacts['ended']
  callIds: string[]
  resultIds: string[]
}

const TURN_KINDS: ReadonlySet<EventKind> = new Set([
  'prompt',
  'text',
  'thinking',
  'call',
  'result',
  'api_error',
  'interruption',
  'hook',
  'run_result',
])

/** How many of the last events of a stream are remembered, at least; a turn's end is never further back than this. */
const TURN_EVENTS_HELD = 256

/** Remembers the last events of each stream, whatever order they come in. */
export function collectTurns(): {
  add(place: Place, kind: EventKind, facts: EventFacts): void
  /** The last events of the strongest channel that has any, in order, without repeated and retracted ones. */
  read(channel: InputChannel, ownership: Ownership, retracted: ReadonlySet<string>): TurnEvent[]
  channels(): InputChannel[]
} {
  const held = new Map<HeldStream, TurnEvent[]>()
  const trim = (events: TurnEvent[], most: number): TurnEvent[] =>
    events.length <= most
      ? events
      : events.sort((a, b) => a.place.offset - b.place.offset).slice(-TURN_EVENTS_HELD)
  return {
    add(place, kind, facts) {
      if (
        !TURN_KINDS.has(kind) &&
        !facts.ended &&
        !facts.hookStop &&
        !facts.said &&
        !facts.apiError &&
        !facts.interruption
      )
        return
      const events = held.get(place.stream) ?? []
      events.push({
        place,
        kind,
        command: kind === 'prompt' && /^\/[\w:-]+(?:\s|$)/.test(facts.prompt ?? ''),
        said: facts.said,
        apiError: facts.apiError,
        interruption: facts.interruption,
        hookStop: facts.hookStop,
        ended: facts.ended,
        callIds: facts.calls?.map((c) => c.callId) ?? [],
        resultIds: facts.results?.map((r) => r.callId) ?? [],
      })
      held.set(place.stream, trim(events, 2 * TURN_EVENTS_HELD))
    },
    read(channel, ownership, retracted) {
      return [...held]
        .filter(([stream]) => stream.channel === channel)
        .flatMap(([, events]) => trim(events, TURN_EVENTS_HELD))
        .filter(({ place }) => ownership.owns(place) && !retracted.has(place.identity))
        .sort((a, b) => inOrder(a.place, b.place))
    },
    channels: () =>
      [...new Set([...held.keys()].map((s) => s.channel))].sort((a, b) => channelRank(a) - channelRank(b)),
  }
}

/** The end of a run as one channel tells it. */
export interface Ending {
  channel: InputChannel
  /** Anything at all that the agent or a person did. */
  active: boolean
  lastAssistant: TurnEvent | null
  /** Last of prompt, result and interruption. */
  lastUser: TurnEvent | null
  lastCall: WorkedCall | null
  /** Calls of the last model message that have no result. */
  openCalls: WorkedCall[]
  /** The agent said something after its last call and result. */
  textAfterCalls: boolean
  /** The last prompt came after everything the agent did. */
  unanswered: boolean
  /** A stop hook that complained or held the run, after the last prompt. */
  hookStop: { place: Place; fact: NonNullable<EventFacts['hookStop']> } | null
  finalSaid: { place: Place; fact: NonNullable<EventFacts['said']> } | null
  ended: { place: Place; fact: NonNullable<EventFacts['ended']> } | null
  leftOpen: LeftOpen | null
  /** The agent or a person did something after the last end. */
  wentOn: boolean
}

const findLast = <T>(list: readonly T[], is: (one: T) => boolean): number => {
  for (let i = list.length - 1; i >= 0; i--) if (is(list[i]!)) return i
  return -1
}

const ASSISTANT: ReadonlySet<EventKind> = new Set(['text', 'thinking', 'call', 'api_error'])

const isAssistant = (e: TurnEvent): boolean =>
  ASSISTANT.has(e.kind) || e.apiError !== undefined || e.callIds.length > 0

/** A slash command that the agent never answered (`/exit`, `/model`) asked nothing of it: such commands at the end are no turn. */
const withoutLocalCommands = (all: readonly TurnEvent[]): TurnEvent[] => {
  const lastAnswer = findLast(all, isAssistant)
  return all.filter((e, i) => !e.command || i < lastAnswer)
}

/** Reads the end of a run from its last events (docs/sources/outcome.md). */
export function readEnding(
  channel: InputChannel,
  all: readonly TurnEvent[],
  calls: ReadonlyMap<string, WorkedCall>,
): Ending {
  const events = withoutLocalCommands(all)
  const lastAssistant = findLast(events, isAssistant)
  const lastPrompt = findLast(events, (e) => e.kind === 'prompt')
  const lastUser = findLast(
    events,
    (e) =>
      e.kind === 'prompt' || e.kind === 'result' || e.kind === 'interruption' || e.interruption !== undefined,
  )
  const lastCallAt = findLast(events, (e) => e.callIds.length > 0)
  const lastResult = findLast(events, (e) => e.resultIds.length > 0)
  const lastText = findLast(events, (e) => e.said !== undefined)
  const hookAt = findLast(
    events,
    (e) => e.hookStop !== undefined && (e.hookStop.errors.length > 0 || e.hookStop.prevented),
  )
  // A session that closes says nothing about the turn before it: the stop of that turn is what tells how it ended.
  const stoppedAt = findLast(events, (e) => e.ended !== undefined && e.ended.how !== 'SessionEnd')
  const lastEnd = findLast(events, (e) => e.ended !== undefined)
  const endedAt = stoppedAt > lastPrompt ? stoppedAt : lastEnd
  const lastCall = lastCallAt === -1 ? null : (calls.get(events[lastCallAt]!.callIds.at(-1)!) ?? null)
  const ofLastMessage = events
    .flatMap((e) => e.callIds)
    .flatMap((id) => calls.get(id) ?? [])
    .filter((a) => a === lastCall || (a.messageId !== null && a.messageId === lastCall?.messageId))
  const at = (i: number): TurnEvent | null => events[i] ?? null
  const fact = <K extends 'hookStop' | 'said' | 'ended'>(i: number, key: K) =>
    i === -1 ? null : { place: events[i]!.place, fact: events[i]![key] as NonNullable<TurnEvent[K]> }
  return {
    channel,
    active: lastAssistant !== -1 || lastUser !== -1 || endedAt !== -1,
    lastAssistant: at(lastAssistant),
    lastUser: at(lastUser),
    // A later prompt opens a new turn: what was open before it is the past.
    lastCall,
    openCalls: [...new Set(ofLastMessage)].filter((a) => a.state === 'no_result'),
    textAfterCalls: lastText > Math.max(lastCallAt, lastResult),
    unanswered: lastPrompt > Math.max(lastAssistant, lastResult),
    hookStop: hookAt > Math.max(lastPrompt, lastText) ? fact(hookAt, 'hookStop') : null,
    finalSaid: fact(lastText, 'said'),
    ended: fact(endedAt, 'ended'),
    leftOpen: leftOpen(events, calls),
    wentOn: Math.max(lastAssistant, lastUser) > lastEnd,
  }
}
