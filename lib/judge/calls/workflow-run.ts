import { isCancelled, terminalStateOf, type TerminalState } from '../../formats/noetl/terminal-state'
import type { HeldStream, Place } from './merge-streams'
import { readCalls, type WorkflowCalls } from './workflow-calls'
import type { HeldRow } from './workflow-commands'
import type { CommandFact, RunDocumentFact, RunProgress } from '../../model/workflow-facts'
import type { EventFacts } from '../../model/event-facts'

/** A run of a workflow engine, as its rows and documents tell it. */
export interface WorkflowRun extends WorkflowCalls {
  /** As its own server reads it, and by which rule. */
  terminal: TerminalState
  terminalRow: HeldRow | null
  /** A row says that it was cancelled, whatever others say. */
  cancelledRow: HeldRow | null
  /** All its rows are here, as far as its documents say how many there are. */
  complete: boolean
  /** Its newest row is here. */
  hasNewest: boolean
  held: number
  total: number | null
  /** What the newest document calls the run. */
  said: string | null
  /** Where it is, by the newest document that says so. */
  progress: RunProgress | null
  /** What each kind of document calls it, the newest of its kind. */
  saidBy: { form: RunDocumentFact['form']; status: string }[]
}

/** Collects the rows and documents of a run, in any order; a row that is on two pages is taken once. */
export function collectRun(): { add(place: Place, facts: EventFacts): void; read(): WorkflowRun | null } {
  const rows: HeldRow[] = []
  const commands: HeldCommand[] = []
  const documents: RunDocumentFact[] = []
  return {
    add(place, { row, command, document }) {
      if (row) rows.push({ place, row })
      if (command) commands.push({ place, command })
      if (document) documents.push(document)
    },
    read: () =>
      rows.length === 0 && documents.length === 0
        ? null
        : readRun(inOrder(rows), newestOf(commands), documents),
  }
}

interface HeldCommand {
  place: Place
  command: CommandFact
}

/** What the table of commands said last of each. */
function newestOf(held: readonly HeldCommand[]): CommandFact[] {
  const key = ({ place, command }: HeldCommand): string => `${command.changedAt ?? ''} ${placeKey(place)}`
  const byId = new Map<string, HeldCommand>()
  for (const one of held) {
    const known = byId.get(one.command.commandId)
    if (known === undefined || key(one) > key(known)) byId.set(one.command.commandId, one)
  }
  return [...byId.values()].map(({ command }) => command)
}

/** Each row once, in the order of the ids, with a place that says so: their bytes may be the other way round, or in several streams. */
function inOrder(rows: readonly HeldRow[]): HeldRow[] {
  const byId = new Map<string, HeldRow>()
  for (const held of rows) {
    const key = held.row.eventId ?? held.place.identity
    const known = byId.get(key)
    if (known === undefined || isBefore(held, known)) byId.set(key, held)
  }
  const idOf = ({ row }: HeldRow): bigint | null =>
    row.eventId !== null && /^-?\d+$/.test(row.eventId) ? BigInt(row.eventId) : null
  const sorted = [...byId.values()].sort((a, b) => {
    const [left, right] = [idOf(a), idOf(b)]
    if (left === null || right === null)
      return (
        Number(left === null) - Number(right === null) || (placeKey(a.place) < placeKey(b.place) ? -1 : 1)
      )
    return left < right ? -1 : left > right ? 1 : 0
  })
  const [first] = sorted
  if (!first) return []
  const stream: HeldStream = {
    ...first.place.stream,
    id: 'rows',
    identities: new Map(),
    startAt: first.place.at,
  }
  return sorted.map(({ place, row }, offset) => ({ row, place: { ...place, stream, offset } }))
}

/** Of two versions of a row that of the tables is used: it is nearer to the source and complete. Otherwise the longer one, which contains more. */
function isBefore(a: HeldRow, b: HeldRow): boolean {
  const [left, right] = [Number(isOfTables(a)), Number(isOfTables(b))]
  if (left !== right) return left > right
  const [more, less] = [lengthOf(a), lengthOf(b)]
  return more === less ? placeKey(a.place) < placeKey(b.place) : more > less
}

const lengthOf = ({ place }: HeldRow): number => place.keptEnd - place.keptStart

const isOfTables = ({ row }: HeldRow): boolean =>
  row.commandId !== undefined ||
  row.attempt !== undefined ||
  row.nodeType !== undefined ||
  row.workerId !== undefined

/** Does not depend on the order in which pages came. */
const placeKey = ({ received, keptStart }: Place): string =>
  `${received} ${String(keptStart).padStart(12, '0')}`

function readRun(
  rows: readonly HeldRow[],
  commands: readonly CommandFact[],
  documents: readonly RunDocumentFact[],
): WorkflowRun {
  const calls = readCalls(rows, commands)
  const plain = rows.map(({ row, place }) => ({
    event_id: row.eventId,
    event_type: row.type,
    node_name: row.node,
    status: row.status,
    created_at: place.at,
  }))
  const terminal = terminalStateOf(plain, calls.pending)
  const newestFirst = documents.toSorted(
    (a, b) => compare(b.rows.newest, a.rows.newest) || ((a.status ?? '') < (b.status ?? '') ? -1 : 1),
  )
  return {
    ...calls,
    terminal,
    terminalRow: rows[plain.findIndex((row) => Object.is(row, terminal.row))] ?? null,
    cancelledRow: isCancelled(plain) ? (rows.findLast(({ row }) => CANCELS.has(row.type)) ?? null) : null,
    ...completeness(rows, documents),
    held: rows.length,
    said: newestFirst.find(({ status }) => status !== null)?.status ?? null,
    progress: progressIn(newestFirst),
    saidBy: FORMS.flatMap((form) => statusesSaid(newestFirst.filter((one) => one.form === form))),
  }
}

/** Of documents that say where the run is the one that was asked for last counts, else the one that it ran the longest for. */
function progressIn(documents: readonly RunDocumentFact[]): RunProgress | null {
  const [last] = documents
    .filter(({ progress }) => progress !== undefined)
    .sort(
      (a, b) =>
        (b.asked ?? '').localeCompare(a.asked ?? '') ||
        (b.progress!.durationS ?? 0) - (a.progress!.durationS ?? 0),
    )
  return last?.progress ?? null
}

/** What documents of one form say last: one that reaches no further than another and says another status is no older, unless both say when they were asked for. */
function statusesSaid(newestFirst: readonly RunDocumentFact[]): WorkflowRun['saidBy'] {
  const lastAsked = newestFirst
    .flatMap(({ asked }) => asked ?? [])
    .sort()
    .at(-1)
  const standing = newestFirst.filter(({ asked }) => asked === undefined || asked === lastAsked)
  const saying = standing.flatMap(({ form, status, rows }) =>
    status === null ? [] : [{ form, status, newest: rows.newest }],
  )
  const last = saying.filter(({ newest }) => compare(newest, saying[0]!.newest) === 0)
  return [...new Map(last.map(({ form, status }) => [status, { form, status }])).values()]
}

const FORMS = ['list', 'detail', 'status', 'log'] as const
const CANCELS = new Set(['execution.cancelled', 'playbook.cancelled'])
const STARTS = /^(?:playbook|workflow)\.(?:initialized|started)$/

const numberOf = (id: string | null): bigint => (id !== null && /^-?\d+$/.test(id) ? BigInt(id) : -1n)
const compare = (a: string | null, b: string | null): number =>
  numberOf(a) < numberOf(b) ? -1 : numberOf(a) > numberOf(b) ? 1 : 0

/**
 * Whether all rows are here. A server that counts them says so on each page; one that does not gives its newest ones, so that its document
 * is whole when it reaches back to the start, itself or through others that it overlaps with.
 */
function completeness(
  rows: readonly HeldRow[],
  documents: readonly RunDocumentFact[],
): Pick<WorkflowRun, 'complete' | 'hasNewest' | 'total'> {
  const totals = documents.flatMap(({ total }) => total ?? [])
  const total = totals.length === 0 ? null : Math.max(...totals)
  const newest = documents.filter(({ rows: held, page }) => held.count > 0 && (page === null || page === 1))
  const last = rows.at(-1)?.row.eventId ?? null
  const hasNewest = last !== null && newest.some(({ rows: held }) => compare(held.newest, last) >= 0)
  const hasStart = rows.some(({ row }) => STARTS.test(row.type))
  if (!hasStart || newest.length === 0) return { complete: false, hasNewest, total }
  return { complete: total === null ? isConnected(newest) : rows.length >= total, hasNewest, total }
}

function isConnected(documents: readonly RunDocumentFact[]): boolean {
  const [first, ...rest] = documents.map(({ rows }) => rows).sort((a, b) => compare(a.oldest, b.oldest))
  let reach = first!.newest
  for (const { oldest, newest } of rest) {
    if (compare(oldest, reach) > 0) return false
    if (compare(newest, reach) > 0) reach = newest
  }
  return true
}
