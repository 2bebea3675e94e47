import { eventIdOf } from './event-row'
import { member, type ExactJson, type ExactObject } from '../../text/exact-json'
import { doubleOf, isNumber, numberText } from '../../text/exact-number'
import { unknownType, type RecordContent } from '../claude/draft'
import { spanOf, wholeSpan } from '../claude/span'
import { idText } from '../claude/text'
import { capText } from '../../text/cap-text'
import { aboutOf, textOf } from './read-row'
import type { LineInput } from '../../model/adapter'
import type { RunDocumentFact } from '../../model/workflow-facts'

/** What a document says of its run beside the rows in it. It never decides: two endpoints of one server can disagree about a run. */
export function readDocument(
  document: ExactObject,
  line: LineInput,
): { content: RecordContent; type: string } {
  const events = member(document, 'events')
  const has = (key: string): boolean => Object.hasOwn(document, key)
  if (!Array.isArray(events) && !has('status') && !has('completed') && !has('path')) {
    const keys = Object.keys(document).slice(0, 6)
    const content = unknownType('document', { id: 'unknown_record', params: { what: 'document', keys } })
    return { content, type: 'document' }
  }
  const dialect = has('started_at') ? 'rust' : has('start_time') ? 'python' : 'other'
  const ids = (Array.isArray(events) ? events : []).flatMap((row) => eventIdOf(row) ?? [])
  const pagination = member(document, 'pagination')
  const path = textOf(member(document, 'path'), 1_000)
  const status = textOf(member(document, 'status'), 100) ?? statusOf(document)
  const about = aboutOf(member(document, 'workload'))
  const fact: RunDocumentFact = {
    dialect,
    form: formOf(document),
    status,
    path,
    rows: {
      count: Array.isArray(events) ? events.length : 0,
      oldest: pick(ids, (a, b) => a < b),
      newest: pick(ids, (a, b) => a > b),
    },
    total: countOf(member(pagination, 'total_events')),
    page: countOf(member(pagination, 'page')),
    ...(about === null ? {} : { about }),
    ...askedOf(document),
    ...progressOf(document),
    span: has('status') ? spanOf(line, ['status']) : wholeSpan(line),
  }
  const content: RecordContent = { kind: 'meta', summary: summaryOf(fact), facts: { document: fact } }
  if (path !== null) content.facts.title = capText(path, 300)
  const version = member(document, 'version')
  if (isNumber(version)) content.facts.version = capText(numberText(version), 40)
  return { content, type: 'execution' }
}

/** When a poll asked for it: nothing else in a list or a status says how old it is. */
function askedOf(document: ExactObject): Pick<RunDocumentFact, 'asked'> {
  const ms = Date.parse(textOf(member(document, 'asked_at'), 40) ?? '')
  return Number.isNaN(ms) ? {} : { asked: new Date(ms).toISOString() }
}

function formOf(document: ExactObject): RunDocumentFact['form'] {
  const has = (key: string): boolean => Object.hasOwn(document, key)
  if (Array.isArray(member(document, 'events')) || has('events_included')) return 'detail'
  return has('completed') || has('failed') ? 'status' : 'list'
}

/** Where a run is that has not ended, or where it ended. */
function progressOf(document: ExactObject): Pick<RunDocumentFact, 'progress'> {
  if (formOf(document) !== 'status') return {}
  const step = textOf(member(document, 'current_step'), 200)
  const ms = Date.parse(textOf(member(document, 'start_time'), 40) ?? '')
  const duration = member(document, 'duration_seconds')
  const seconds = isNumber(duration) ? doubleOf(duration) : NaN
  const startedAt = Number.isNaN(ms) ? null : new Date(ms).toISOString()
  const durationS = Number.isFinite(seconds) && seconds >= 0 ? seconds : null
  return step === null && startedAt === null && durationS === null
    ? {}
    : { progress: { step, startedAt, durationS } }
}

/** What a status document says in two flags. */
const statusOf = (document: ExactObject): string | null =>
  member(document, 'failed') === true ? 'FAILED' : member(document, 'completed') === true ? 'COMPLETED' : null

const pick = (ids: readonly bigint[], isBetter: (a: bigint, b: bigint) => boolean): string | null => {
  if (ids.length === 0) return null
  return idText(String(ids.reduce((best, id) => (isBetter(id, best) ? id : best))))
}

/** A count that can be counted with; null for what is none. */
export const countOf = (value: ExactJson | undefined): number | null => {
  const count = isNumber(value) ? doubleOf(value) : NaN
  return Number.isSafeInteger(count) && count >= 0 ? count : null
}

function summaryOf({ path, status, rows, total }: RunDocumentFact): string {
  const of = total === null || total === rows.count ? '' : ` of ${total}`
  return `Execution ${path ?? ''} ${status ?? 'without a status'}: ${rows.count}${of} rows`
}
