import type { InputChannel } from '../../model/normal-form'
import type { AnalysedEvent } from '../../model/summary'
import type { Pointer } from '../../model/execution'

/** What is remembered of one stream: which records it holds, and when it began. */
export interface HeldStream {
  id: string
  channel: InputChannel
  /** Identity of each record by its offset; the offset also tells a record that was added twice. Empty where no record can repeat. */
  identities: Map<number, string>
  records: number
  startAt: string | null
  startOffset: number
  lastAt: string | null
  /** Where a receipt is in its chain: many are of one second. */
  chain: { id: string; sequence: number } | null
}

/** Where an event stands, without its facts. */
export interface Place {
  stream: HeldStream
  offset: number
  identity: string
  at: string | null
  received: string
  keptStart: number
  keptEnd: number
}

/**
 * Precedence of channels for the facts of calls and for how a run ended (docs/sources/outcome.md). A transcript contains the whole
 * history, the output of one run only its own; a hook may be missing; a record tells of the process alone, and session logs
 * hold neither calls nor texts.
 */
const CHANNEL_RANK: Record<string, number> = { transcript: 0, stream: 1, hook: 2, record: 3, log: 4 }
export const channelRank = (channel: string): number => CHANNEL_RANK[channel] ?? 5

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** Times compare as text (ISO 8601, UTC, milliseconds); an unknown time comes last. */
const byTime = (a: string | null, b: string | null): number => byText(a ?? '~', b ?? '~')

const byChain = (a: HeldStream['chain'], b: HeldStream['chain']): number =>
  byText(a?.id ?? '', b?.id ?? '') || (a?.sequence ?? 0) - (b?.sequence ?? 0)

const byStart = (a: HeldStream, b: HeldStream): number =>
  byTime(a.startAt, b.startAt) || byChain(a.chain, b.chain) || byText(a.id, b.id)

/** The order of the events of an execution: streams by their first time, then (receipts) by their place in their chain, then id; inside a stream by offset. */
export const inOrder = (a: Place, b: Place): number =>
  a.stream === b.stream ? a.offset - b.offset : byStart(a.stream, b.stream)

/** Same, but channels of higher precedence first. */
export const inPrecedence = (a: Place, b: Place): number =>
  channelRank(a.stream.channel) - channelRank(b.stream.channel) || inOrder(a, b)

/**
 * Notes an event; null when this very record (stream and offset) is here already.
 *
 * @param mayRepeat false: each record comes once, and all from one stream, so that nothing need be held to tell repeats
 */
export function holdRecord(
  streams: Map<string, HeldStream>,
  e: AnalysedEvent,
  mayRepeat: boolean,
): Place | null {
  let stream = streams.get(e.streamId)
  if (!stream) {
    const { chainId = null, sequence = null } = e.facts.receipt ?? {}
    const chain = chainId === null ? null : { id: chainId, sequence: sequence ?? Number.MAX_SAFE_INTEGER }
    stream = {
      id: e.streamId,
      channel: e.channel,
      identities: new Map(),
      records: 0,
      startAt: null,
      startOffset: Infinity,
      lastAt: null,
      chain,
    }
    streams.set(e.streamId, stream)
  }
  if (stream.identities.has(e.offset)) return null
  // A list of pages is one stream, and a row is on two of them.
  if (mayRepeat || e.channel === 'rows') stream.identities.set(e.offset, e.identity)
  stream.records++
  if (e.at !== null) {
    if (e.offset < stream.startOffset) {
      stream.startAt = e.at
      stream.startOffset = e.offset
    }
    if (stream.lastAt === null || e.at > stream.lastAt) stream.lastAt = e.at
  }
  return {
    stream,
    offset: e.offset,
    identity: e.identity,
    at: e.at,
    received: e.received,
    keptStart: e.keptStart,
    keptEnd: e.keptEnd,
  }
}

/** Whether a record counts, or repeats a record of another stream. */
export interface Ownership {
  records: number
  owns(place: Place): boolean
}

/**
 * A record that several streams hold (same identity) belongs to the first of them in precedence and counts once; two records with one
 * identity inside a stream both count, because there the producer wrote it twice. Rows of an engine count once wherever they are.
 */
export function findOwners(streams: Iterable<HeldStream>): Ownership {
  const ordered = [...streams].sort(
    (a, b) => channelRank(a.channel) - channelRank(b.channel) || byStart(a, b),
  )
  const [only] = ordered
  if (ordered.length === 1 && only!.channel !== 'rows') return { records: only!.records, owns: () => true }
  const repeated = new Map<HeldStream, Set<string>>()
  const seen = new Set<string>()
  let records = 0
  for (const stream of ordered) {
    const again = new Set<string>()
    for (const identity of stream.identities.values()) {
      if (seen.has(identity)) again.add(identity)
      else records++
      if (stream.channel === 'rows') seen.add(identity)
    }
    repeated.set(stream, again)
    for (const identity of stream.identities.values()) seen.add(identity)
  }
  return { records, owns: (place) => !repeated.get(place.stream)!.has(place.identity) }
}

export const pointerTo = (
  place: Place,
  span: { start: number; end: number; jsonPointer?: string },
): Pointer => ({
  received: place.received,
  byteStart: place.keptStart + span.start,
  byteEnd: place.keptStart + span.end,
  ...(span.jsonPointer === undefined ? {} : { jsonPointer: span.jsonPointer }),
})
