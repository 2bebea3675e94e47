import { headOf, jsonAnswer, wholeNumber, type Answer, type DialectAnswers, type Question } from './answers'
import { digits, readJson, type Json } from './json'
import { rowAt, type Losses } from './losses'
import { endOf, stateOf } from './run-state'
import { behind, lastIndexOf, sliceRows, type NoetlEvent, type NoetlRun } from './runs'

/** The documents of the Python server: ids are texts, except those of rows; rows come newest first, in pages. */
export const python: DialectAnswers = {
  list({ runs, query, losses }) {
    const page = wholeNumber(query, 'page', { unless: 1, min: 1, max: 1e9 })
    const pageSize = wholeNumber(query, 'page_size', { unless: 100, min: 1, max: 200 })
    if (page === undefined || pageSize === undefined) return invalid('page or page_size')
    const from = losses.stuckPages ? 0 : (page - 1) * pageSize
    if (from > LIST_OFFSET_MAX) return invalid('page')
    const rows = Math.min(pageSize, losses.pageSizeCap ?? pageSize)
    return jsonAnswer(
      200,
      runs.slice(from, from + rows).map((run) => head(behind(run, losses.listLag ?? 0))),
      { losses },
    )
  },
  one(route, run, question) {
    if (route === 'detail') return detail(run, question)
    if (route === 'events') return events(run, question)
    return route === 'status'
      ? jsonAnswer(200, run.recordedStatus ?? status(run), question)
      : cancellationCheck(run)
  },
  failure: (code, message) => jsonAnswer(code, { detail: message }),
}

const LIST_OFFSET_MAX = 5000

const invalid = (field: string): Answer =>
  jsonAnswer(422, {
    detail: [{ type: 'value_error', loc: ['query', field], msg: 'Input should be within its bounds' }],
  })

function head(run: NoetlRun): Record<string, Json> {
  const { status, startTime, endTime, durationSeconds, decidedBy, newest } = stateOf(run)
  return headOf(run, 'python', {
    execution_id: run.executionId,
    catalog_id: run.catalogId,
    path: run.path,
    version: run.version,
    status,
    start_time: startTime,
    end_time: endTime,
    duration_seconds: durationSeconds,
    duration_human: durationSeconds === null ? null : humanDuration(durationSeconds),
    progress: status === 'RUNNING' ? 0 : 100,
    result: null,
    error: (decidedBy ?? newest)?.error ?? null,
    parent_execution_id: run.parentExecutionId,
  })
}

function humanDuration(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'm'],
    [whole % 60, 's'],
  ] as const
  return (
    parts
      .filter(([n]) => n > 0)
      .map(([n, unit]) => `${n}${unit}`)
      .join(' ') || '0s'
  )
}

function detail(run: NoetlRun, question: Question): Answer {
  const page = pageOf(run, question)
  if (page === undefined) return invalid('page, page_size or since_event_id')
  const included = question.query.get('include_events') !== 'false'
  return jsonAnswer(
    200,
    {
      ...head(run),
      events: included ? page.events : [],
      events_included: included,
      events_endpoint: `/api/executions/${run.executionId}/events`,
      pagination: page.pagination,
    },
    question,
  )
}

function events(run: NoetlRun, question: Question): Answer {
  const page = pageOf(run, question)
  if (page === undefined) return invalid('page, page_size or since_event_id')
  return jsonAnswer(200, { execution_id: run.executionId, ...page }, question)
}

/** One page of the rows. The total counts what the filters leave, and what a cap of pages hides. */
function pageOf(
  run: NoetlRun,
  { query, losses }: Question,
): { events: Json[]; pagination: Record<string, Json> } | undefined {
  const wanted = wholeNumber(query, 'page', { unless: 1, min: 1, max: 1e9 })
  const page = losses.stuckPages && wanted !== undefined ? 1 : wanted
  const asked = wholeNumber(query, 'page_size', { unless: 100, min: 10, max: 500 })
  const since = query.get('since_event_id')
  if (page === undefined || asked === undefined || (since !== null && !/^\d{1,20}$/.test(since)))
    return undefined
  const pageSize = Math.min(asked, losses.pageSizeCap ?? asked)
  const type = query.get('event_type')
  const { total, newestFirst } = filtered(run, since === null ? null : BigInt(since), type)
  const reachable = Math.min(total, losses.pageCap ?? total)
  const from = (page - 1) * pageSize
  const to = Math.min(page * pageSize, reachable)
  return {
    events: newestFirst(from, to).map((event) => row(event, run, losses)),
    pagination: {
      page,
      page_size: pageSize,
      total_events: total,
      total_pages: Math.max(1, Math.ceil(total / pageSize)),
      has_next: losses.stuckPages ?? page * pageSize < reachable,
      has_prev: page > 1,
    },
  }
}

function filtered({ events: rows }: NoetlRun, since: bigint | null, type: string | null) {
  if (since === null && type === null) {
    return {
      total: rows.count,
      newestFirst: (from: number, to: number) =>
        sliceRows(rows, rows.count - to, rows.count - from).toReversed(),
    }
  }
  const kept: NoetlEvent[] = []
  for (let i = rows.count - 1; i >= 0; i--) {
    const event = rows.at(i)
    if ((since === null || BigInt(event.eventId) > since) && (type === null || event.eventType === type))
      kept.push(event)
  }
  return { total: kept.length, newestFirst: (from: number, to: number) => kept.slice(from, to) }
}

function row(event: NoetlEvent, run: NoetlRun, losses: Losses): Json {
  const { result, context } = rowAt('api', event, run, losses)
  return {
    execution_id: run.executionId,
    event_id: digits(event.eventId),
    event_type: event.eventType,
    node_id: event.nodeId ?? event.nodeName,
    node_name: event.nodeName,
    status: event.status,
    created_at: event.createdAt,
    timestamp: event.createdAt,
    context: parsedText(context ?? null),
    result: parsedText(result ?? null),
    error: event.error ?? null,
    catalog_id: event.catalogId ?? run.catalogId,
    parent_execution_id: event.parentExecutionId ?? null,
    parent_event_id: event.parentEventId ?? null,
    duration: event.duration ?? 0,
  }
}

/** This server parses a column that holds JSON as text. What is text further within stays text. */
function parsedText(value: Json): Json {
  if (typeof value !== 'string') return value
  try {
    return readJson(value)
  } catch {
    return value
  }
}

function status(run: NoetlRun): Json {
  const { failed, completed, inferred } = endOf(run)
  const { startTime, endTime, durationSeconds } = stateOf(run)
  const steps = stepsOf(run)
  return {
    execution_id: run.executionId,
    current_step: steps.at(-1)?.name ?? null,
    completed_steps: steps.filter(({ done }) => done).map(({ name }) => name),
    failed,
    completed,
    completion_inferred: inferred,
    variables: run.variables ?? {},
    start_time: startTime,
    end_time: endTime,
    duration_seconds: durationSeconds,
    duration_human: durationSeconds === null ? null : humanDuration(durationSeconds),
  }
}

/** The steps of a run in the order in which they began. */
function stepsOf({ path, events: rows }: NoetlRun): { name: string; done: boolean }[] {
  const done = new Map<string, boolean>()
  for (let i = 0; i < rows.count; i++) {
    const { nodeName, eventType } = rows.at(i)
    if (nodeName === null || nodeName === path || eventType.startsWith('execution.')) continue
    done.set(
      nodeName,
      done.get(nodeName) === true || eventType === 'step.exit' || eventType === 'command.completed',
    )
  }
  return [...done].map(([name, isDone]) => ({ name, done: isDone }))
}

/** Completed and failed are those of the newest row, cancelled is that of any. */
function cancellationCheck(run: NoetlRun): Answer {
  const newest = run.events.at(run.events.count - 1).eventType
  const cancelled = lastIndexOf(run.events, ({ eventType }) => eventType === 'execution.cancelled') !== -1
  return jsonAnswer(200, {
    execution_id: run.executionId,
    status: stateOf(run).status,
    event_type: newest,
    cancelled,
    completed: newest === 'playbook.completed' || newest === 'workflow.completed',
    failed: /^(?:playbook|workflow|command)\.failed$/.test(newest),
  })
}
