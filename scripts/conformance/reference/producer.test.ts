import { describe, expect, test } from 'vitest'
import type { ExactJson } from '@/lib/text/exact-json'
import { assembleEnvelope, type AgentRun } from './assemble-envelope'
import { configureAgent } from './configure-agent'
import { forwardedInput, isTroubleshootOn, stepAfterTriage, TROUBLESHOOTER_PATH } from './troubleshoot'
import { fetchDiagnosis, fetchSettings, pollUntilTerminal } from './waiting'
import { isExemptKind, workerOutcome } from './worker-outcome'

const DEFAULTS = fetchSettings(undefined)

describe('the worker', () => {
  test.each<[unknown, ExactJson, string | null]>([
    ['http', { status: 'error', error: 'x' }, 'x'],
    ['http', { status: 'failed', error: { message: 'm' } }, 'm'],
    ['http', { status: 'error', error: { code: 'Z' } }, "{'code': 'Z'}"],
    ['http', { status: 'error' }, 'Tool returned error status'],
    ['http', { status: 'ERROR' }, null],
    ['http', { data: { a: { status: 'error' } } }, 'a: Unknown error'],
    ['http', { data: [{ status: 'error' }] }, null],
    [' Agent ', { status: 'error', error: 'x' }, null],
    [null, { status: 'failed', error: '' }, 'Tool returned error status'],
  ])('of %j takes %j for %j', (kind, response, toolError) =>
    expect(workerOutcome(kind, { response }).toolError).toBe(toolError),
  )

  test('writes rows by what it found; what was raised counts for agents too', () => {
    expect(workerOutcome('agent', { raised: 'x' })).toMatchObject({
      toolError: 'x',
      events: [
        { eventType: 'call.error', rowStatus: 'FAILED' },
        { rowStatus: 'COMPLETED' },
        { eventType: 'command.failed' },
      ],
    })
    expect(workerOutcome('agent', { response: null }).events.map(({ rowStatus }) => rowStatus)).toEqual([
      'COMPLETED',
      'COMPLETED',
      'COMPLETED',
    ])
  })
})

describe('a diagnosis is asked for', () => {
  test.each<[ExactJson, string | null, string, boolean]>([
    [{}, null, 'a', false],
    [{}, ' ON', 'a', true],
    [{ on_failure: { troubleshoot: false } }, '1', 'a', false],
    [{ on_failure: { troubleshoot: 'false' } }, null, 'a', true],
    [{ on_failure: { troubleshoot: null } }, '1', 'a', false],
    [{ on_failure: 'x' }, 'yes', 'a', true],
    [{ on_failure: { troubleshoot: true } }, '1', TROUBLESHOOTER_PATH, false],
  ])('%j with %j: %s %s', (task, env, entrypoint, is) =>
    expect(isTroubleshootOn(task, env, entrypoint, TROUBLESHOOTER_PATH)).toBe(is),
  )

  test('with what concerns it', () =>
    expect(
      forwardedInput({ triage_model: 1, ollama_x: 2, escalate_to: 'none', secret: 3, execution_id: 4 }, '77'),
    ).toEqual({ triage_model: 1, ollama_x: 2, escalate_to: 'none', execution_id: '77' }))

  test.each<[number, unknown, string]>([
    [0.7, 'openai', 'persist_diagnosis'],
    [0.6, 'openai', 'escalate_openai'],
    [0.6, 'claude', 'escalate_claude'],
    [0.6, 'x', 'persist_diagnosis'],
  ])('%f, %s: %s', (confidence, to, step) => expect(stepAfterTriage(confidence, 0.7, to)).toBe(step))
})

describe('waiting', () => {
  test('ends with the run, or at the deadline', () => {
    const replies: ExactJson[] = ['neterr', { n: 1 }, { completed: true }]
    expect(pollUntilTerminal((n) => replies[n], 30, 2)).toEqual({
      document: { completed: true },
      polls: 3,
      waitedSeconds: 4,
    })
    expect(pollUntilTerminal(() => ({ n: 1 }), 0, 0)).toEqual({
      document: { n: 1, timeout: true, failed: true },
      polls: 10,
      waitedSeconds: 1,
    })
    expect(pollUntilTerminal(() => undefined, 5, 1)).toEqual({
      document: { timeout: true, failed: true },
      polls: 5,
      waitedSeconds: 5,
    })
  })

  test('for a diagnosis grows longer, up to the deadline', () => {
    expect(fetchDiagnosis(5, DEFAULTS).pollTimes).toEqual([0, 0.5, 1.25, 2.375, 4.062, 6.594])
    expect(fetchDiagnosis(null, { ...DEFAULTS, deadlineSeconds: 2 })).toEqual({
      found: false,
      pollTimes: [0, 0.5, 1.25, 2],
      pollCount: 4,
      elapsedSeconds: 2,
      deadlineSeconds: 2,
      hitDeadline: true,
    })
    expect(fetchDiagnosis(2, { ...DEFAULTS, deadlineSeconds: 2 })).toMatchObject({
      found: true,
      hitDeadline: false,
    })
    expect(
      fetchDiagnosis(null, {
        deadlineSeconds: 1e12,
        initialSleepSeconds: 0,
        multiplier: 0,
        maxSleepSeconds: 0,
      }).pollCount,
    ).toBe(100_000)
    expect(
      fetchSettings({ diagnosis_fetch_timeout_seconds: 5, diagnosis_fetch_max_sleep_seconds: 'x' }),
    ).toEqual({ ...DEFAULTS, deadlineSeconds: 5 })
  })
})

describe('an envelope', () => {
  const diagnosis = {
    category: 'auth',
    confidence: 0.5,
    root_cause: 'x',
    suggested_action: 'y',
    source: 'ollama',
  }
  const asked: AgentRun['troubleshoot'] = {
    dispatch: { status: 'success', execution_id: '6' },
    dispatchRaises: false,
    terminal: { completed: true },
    persisted: diagnosis,
  }
  const run = (rest: Partial<AgentRun>): ReturnType<typeof assembleEnvelope> =>
    assembleEnvelope({
      entrypoint: 'a/b',
      task: {},
      autoTroubleshoot: null,
      dispatch: { status: 'success', data: { execution_id: '5' } },
      terminal: { failed: true },
      childResult: null,
      troubleshoot: asked,
      workflowPluginAvailable: true,
      ...rest,
    })
  const message = 'sub-playbook returned non-success status'

  test.each<[string, Partial<AgentRun>, object]>([
    [
      'of a run that failed',
      {},
      {
        status: 'error',
        execution_id: '5',
        data: { failed: true },
        error: { code: 'PLAYBOOK_FAILED', message },
      },
    ],
    ['of one that says why', { terminal: { failed: true, error: 'e' } }, { error: { message: 'e' } }],
    [
      'of a cancelled one',
      { terminal: { completed: true, failed: false }, childResult: { a: 1 } },
      { status: 'ok', data: { a: 1 } },
    ],
    [
      'of a dispatch without a run',
      { dispatch: { status: 'success', data: 1 } },
      { status: 'ok', data: 1, execution_id: null },
    ],
    [
      'of a handle',
      { dispatch: { status: 'started', execution_id: '5' }, terminal: null },
      { status: 'started', error: { message } },
    ],
    [
      'of a dispatch that says nothing',
      { dispatch: {}, terminal: null },
      { status: 'error', data: null, duration: null },
    ],
    ['of a dispatch that is no object', { dispatch: [1] }, { error: { code: 'UNEXPECTED_RESULT_SHAPE' } }],
    ['without the plugin', { workflowPluginAvailable: false }, { error: { kind: 'agent.dependency' } }],
  ])('%s', (_, rest, envelope) => expect(run(rest).envelope).toMatchObject(envelope))

  const on: Partial<AgentRun> = {
    task: { on_failure: { troubleshoot: true, diagnosis_fetch_deadline_seconds: 9 } },
  }
  test('takes up the diagnosis that was kept, or the one that came at once', () => {
    expect(run(on)).toMatchObject({
      dispatched: ['a/b', TROUBLESHOOTER_PATH],
      envelope: {
        error: {
          diagnosis: { ...diagnosis, _meta: { diagnosis_fetch: { poll_count: 1, deadline_seconds: 9 } } },
        },
      },
    })
    expect(
      run({ ...on, troubleshoot: { ...asked, dispatch: { status: 'ok', data: diagnosis } } }).envelope,
    ).toMatchObject({ error: { diagnosis } })
  })

  test.each<[string, Partial<AgentRun['troubleshoot']>]>([
    ['refused', { dispatch: { status: 'error' } }],
    ['raised', { dispatchRaises: true }],
    ['no run', { dispatch: { status: 'success', data: { note: 1 } } }],
    ['failed', { terminal: { failed: true } }],
    ['timed out', { terminal: { failed: true, completion_inferred: true, timeout: true } }],
    ['nothing kept', { persisted: null }],
    ['keys missing', { persisted: { source: 'x' } }],
  ])('is left as it was when the diagnosis went wrong: %s', (_, rest) =>
    expect(run({ ...on, troubleshoot: { ...asked, ...rest } }).envelope).toEqual(run({}).envelope),
  )

  test('of a success or of no run asks for none', () => {
    expect(run({ ...on, terminal: { completed: true } }).dispatched).toEqual(['a/b'])
    expect(run({ ...on, dispatch: { status: 'error' }, terminal: null }).dispatched).toEqual(['a/b'])
  })
})

test.each<[ExactJson, unknown]>([
  [{ framework: 'noetl' }, { envelope: { status: 'error', error: { code: 'INVALID_ENTRYPOINT' } } }],
  [{ framework: 'noetl', entrypoint: 'a/b' }, { dispatches: 'a/b' }],
  [{ framework: 'autogen' }, { raises: 'ValueError' }],
  [
    { entrypoint: 'm:f', entrypoint_mode: 'class' },
    { envelope: { error: { code: 'INVALID_ENTRYPOINT_MODE' } } },
  ],
  [{ entrypoint: 'm:f', entrypoint_args: [1] }, { envelope: { error: { code: 'INVALID_ENTRYPOINT_ARGS' } } }],
  [{ entrypoint: 'm:f', invoke_kwargs: 'x' }, { envelope: { error: { code: 'INVALID_INVOKE_KWARGS' } } }],
  [{ entrypoint: 'mf' }, { envelope: { framework: 'custom', error: { code: 'ValueError' } } }],
  [{ entrypoint: 'm:f', payload: 'p' }, { envelope: { status: 'ok', data: 'm f p' } }],
])('the configuration %j', (task, configured) =>
  expect(
    configureAgent(task, (module, attribute, payload) => ({
      data: `${module} ${attribute} ${String(payload)}`,
    })),
  ).toMatchObject(configured as object),
)

test.each<[unknown, boolean]>([
  ['agent', true],
  [' AGENT\t', true],
  ['agents', false],
  ['http', false],
  [null, false],
])('replies of %j are exempt: %s', (kind, is) => expect(isExemptKind(kind)).toBe(is))
