import { headOf, jsonAnswer, wholeNumber, type DialectAnswers } from './answers'
import { digits, digitsOrNull, type Json } from './json'
import { rowAt, type Losses } from './losses'
import { stateOf } from './run-state'
import { behind, lastIndexOf, sliceRows, type NoetlEvent, type NoetlRun } from './runs'

/** At most the newest so many rows of a run are sent, and nothing in the document tells of the others. */
export const RUST_ROWS_MAX = 2000
const LIST_ROWS_MAX = 100

/**
 * The documents of the Rust server: all ids are numbers, rows come oldest first, there are no pages of rows and no events of their own.
 * The list is an array with `limit` and `offset`; its headers tell whether there may be more.
 */
export const rust: DialectAnswers = {
  list({ runs, query, losses }) {
    const limit = wholeNumber(query, 'limit', { unless: 50, min: 1, max: 1e9 })
    const offset = wholeNumber(query, 'offset', { unless: 0, min: 0, max: 1e9 })
    if (limit === undefined || offset === undefined)
      return rust.failure(400, 'limit and offset are whole numbers')
    const applied = Math.min(limit, losses.pageSizeCap ?? LIST_ROWS_MAX, LIST_ROWS_MAX)
    const page = losses.stuckPages ? runs.slice(0, applied) : runs.slice(offset, offset + applied)
    return jsonAnswer(
      200,
      page.map((run) => summary(behind(run, losses.listLag ?? 0))),
      {
        losses,
        headers: {
          'x-noetl-limit-applied': String(applied),
          ...(limit > applied ? { 'x-noetl-limit-capped': 'true' } : {}),
          'x-noetl-has-more': String(losses.stuckPages ?? page.length === applied),
        },
      },
    )
  },
  one(route, run, question) {
    if (route === 'detail') return jsonAnswer(200, detail(run, question.losses), question)
    if (route === 'status') return jsonAnswer(200, status(run), question)
    if (route === 'events') return null
    return jsonAnswer(
      200,
      { execution_id: digits(run.executionId), is_cancelled: isCancelled(run) },
      question,
    )
  },
  failure: (code, message) => jsonAnswer(code, { error: message }),
}

function common(run: NoetlRun): Record<string, Json> {
  const { status, startTime, endTime } = stateOf(run)
  return {
    execution_id: digits(run.executionId),
    catalog_id: digits(run.catalogId),
    path: run.path,
    status,
    started_at: zoned(startTime),
    completed_at: zoned(endTime),
  }
}

/** This server says the zone of a run's times. */
const zoned = (time: string | null): string | null =>
  time === null || /(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`

const summary = (run: NoetlRun): Json => ({
  ...headOf(run, 'rust', common(run)),
  event_count: run.events.count,
})

function detail(run: NoetlRun, losses: Losses): Json {
  const { events } = run
  const rows = Math.min(RUST_ROWS_MAX, losses.pageCap ?? RUST_ROWS_MAX)
  return {
    ...headOf(run, 'rust', {
      ...common(run),
      parent_execution_id: digitsOrNull(run.parentExecutionId),
      workload: run.workload,
    }),
    events: sliceRows(events, events.count - rows, events.count).map((event) => row(event, run, losses)),
  }
}

const row = (event: NoetlEvent, run: NoetlRun, losses: Losses): Json => ({
  event_id: digits(event.eventId),
  event_type: event.eventType,
  node_name: event.nodeName,
  status: event.status,
  created_at: event.createdAt,
  result: rowAt('api', event, run, losses).result ?? null,
  error: event.error ?? null,
})

const isCancelled = ({ events }: NoetlRun): boolean =>
  lastIndexOf(events, ({ eventType }) => /^(?:execution|playbook)[._]cancelled$/.test(eventType)) !== -1

function status(run: NoetlRun): Json {
  const { status: word } = stateOf(run)
  const [entered, left, failed] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (let i = 0; i < run.events.count; i++) {
    const { eventType, nodeName } = run.events.at(i)
    if (nodeName === null) continue
    if (eventType === 'command.issued') entered.add(nodeName)
    else if (eventType === 'command.completed') left.add(nodeName)
    else if (eventType === 'command.failed') failed.add(nodeName)
  }
  const isOpen = (name: string) => !left.has(name) && !failed.has(name)
  return {
    execution_id: digits(run.executionId),
    status: word,
    current_step: [...entered].findLast(isOpen) ?? [...entered].at(-1) ?? null,
    progress: {
      total_steps: entered.size,
      completed_steps: left.size,
      running_steps: word === 'RUNNING' ? [...entered].filter(isOpen).length : 0,
      failed_steps: failed.size,
    },
    is_cancelled: isCancelled(run),
  }
}
