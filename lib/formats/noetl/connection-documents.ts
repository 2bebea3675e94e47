import { runIdOf } from './dispatch-handle'
import { eventIdOf } from './event-row'
import { exactJsonText, isObject, member, type ExactJson } from '../../text/exact-json'
import { doubleOf, isNumber } from '../../text/exact-number'
import { idText } from '../claude/text'

export type NoetlDialect = 'python' | 'rust'

/** What the list of a server says of a run. */
export interface ListedRun {
  runId: string
  status: string | null
  /** ISO, as UTC where the server does not say. */
  startedAt: string | null
  /** Rows of its log, where the list counts them. */
  events: number | null
  /** All that the list says of it, as JSON. */
  entry: string
}

/** A page of the list; null when it is none. Entries without an id are passed over. */
export function readListPage(value: ExactJson): { runs: ListedRun[]; dialect: NoetlDialect | null } | null {
  if (!Array.isArray(value)) return null
  const runs = value.flatMap((entry): ListedRun[] => {
    const runId = runIdIn(entry)
    if (runId === null) return []
    return [
      {
        runId,
        status: textOf(member(entry, 'status')),
        startedAt: startOf(entry),
        events: countOf(member(entry, 'event_count')),
        entry: exactJsonText(entry),
      },
    ]
  })
  return { runs, dialect: dialectOf(value[0]) }
}

/** Whether a document is what the status endpoint says of this run, in either dialect. */
export const isStatusOf = (value: ExactJson, runId: string): boolean =>
  runIdIn(value) === runId &&
  (textOf(member(value, 'status')) !== null ||
    typeof member(value, 'completed') === 'boolean' ||
    typeof member(value, 'failed') === 'boolean')

/**
 * A document with the time at which it was asked for as its first member. Nothing in an entry of a list or a status says how old it is, and of two that say different
 * things the later one counts, in whatever order they come.
 *
 * @param document text of an object that has members
 * @param at ISO
 */
export const withAskedAt = (document: string, at: string): string =>
  document.replace('{', `{"asked_at":${JSON.stringify(at)},`)

/** What a page of one run says of how to go on. */
export interface RunPage {
  runId: string
  dialect: NoetlDialect | null
  status: string | null
  rows: number
  newest: bigint | null
  /** Rows that the question covers, on all pages; null where the server does not count them. */
  total: number | null
  hasNext: boolean
}

/** Null when the document is none of a run. */
export function readRunPage(value: ExactJson): RunPage | null {
  const runId = runIdIn(value)
  const rows = member(value, 'events')
  if (runId === null || !Array.isArray(rows)) return null
  const ids = rows.flatMap((row) => eventIdOf(row) ?? [])
  const pagination = member(value, 'pagination')
  return {
    runId,
    dialect: dialectOf(value),
    status: textOf(member(value, 'status')),
    rows: rows.length,
    newest: ids.length === 0 ? null : ids.reduce((best, id) => (id > best ? id : best)),
    total: countOf(member(pagination, 'total_events')),
    hasNext: member(pagination, 'has_next') === true,
  }
}

/** More is never sent of a run by the server that has no pages, and nothing in its document mentions the others. */
export const UNPAGED_ROWS_MAX = 2000

const ENDED = new Set(['COMPLETED', 'FAILED', 'CANCELLED', 'CANCELED', 'SUCCESS', 'SUCCEEDED', 'ERROR'])

/** Whether a run of this status is over, as far as its server says: one that tries a failed command again reads FAILED all the while. */
export const isEnded = (status: string | null): boolean => status !== null && ENDED.has(status.toUpperCase())

function runIdIn(value: ExactJson | undefined): string | null {
  const id = isObject(value) ? runIdOf(value)?.trim() : null
  return id != null && /^\d{1,20}$/.test(id) ? idText(id) : null
}

function dialectOf(value: ExactJson | undefined): NoetlDialect | null {
  if (!isObject(value)) return null
  return Object.hasOwn(value, 'started_at') ? 'rust' : Object.hasOwn(value, 'start_time') ? 'python' : null
}

const textOf = (value: ExactJson | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, 100) : null

function startOf(entry: ExactJson): string | null {
  const text = textOf(member(entry, 'start_time') ?? member(entry, 'started_at'))
  if (text === null) return null
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) || ms < 0 || ms > 253_402_300_799_999 ? null : new Date(ms).toISOString()
}

function countOf(value: ExactJson | undefined): number | null {
  const count = isNumber(value) ? doubleOf(value) : NaN
  return Number.isSafeInteger(count) && count >= 0 && count <= 2_147_483_647 ? count : null
}
