import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildRun, stepRows, type Row } from '@/e2e/support/noetl/build-run'
import { SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { startNoetlStandIn, type NoetlStandIn } from '@/e2e/support/noetl/stand-in'
import type { Losses } from '@/e2e/support/noetl/losses'
import type { LayerInput } from '@/lib/judge/parity/layers'
import type { CheckedLayer } from '@/lib/judge/parity/stored-check'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { checkParity } from './check-parity'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'

let db: TestDb
let projectId: string
let standIn: NoetlStandIn
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  standIn = await startNoetlStandIn({ runs: seedRuns() })
})
afterEach(async () => {
  await forgetEverything(db)
  await standIn.set({ runs: seedRuns(), losses: {}, dialect: 'python' })
})
afterAll(async () => {
  await standIn.close()
  await db.close()
})

const RUN = SEED.parent
const take = (text: string) =>
  ingestBody(db, { projectId, source: null, kind: 'noetl', bytes: new TextEncoder().encode(text) })
const detail = async (run: string = RUN): Promise<string> =>
  (await fetch(`${standIn.url}/api/executions/${run}?page_size=500`)).text()
const captureOf = (run: string, more = ''): string =>
  `{"layer":"worker","execution_id":"${run}"${more},"reply":${standIn.workerReply(run)}}`

/** Undefined: there is no such layer; null: nothing is said of it. */
const reasonOf = (layer: CheckedLayer | undefined) =>
  layer && (layer.rule === null ? layer.why : { id: layer.rule, params: layer.params })

/** Kind and place of each difference in the documents of a run, with the transition. */
async function told(run: string = RUN, fetched: LayerInput[] = []) {
  const [row] = await db.sql<
    { id: string }[]
  >`select execution_id as id from execution_keys where project_id = ${projectId} and external_id = ${run}`
  const check = (await checkParity(db, [projectId], row!.id, {
    trigger: 'demand',
    fetched: async () => fetched,
  }))!
  const { compared } = check
  return {
    verdict: compared.verdict,
    worst: compared.worst,
    lost: compared.firstCritical && `${compared.firstCritical.from}→${compared.firstCritical.to}`,
    doubt: reasonOf(check.layers.find(({ form, layer }) => form === 'document' && layer === 'source')),
    inferred: reasonOf(check.layers.find(({ form, layer }) => form === 'made' && layer === 'made')),
    states: compared.layers
      .filter(({ form }) => form === 'document')
      .map(({ layer, state }) => `${layer} ${state}`),
    differences: compared.transitions.flatMap(({ from, to, differences }) =>
      differences.map(({ kind, path, severity }) => `${from}→${to} ${severity} ${kind} ${path}`),
    ),
    byDesign: compared.transitions.flatMap(({ byDesign }) => byDesign.length).reduce((a, b) => a + b, 0),
    scalarOnly: compared.transitions.flatMap(({ scalarOnly }) => scalarOnly),
  }
}
/** The place of the agent's rows in a document whose rows are in the order of their ids. */
const agentRows = (differences: readonly string[]): number =>
  new Set(differences.map((one) => /events\/(\d+)/.exec(one)?.[1])).size

describe('documents of a run', () => {
  test('what was kept of it, and what the rows point to, are compared whole', async () => {
    await take(await detail())
    expect(await told()).toMatchObject({
      verdict: 'equal',
      states: ['source read', 'persisted read'],
      differences: [],
    })
  })

  test('an execution that no server writes documents of has only what is made of it', async () => {
    const { executions } = await ingestBody(db, {
      projectId,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(
        '{"type":"user","sessionId":"0c0c0c0c-0000-4000-8000-000000000009","uuid":"u1","message":{"role":"user","content":"go"}}\n',
      ),
    })
    const check = await checkParity(db, [projectId], executions[0]!.id, { trigger: 'demand' })
    expect(check!.layers.map(({ form, layer }) => `${form} ${layer}`)).toEqual([
      'record source',
      'record persisted',
    ])
  })

  test('one page of several is not held for the run', async () => {
    await take(await (await fetch(`${standIn.url}/api/executions/${SEED.rows501}?page_size=500`)).text())
    expect(await told(SEED.rows501)).toMatchObject({
      verdict: 'unknown',
      states: ['source incomplete', 'persisted incomplete'],
    })
  })

  test('a row that no longer says what was kept is told by its place', async () => {
    await take(await detail())
    await db.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`delete from events where type = 'call.done' and facts->'row'->'agent'->>'outcome' = 'error'`
    })
    const { verdict, differences } = await told()
    expect(verdict).toBe('different')
    expect(differences.filter((one) => one.includes('missing /events/')).length).toBeGreaterThan(0)
  })
})

describe('a diagnosis that was made and stands in no row', () => {
  const making = () => detail(SEED.diagnosis)
  const lose = () => standIn.set({ losses: { scalarOnlyProjection: 'event_log' } })

  const stored = () => db.sql`
    select c.verdict, s.verdict as standing, c.lost_from, c.lost_to from parity_checks c join parity_standing s on s.check_id = c.id join execution_keys k on k.execution_id = c.execution_id where k.external_id = ${RUN}`

  test('is told as lost on the way or never attached, inferred from the run that made it, though source, rows and the check of the source agree', async () => {
    await take(await making())
    await lose()
    await take(await detail())
    const { inferred, ...found } = await told()
    expect(found).toMatchObject({
      verdict: 'different',
      worst: 'critical',
      lost: 'made→source',
      states: ['source read', 'persisted read'],
      doubt: null,
      scalarOnly: [],
      differences: [5, 6, 7].map(
        (at) => `made→source critical missing /events/${at}/result/context/error/diagnosis`,
      ),
    })
    expect(inferred).toEqual({
      id: 'diagnosis_inferred',
      params: { made: [{ by: SEED.diagnosis, childId: SEED.failedChild, step: 'reconcile_ledger' }] },
    })
    expect(await stored()).toEqual([
      { verdict: 'different', standing: 'different', lost_from: 'made', lost_to: 'source' },
    ])
    expect(
      await db.sql`select from_layer, to_layer, path, kind, severity, differences from parity_places`,
    ).toEqual([
      {
        from_layer: 'made',
        to_layer: 'source',
        path: '/events/*/result/context/error/diagnosis',
        kind: 'missing',
        severity: 'critical',
        differences: 3,
      },
    ])
  })

  test('where the source is asked as well, and its log and API lack it too', async () => {
    await take(await making())
    await lose()
    await take(await detail())
    const api: LayerInput = { layer: 'api', text: await detail() }
    expect(await told(RUN, [api])).toMatchObject({
      verdict: 'different',
      lost: 'made→source',
      states: ['source read', 'api read', 'persisted read'],
    })
  })

  test('is a handle where only that its run was started stands in its place', async () => {
    await take(await making())
    await standIn.set({ losses: { handleInsteadOfDiagnosis: 'event_log' } })
    await take(await detail())
    const { differences, worst } = await told()
    expect([worst, differences[0], differences.length]).toEqual([
      'critical',
      'made→source critical dispatch_handle /events/5/result/context/error/diagnosis',
      3,
    ])
  })

  test.each<[string, (text: string) => string]>([
    ['has not ended well', (text) => text.replaceAll('playbook.completed', 'execution.cancelled')],
    [
      'names no run that it was to diagnose',
      (text) => text.replace(new RegExp(`"execution_id"(:\\s*"?${SEED.failedChild})`, 'g'), '"other_id"$1'),
    ],
  ])(
    'keeps layers that agree from being called equal, and is found as in doubt, where the run that made it %s',
    async (_, changed) => {
      await take(changed(await making()))
      await lose()
      await take(await detail())
      const { verdict, differences, states, doubt } = await told()
      expect({ verdict, differences, states }).toEqual({
        verdict: 'unknown',
        differences: [],
        states: ['source read', 'persisted read'],
      })
      expect(doubt).toEqual({
        id: 'diagnosis_not_saved',
        params: { by: SEED.diagnosis, agent: { step: 'reconcile_ledger' }, handle: false },
      })
      expect(await stored()).toEqual([
        { verdict: 'in_doubt', standing: 'in_doubt', lost_from: null, lost_to: null },
      ])
    },
  )

  test('is none of this agent where its run was started for another one', async () => {
    await take((await making()).replaceAll(SEED.failedChild, SEED.rows501))
    await lose()
    await take(await detail())
    expect(await told()).toMatchObject({ verdict: 'equal', doubt: null, inferred: undefined })
  })

  test('makes the run that called its agent due when it arrives behind it, also while that one is compared', async () => {
    await lose()
    await take(await detail())
    expect(await told()).toMatchObject({ verdict: 'equal' })
    const due = () => db.sql`
      select s.due_for, s.due_at < now() + interval '1 minute' as soon from parity_standing s join execution_keys k on k.execution_id = s.execution_id where k.external_id = ${RUN}`
    expect(await due()).toEqual([{ due_for: 'sweep', soon: false }])
    await take(await making())
    expect(await due()).toEqual([{ due_for: 'terminal', soon: true }])
    await told()
    expect(await due()).toEqual([{ due_for: 'sweep', soon: false }])
    const [row] = await db.sql<
      { id: string }[]
    >`select execution_id as id from execution_keys where external_id = ${RUN}`
    await checkParity(db, [projectId], row!.id, {
      trigger: 'demand',
      fetched: async () => {
        await take((await making()).replaceAll('"escalate_to"', '"escalated_to"').replaceAll('0.82', '0.83'))
        return []
      },
    })
    expect(await due()).toEqual([{ due_for: 'terminal', soon: true }])
  })

  test('is in doubt as well where the whole context was dropped, and no row says how the agent ended', async () => {
    await take(await making())
    await standIn.set({ losses: { contextCap: 'event_log', contextBytesMax: 200 } })
    await take(await detail())
    const { verdict, doubt } = await told()
    expect([verdict, doubt]).toEqual([
      'unknown',
      { id: 'diagnosis_not_saved', params: { by: SEED.diagnosis, agent: null, handle: false } },
    ])
  })

  test('is in no doubt when what the worker replied was captured, when it stands in its row, and when nobody made one', async () => {
    await take(await making())
    await take(await detail())
    expect(await told()).toMatchObject({ verdict: 'equal', doubt: null })
    await forgetEverything(db)
    await lose()
    await take(await detail())
    expect(await told()).toMatchObject({ verdict: 'equal', doubt: null })
    await take(await making())
    expect(await told()).toMatchObject({ verdict: 'different', lost: 'made→source' })
    await take(captureOf(RUN, ',"node_name":"reconcile_ledger"'))
    expect(await told()).toMatchObject({
      verdict: 'different',
      worst: 'critical',
      doubt: null,
      inferred: undefined,
    })
  })
})

describe('what a worker replied', () => {
  test('is no row: it changes nothing of its run, whichever comes first', async () => {
    await take(await detail())
    const essence = () =>
      db.sql`select outcome, cause_text, calls, failed_calls, labels from executions where external_id = ${RUN}`
    const before = await essence()
    await take(captureOf(RUN, ',"node_name":"reconcile"'))
    expect(await essence()).toEqual(before)
    await forgetEverything(db)
    await take(captureOf(RUN, ',"node_name":"reconcile"'))
    await take(await detail())
    expect(await essence()).toEqual(before)
  })

  test('that is whole in its rows is equal, and what a worker drops of it on purpose is listed apart', async () => {
    await take(await detail())
    await take(captureOf(RUN, await agentStep()))
    const { verdict, differences, states, byDesign } = await told()
    expect({ verdict, differences, states }).toEqual({
      verdict: 'equal',
      differences: [],
      states: ['source read', 'persisted read'],
    })
    // The server has merged the id of the command into one of the rows.
    expect(byDesign).toBe(1)
  })

  test.each<[string, Losses, string, string]>([
    [
      'the historical regression',
      { scalarOnlyProjection: true },
      'missing',
      '/result/context/error/diagnosis',
    ],
    [
      'a diagnosis without what was nested in it',
      { flatDiagnosis: true },
      'missing',
      '/result/context/error/diagnosis/_meta',
    ],
    [
      'a context that was dropped whole',
      { contextCap: true, contextBytesMax: 100 },
      'missing',
      '/result/context/error',
    ],
    [
      'a handle in the place of the diagnosis',
      { handleInsteadOfDiagnosis: 'event_log' },
      'dispatch_handle',
      '/result/context/error/diagnosis',
    ],
    ['a context wrapped into text', { stringifiedContext: true }, 'stringified_json', '/result/context'],
  ])('shows %s at every row of its step', async (_, losses, kind, path) => {
    const capture = captureOf(RUN, await agentStep())
    await standIn.set({ losses })
    await take(await detail())
    await take(capture)
    const { verdict, worst, lost, differences } = await told()
    expect({ verdict, worst, lost }).toEqual({
      verdict: 'different',
      worst: 'critical',
      lost: 'source→persisted',
    })
    const found = differences.filter((one) => one.includes(` critical ${kind} `) && one.endsWith(path))
    expect(agentRows(found)).toBeGreaterThanOrEqual(3)
  })

  test('of a step with several commands has no known place, unless it names its row', async () => {
    const [first, second] = ['620356925057660001', '620356925057660003'].map((commandId, i) =>
      stepRows({
        at: 100 + 1000 * i,
        ms: 500,
        name: 'ask',
        commandId,
        kind: 'agent',
        context: { status: 'ok', framework: 'noetl', entrypoint: 'x', execution_id: commandId },
      }),
    ) as [Row[], Row[]]
    const twice = buildRun({
      path: 'stand-in/twice',
      startedAt: '2026-05-06T10:00:00Z',
      sequence: 30,
      rows: [...first, ...second, { at: 3000, eventType: 'playbook.completed', nodeName: 'stand-in/twice' }],
    })
    await standIn.set({ runs: [twice] })
    await take(await detail(twice.executionId))
    const capture = (more: string): string =>
      `{"layer":"worker","execution_id":"${twice.executionId}","node_name":"ask"${more},"reply":{"status":"error","framework":"noetl"}}`
    await take(capture(''))
    expect(await told(twice.executionId)).toMatchObject({
      verdict: 'unknown',
      states: ['source incomplete', 'persisted read'],
    })
    await forgetEverything(db)
    await take(await detail(twice.executionId))
    const row = (
      JSON.parse((await detail(twice.executionId)).replace(/("event_id":\s*)(\d+)/g, '$1"$2"')) as {
        events: { event_id: string; event_type: string }[]
      }
    ).events.find(({ event_type }) => event_type === 'call.done')!
    await take(capture(`,"event_id":${row.event_id}`))
    const { differences } = await told(twice.executionId)
    expect(agentRows(differences)).toBe(1)
    expect(differences.find((one) => one.includes('/result/context/status'))).toContain('high changed_value')
  })

  test('into a row that is nowhere is a row that was lost', async () => {
    await take(await detail())
    await take(captureOf(RUN, ',"event_id":620356925057669999,"event_type":"call.done","node_name":"gone"'))
    const { differences, worst } = await told()
    expect([worst, differences.filter((one) => /critical missing \/events\/\d+$/.test(one)).length]).toEqual([
      'critical',
      1,
    ])
  })
})

/** What says of a capture which step it is of: the one whose rows hold an envelope. */
async function agentStep(): Promise<string> {
  const document = JSON.parse(await detail()) as {
    events: { node_name: string; result: { context?: { framework?: string } } | null }[]
  }
  return `,"node_name":${JSON.stringify(document.events.find(({ result }) => result?.context?.framework !== undefined)!.node_name)}`
}
