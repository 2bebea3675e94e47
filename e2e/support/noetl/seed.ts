import { buildRun, longRun, snowflake, stepRows, type StepPlan } from './build-run'
import type { JsonObject } from './json'
import type { NoetlRun } from './runs'

const DAY = '2026-05-06'
const at = (time: string): string => `${DAY}T${time}Z`
const id = (time: string, sequence: number): string => snowflake(at(time), sequence)

/** Where the runs of the seed are. */
export const SEED = {
  parent: id('07:15:00', 1000),
  failedChild: id('07:15:01', 2000),
  diagnosis: id('07:15:05', 3000),
  parentOfCancelled: id('07:40:00', 4000),
  cancelledChild: id('07:40:01', 5000),
  rows501: id('08:00:00', 6000),
  everyId: id('08:10:00', 7000),
  largeContext: id('08:20:00', 8000),
  retrying: id('08:30:00', 9000),
} as const

/** A step that runs another playbook: what it replied is what its rows hold. */
const agentRows = (step: Omit<StepPlan, 'kind' | 'context'> & { reply: JsonObject }) =>
  stepRows({ ...step, kind: 'agent', context: step.reply })

const TROUBLESHOOTER = 'automation/agents/troubleshoot/diagnose_execution'

/** What the diagnosis run keeps, and what the failed agent's envelope carries beside `_meta`. */
export const SEED_DIAGNOSIS = {
  execution_id: SEED.failedChild,
  category: 'bad_request',
  confidence: 0.82,
  root_cause: 'The ledger refused entry 4711: field "currency" is missing.',
  suggested_action: 'Add the currency to the mapping of the step post_entries, then run the month again.',
  source: 'ollama',
  escalated: false,
  model: 'gemma3:4b',
} as const satisfies JsonObject

/** The reply of the agent step whose child failed: a failure that is data, its diagnosis attached. */
const failedEnvelope: JsonObject = {
  status: 'error',
  framework: 'noetl',
  entrypoint: 'stand-in/ledger/reconcile',
  data: {
    execution_id: SEED.failedChild,
    current_step: 'post_entries',
    failed: true,
    completed: false,
    completion_inferred: false,
  },
  execution_id: SEED.failedChild,
  duration: 0.044,
  error: {
    kind: 'agent.execution',
    code: 'PLAYBOOK_FAILED',
    message: 'sub-playbook returned non-success status',
    retryable: false,
    diagnosis: {
      ...SEED_DIAGNOSIS,
      _meta: {
        diagnosis_fetch: { poll_count: 3, elapsed_seconds: 4.037, deadline_seconds: 60, hit_deadline: false },
      },
    },
  },
}

/** The whole run reads COMPLETED, in its rows too: only the context of its agent step says that the agent failed. */
const parent = buildRun({
  path: 'stand-in/billing/close_month',
  startedAt: at('07:15:00'),
  sequence: 1,
  workload: { month: '2026-04' },
  version: 3,
  diagnosisExecutionId: SEED.diagnosis,
  rows: [
    ...agentRows({
      at: 200,
      ms: 9000,
      name: 'reconcile_ledger',
      commandId: id('07:15:00', 90),
      reply: failedEnvelope,
    }),
    ...stepRows({
      at: 9400,
      ms: 300,
      name: 'note_outcome',
      commandId: id('07:15:09', 91),
      context: { status: 'ok', noted: true },
    }),
    {
      at: 9800,
      eventType: 'playbook.completed',
      nodeName: 'stand-in/billing/close_month',
      result: { status: 'COMPLETED' },
    },
  ],
})

const REFUSED = 'HTTP 400 from https://ledger.example/v1/entries: field "currency" is missing in entry 4711'

const failedChild = buildRun({
  path: 'stand-in/ledger/reconcile',
  startedAt: at('07:15:01'),
  sequence: 2,
  parentExecutionId: SEED.parent,
  workload: { month: '2026-04' },
  rows: [
    ...stepRows({
      at: 100,
      ms: 700,
      name: 'read_entries',
      commandId: id('07:15:01', 92),
      context: { status: 'ok', entries: 212 },
    }),
    ...stepRows({
      at: 900,
      ms: 1200,
      name: 'post_entries',
      commandId: id('07:15:01', 93),
      context: { status: 'error' },
      error: REFUSED,
    }),
    {
      at: 2200,
      eventType: 'playbook.failed',
      nodeName: 'stand-in/ledger/reconcile',
      result: { status: 'FAILED' },
      error: REFUSED,
    },
  ],
})

/** A sibling of the run that it diagnoses, which its input names. */
const diagnosis = buildRun({
  path: TROUBLESHOOTER,
  startedAt: at('07:15:05'),
  sequence: 3,
  parentExecutionId: SEED.parent,
  workload: { execution_id: SEED.failedChild, escalate_to: 'none', triage_model: 'gemma3:4b' },
  rows: [
    ...stepRows({
      at: 100,
      ms: 3200,
      name: 'triage',
      commandId: id('07:15:05', 94),
      context: { status: 'ok', confidence: 0.82 },
    }),
    ...stepRows({
      at: 3400,
      ms: 50,
      name: 'persist_diagnosis',
      commandId: id('07:15:08', 95),
      context: { status: 'ok', diagnosis: SEED_DIAGNOSIS },
    }),
    { at: 3600, eventType: 'playbook.completed', nodeName: TROUBLESHOOTER, result: { status: 'COMPLETED' } },
  ],
})

/** The envelope says ok: for the status endpoint a cancelled run is a completed one. */
const okEnvelope: JsonObject = {
  status: 'ok',
  framework: 'noetl',
  entrypoint: 'stand-in/support/draft_reply',
  data: { drafted: 2 },
  duration: 0.029,
  execution_id: SEED.cancelledChild,
}

const parentOfCancelled = buildRun({
  path: 'stand-in/support/answer_tickets',
  startedAt: at('07:40:00'),
  sequence: 4,
  rows: [
    ...agentRows({
      at: 150,
      ms: 6000,
      name: 'draft_reply',
      commandId: id('07:40:00', 96),
      reply: okEnvelope,
    }),
    {
      at: 6300,
      eventType: 'playbook.completed',
      nodeName: 'stand-in/support/answer_tickets',
      result: { status: 'COMPLETED' },
    },
  ],
})

const cancelledChild = buildRun({
  path: 'stand-in/support/draft_reply',
  startedAt: at('07:40:01'),
  sequence: 5,
  parentExecutionId: SEED.parentOfCancelled,
  withoutZone: true,
  rows: [
    ...stepRows({
      at: 100,
      ms: 900,
      name: 'read_ticket',
      commandId: id('07:40:01', 97),
      context: { status: 'ok', drafted: 2 },
    }),
    {
      at: 4000,
      eventType: 'execution.cancelled',
      nodeName: 'cancel',
      meta: { reason: 'Asked for by an operator', cancelled_by: 'api' },
    },
  ],
})

const LONG_ID_FIELDS = [
  'execution_id',
  'event_id',
  'catalog_id',
  'parent_execution_id',
  'parent_event_id',
  'prev_event_id',
  'command_id',
  'parent_command_id',
  'latest_event_id',
  'last_event_id',
  'loop_event_id',
  'batch_request_id',
  'persisted_event_id',
  'ai_execution_id',
  'failed_execution_id',
] as const

/** A number above 2^53 under each name that an id has. All are odd: no binary64 number holds one of them. */
export const EVERY_LONG_ID: Record<string, bigint> = Object.fromEntries(
  LONG_ID_FIELDS.map((field, i) => [field, BigInt(id('08:10:00', 7101)) + BigInt(2 * i)]),
)

const everyId = buildRun({
  path: 'stand-in/ids/every_place',
  startedAt: at('08:10:00'),
  sequence: 7,
  parentExecutionId: SEED.rows501,
  workload: EVERY_LONG_ID,
  variables: {
    _truncated: true,
    _original_size_bytes: 65_536,
    _preview: { last: 'dict(12 keys)', ids: 'list(40 items)' },
  },
  rows: [
    {
      at: 100,
      eventType: 'command.issued',
      nodeName: 'hold_ids',
      commandId: id('08:10:00', 98),
      parentEventId: id('08:10:00', 7001),
      context: EVERY_LONG_ID,
      meta: { ...EVERY_LONG_ID, attempt: 1 },
    },
    {
      at: 200,
      eventType: 'command.completed',
      nodeName: 'hold_ids',
      commandId: id('08:10:00', 98),
      result: { status: 'COMPLETED', context: EVERY_LONG_ID },
    },
    {
      at: 300,
      eventType: 'playbook.completed',
      nodeName: 'stand-in/ids/every_place',
      result: { status: 'COMPLETED' },
    },
  ],
})

const largeEnvelope: JsonObject = {
  ...failedEnvelope,
  entrypoint: 'stand-in/export/all_rows',
  data: {
    items: Array.from({ length: 700 }, (_, i) => ({
      index: i,
      text: `Row ${i} of what the agent had read. `.repeat(5),
    })),
  },
}

/** Above the limit of 100 KiB, which loses it only when the cap is on. */
const largeContext = buildRun({
  path: 'stand-in/export/nightly',
  startedAt: at('08:20:00'),
  sequence: 8,
  rows: [
    ...agentRows({
      at: 100,
      ms: 5000,
      name: 'export_all',
      commandId: id('08:20:00', 99),
      reply: largeEnvelope,
    }),
    {
      at: 5200,
      eventType: 'playbook.completed',
      nodeName: 'stand-in/export/nightly',
      result: { status: 'COMPLETED' },
    },
  ],
})

/** A command failed and its second attempt is at work: the run reads FAILED all the same. */
const retrying = buildRun({
  path: 'stand-in/feeds/refresh',
  startedAt: at('08:30:00'),
  sequence: 9,
  rows: [
    ...stepRows({
      at: 100,
      ms: 800,
      name: 'fetch',
      commandId: id('08:30:00', 100),
      context: { status: 'error' },
      error: 'HTTP 503',
    }),
    ...stepRows({ at: 2000, ms: 0, name: 'fetch', commandId: id('08:30:02', 101), attempt: 2 }).slice(0, 4),
  ],
})

/** A few runs of the stand-in's own. Nothing in them is a recording. */
export const seedRuns = (): NoetlRun[] => [
  parent,
  failedChild,
  diagnosis,
  parentOfCancelled,
  cancelledChild,
  longRun(501, { path: 'stand-in/loops/rows_501', startedAt: at('08:00:00'), sequence: 6 }),
  everyId,
  largeContext,
  retrying,
]
