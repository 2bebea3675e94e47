import type { CallItem, EventItem } from '@/lib/api/schemas'
import type { Stretch } from './time-scale'

/**
 * The timeline as a tree of three levels: turns (a prompt and what followed it), the calls and remarkable records of each turn,
 * and the calls of a child execution under the call that started it. Everything that is drawn is a row.
 */
export type TimelineRow =
  | {
      kind: 'turn'
      key: string
      level: 1
      event: EventItem | null /** The run has prompts. */
      prompted: boolean
      open: boolean
      calls: number
      failed: number
      stretch: Stretch | null
    }
  | {
      kind: 'call'
      key: string
      level: number
      call: CallItem
      executionId: string | null
      open: boolean | null
      stretch: Stretch | null
    }
  | { kind: 'note'; key: string; level: 2; event: EventItem; stretch: Stretch | null }

export interface Turn {
  key: string
  event: EventItem | null
  entries: Entry[]
  /** Quiet records that are left out. */ quiet: number
}
type Entry = { call: CallItem } | { note: EventItem }

/** Records that say little by themselves; shown only when every record is asked for. */
const QUIET = new Set(['thinking', 'progress', 'meta', 'result'])

/** Groups records into turns and joins calls with their results. Calls that no record mentions (yet) end up in the last turn. */
export function buildTurns(
  events: readonly EventItem[],
  calls: readonly CallItem[],
  everything: boolean,
): Turn[] {
  const byId = new Map(calls.map((call) => [call.callId, call]))
  const byPlace = new Map(
    calls.flatMap((call) => (call.callPointer === null ? [] : [[placeOf(call.callPointer), call] as const])),
  )
  const placed = new Set<string>()
  const turns: Turn[] = []
  const current = (): Turn => {
    if (turns.length === 0) turns.push({ key: 'start', event: null, entries: [], quiet: 0 })
    return turns.at(-1)!
  }
  for (const event of rowsOnce(events, (event) => byPlace.has(placeOf(event.pointer)))) {
    if (event.kind === 'prompt') {
      turns.push({ key: `turn ${event.streamId} ${event.offset}`, event, entries: [], quiet: 0 })
      continue
    }
    // Rows of an engine name no call: the row that a call begins with is known by its place.
    const begun =
      event.kind === 'call' && event.callIds.length === 0 ? byPlace.get(placeOf(event.pointer)) : undefined
    const mentioned = begun ? [begun] : event.callIds.flatMap((id) => byId.get(id) ?? [])
    const calls = mentioned.filter(({ callId }) => !placed.has(callId))
    for (const call of calls) {
      placed.add(call.callId)
      current().entries.push({ call })
    }
    // A record that contains a call is drawn as that call; a result without its call is all there is of it.
    const lost = event.kind === 'result' && event.resultCallIds.some((id) => !byId.has(id))
    if (calls.length > 0 && !everything) continue
    if (everything || lost || event.oddReason !== null || !(QUIET.has(event.kind) || event.kind === 'call'))
      current().entries.push({ note: event })
    else current().quiet += 1
  }
  const rest = calls.filter((call) => !placed.has(call.callId))
  if (rest.length > 0) current().entries.push(...rest.map((call) => ({ call })))
  return turns
}

/** Rows of an engine, which can come by its API and by its tables, once each and in the order of their ids; of two versions the one that starts a call is used. */
function rowsOnce(
  events: readonly EventItem[],
  beginsCall: (event: EventItem) => boolean,
): readonly EventItem[] {
  const rows = new Map<string, EventItem>()
  for (const event of events)
    if (event.rowId !== null && (!rows.has(event.rowId) || beginsCall(event))) rows.set(event.rowId, event)
  if (rows.size === 0) return events
  const order = [...rows]
    .map(([id, event]) => ({ id: /^-?\d+$/.test(id) ? BigInt(id) : 0n, event }))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  return [...events.filter(({ rowId }) => rowId === null), ...order.map(({ event }) => event)]
}

const placeOf = ({ received, byteStart }: { received: string; byteStart: number }): string =>
  `${received} ${byteStart}`

/** What is to be seen, given what is open. `children` holds the calls of child executions that were opened and read. */
export function timelineRows(
  turns: readonly Turn[],
  closed: ReadonlySet<string>,
  openChildren: ReadonlySet<string>,
  children: ReadonlyMap<string, readonly CallItem[]>,
): TimelineRow[] {
  const rows: TimelineRow[] = []
  const addCall = (
    call: CallItem,
    level: number,
    executionId: string | null,
    above: readonly string[],
  ): void => {
    // An execution that names itself as its own child must not open for ever.
    const child = call.childId !== null && !above.includes(call.childId) ? call.childId : null
    const open = child === null ? null : openChildren.has(child)
    rows.push({
      kind: 'call',
      key: `call ${executionId ?? ''} ${call.callId}`,
      level,
      call,
      executionId,
      open,
      stretch: stretchOf(call),
    })
    if (open && child !== null)
      for (const inner of children.get(child) ?? []) addCall(inner, level + 1, child, [...above, child])
  }
  for (const turn of turns) {
    // What comes before the first prompt is only worth a line when something happened there.
    if (turn.event === null && turn.entries.length === 0) continue
    const calls = turn.entries.flatMap((entry) => ('call' in entry ? [entry.call] : []))
    const open = !closed.has(turn.key)
    rows.push({
      kind: 'turn',
      key: turn.key,
      level: 1,
      event: turn.event,
      prompted: turns.some(({ event }) => event !== null),
      open,
      calls: calls.length,
      failed: calls.filter((call) => call.state === 'failed').length,
      stretch: turnStretch(turn),
    })
    if (!open) continue
    for (const entry of turn.entries) {
      if ('call' in entry) addCall(entry.call, 2, null, [])
      else
        rows.push({
          kind: 'note',
          key: `note ${entry.note.streamId} ${entry.note.offset}`,
          level: 2,
          event: entry.note,
          stretch: momentOf(entry.note.at),
        })
    }
  }
  return rows
}

export function stretchOf(attempt: Pick<CallItem, 'startedAt' | 'endedAt' | 'durationMs'>): Stretch | null {
  const start = momentOf(attempt.startedAt)
  if (!start) return momentOf(attempt.endedAt)
  const end = attempt.endedAt === null ? start.from + (attempt.durationMs ?? 0) : Date.parse(attempt.endedAt)
  return { from: start.from, to: Number.isNaN(end) ? start.from : Math.max(start.from, end) }
}

const momentOf = (at: string | null): Stretch | null => {
  const ms = at === null ? NaN : Date.parse(at)
  return Number.isNaN(ms) ? null : { from: ms, to: ms }
}

function turnStretch(turn: Turn): Stretch | null {
  const all = [
    momentOf(turn.event?.at ?? null),
    ...turn.entries.map((e) => ('call' in e ? stretchOf(e.call) : momentOf(e.note.at))),
  ].filter((s) => s !== null)
  return all.length === 0
    ? null
    : { from: Math.min(...all.map((s) => s.from)), to: Math.max(...all.map((s) => s.to)) }
}
