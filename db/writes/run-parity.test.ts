import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildRun, stepRows, type Row } from '@/e2e/support/noetl/build-run'
import { SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { startNoetlStandIn, type NoetlStandIn } from '@/e2e/support/noetl/stand-in'
import type { Losses } from '@/e2e/support/noetl/losses'
import type { LayerInput } from '@/lib/parity/layers'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { checkParity } from './check-parity'
import { ingestBody } from './ingest'
import { ensureProject } from './projects'

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
const take = (text: string) => ingestBody(db, { projectId, source: null, kind: 'noetl', bytes: new TextEncoder().encode(text) })
const detail = async (run: string = RUN): Promise<string> => (await fetch(`${standIn.url}/api/executions/${run}?page_size=500`)).text()
const captureOf = (run: string, more = ''): string => `{"layer":"worker","execution_id":"${run}"${more},"reply":${standIn.workerReply(run)}}`

/** Kind and place of each difference in the documents of a run, with the transition. */
async function told(run: string = RUN, fetched: LayerInput[] = []) {
  const [row] = await db.sql<{ id: string }[]>`select execution_id as id from execution_keys where project_id = ${projectId} and external_id = ${run}`
  const check = (await checkParity(db, [projectId], row!.id, { trigger: 'demand', fetched: async () => fetched }))!
  const { compared } = check
  return {
    verdict: compared.verdict, worst: compared.worst, lost: compared.firstCritical && `${compared.firstCritical.from}→${compared.firstCritical.to}`,
    doubt: check.layers[0]!.why,
    states: compared.layers.filter(({ form }) => form === 'document').map(({ layer, state }) => `${layer} ${state}`),
    differences: compared.transitions.flatMap(({ from, to, differences }) => differences.map(({ kind, path, severity }) => `${from}→${to} ${severity} ${kind} ${path}`)),
    byDesign: compared.transitions.flatMap(({ byDesign }) => byDesign.length).reduce((a, b) => a + b, 0),
    scalarOnly: compared.transitions.flatMap(({ scalarOnly }) => scalarOnly),
  }
}
/** The place of the agent's rows in a document whose rows stand in the order of their ids. */
const agentRows = (differences: readonly string[]): number => new Set(differences.map((one) => /events\/(\d+)/.exec(one)?.[1])).size

describe('documents of a run', () => {
  test('what was kept of it, and what the rows point to, are compared whole', async () => {
    await take(await detail())
    expect(await told()).toMatchObject({ verdict: 'equal', states: ['source read', 'persisted read'], differences: [] })
  })

  test('an execution that no server writes documents of has only what is made of it', async () => {
    const { executions } = await ingestBody(db, { projectId, source: null, kind: 'claude-transcript', bytes: Buffer.from('{"type":"user","sessionId":"0c0c0c0c-0000-4000-8000-000000000009","uuid":"u1","message":{"role":"user","content":"go"}}\n') })
    const check = await checkParity(db, [projectId], executions[0]!.id, { trigger: 'demand' })
    expect(check!.layers.map(({ form, layer }) => `${form} ${layer}`)).toEqual(['record source', 'record persisted'])
  })

  test('one page of several is not held for the run', async () => {
    await take(await (await fetch(`${standIn.url}/api/executions/${SEED.rows501}?page_size=500`)).text())
    expect(await told(SEED.rows501)).toMatchObject({ verdict: 'unknown', states: ['source incomplete', 'persisted incomplete'] })
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

  test('keeps layers that agree from being called equal, though the check of the source passes', async () => {
    await take(await making())
    await lose()
    await take(await detail())
    const { verdict, differences, states, doubt } = await told()
    expect({ verdict, differences, states }).toEqual({ verdict: 'unknown', differences: [], states: ['source read', 'persisted read'] })
    expect(doubt).toContain(`The diagnosis that execution ${SEED.diagnosis} made stands in no row of step reconcile_ledger`)
  })

  test('is in doubt as well where the whole context was dropped, and no row says how the agent ended', async () => {
    await take(await making())
    await standIn.set({ losses: { contextCap: 'event_log', contextBytesMax: 200 } })
    await take(await detail())
    const { verdict, doubt } = await told()
    expect([verdict, doubt]).toEqual(['unknown', expect.stringContaining(`The diagnosis that execution ${SEED.diagnosis} made stands in no row of this run, and none says how its agent ended`)])
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
    expect(await told()).toMatchObject({ verdict: 'unknown' })
    await take(captureOf(RUN, ',"node_name":"reconcile_ledger"'))
    expect(await told()).toMatchObject({ verdict: 'different', worst: 'critical', doubt: null })
  })
})

describe('what a worker replied', () => {
  test('is no row: it changes nothing of its run, whichever comes first', async () => {
    await take(await detail())
    const essence = () => db.sql`select outcome, cause_text, calls, failed_calls, labels from executions where external_id = ${RUN}`
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
    expect({ verdict, differences, states }).toEqual({ verdict: 'equal', differences: [], states: ['source read', 'persisted read'] })
    // The server has merged the id of the command into one of the rows.
    expect(byDesign).toBe(1)
  })

  test.each<[string, Losses, string, string]>([
    ['the historical regression', { scalarOnlyProjection: true }, 'missing', '/result/context/error/diagnosis'],
    ['a diagnosis without what was nested in it', { flatDiagnosis: true }, 'missing', '/result/context/error/diagnosis/_meta'],
    ['a context that was dropped whole', { contextCap: true, contextBytesMax: 100 }, 'missing', '/result/context/error'],
    ['a handle in the place of the diagnosis', { handleInsteadOfDiagnosis: 'event_log' }, 'dispatch_handle', '/result/context/error/diagnosis'],
    ['a context wrapped into text', { stringifiedContext: true }, 'stringified_json', '/result/context'],
  ])('shows %s at every row of its step', async (_, losses, kind, path) => {
    const capture = captureOf(RUN, await agentStep())
    await standIn.set({ losses })
    await take(await detail())
    await take(capture)
    const { verdict, worst, lost, differences } = await told()
    expect({ verdict, worst, lost }).toEqual({ verdict: 'different', worst: 'critical', lost: 'source→persisted' })
    const found = differences.filter((one) => one.includes(` critical ${kind} `) && one.endsWith(path))
    expect(agentRows(found)).toBeGreaterThanOrEqual(3)
  })

  test('of a step with several commands has no known place, unless it names its row', async () => {
    const [first, second] = ['620356925057660001', '620356925057660003'].map((commandId, i) => stepRows({
      at: 100 + 1000 * i, ms: 500, name: 'ask', commandId, kind: 'agent', context: { status: 'ok', framework: 'noetl', entrypoint: 'x', execution_id: commandId },
    })) as [Row[], Row[]]
    const twice = buildRun({ path: 'stand-in/twice', startedAt: '2026-05-06T10:00:00Z', sequence: 30, rows: [...first, ...second, { at: 3000, eventType: 'playbook.completed', nodeName: 'stand-in/twice' }] })
    await standIn.set({ runs: [twice] })
    await take(await detail(twice.executionId))
    const capture = (more: string): string => `{"layer":"worker","execution_id":"${twice.executionId}","node_name":"ask"${more},"reply":{"status":"error","framework":"noetl"}}`
    await take(capture(''))
    expect(await told(twice.executionId)).toMatchObject({ verdict: 'unknown', states: ['source incomplete', 'persisted read'] })
    await forgetEverything(db)
    await take(await detail(twice.executionId))
    const row = (JSON.parse((await detail(twice.executionId)).replace(/("event_id":\s*)(\d+)/g, '$1"$2"')) as { events: { event_id: string; event_type: string }[] }).events.find(({ event_type }) => event_type === 'call.done')!
    await take(capture(`,"event_id":${row.event_id}`))
    const { differences } = await told(twice.executionId)
    expect(agentRows(differences)).toBe(1)
    expect(differences.find((one) => one.includes('/result/context/status'))).toContain('high changed_value')
  })

  test('into a row that is nowhere is a row that was lost', async () => {
    await take(await detail())
    await take(captureOf(RUN, ',"event_id":620356925057669999,"event_type":"call.done","node_name":"gone"'))
    const { differences, worst } = await told()
    expect([worst, differences.filter((one) => /critical missing \/events\/\d+$/.test(one)).length]).toEqual(['critical', 1])
  })
})

/** What says of a capture which step it is of: the one whose rows hold an envelope. */
async function agentStep(): Promise<string> {
  const document = JSON.parse(await detail()) as { events: { node_name: string; result: { context?: { framework?: string } } | null }[] }
  return `,"node_name":${JSON.stringify(document.events.find(({ result }) => result?.context?.framework !== undefined)!.node_name)}`
}
