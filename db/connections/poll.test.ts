import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { v7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildRun, longRun, stepRows } from '@/e2e/support/noetl/build-run'
import type { Fault } from '@/e2e/support/noetl/faults'
import { rowsOf, sliceRows, type NoetlRun } from '@/e2e/support/noetl/runs'
import { SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { startNoetlStandIn, type NoetlStandIn } from '@/e2e/support/noetl/stand-in'
import { listConnections } from '../queries/connections'
import { readExecution } from '../queries/execution'
import { forgetEverything } from '../testing/content'
import { selfSigned } from '../testing/self-signed'
import { testDb, type TestDb } from '../testing/test-db'
import { changeConnection, createConnection } from './connections'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { pollConnection, type Polled, type Polling } from './poll'

const SECRET = 'a secret of the server that is long enough'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterAll(() => db.close())

let standIn: NoetlStandIn
let id: string
beforeEach(async () => {
  standIn = await startNoetlStandIn({ runs: seedRuns(), token: 'secret' })
  id = v7()
  const made = await createConnection(db.sql, {
    id,
    projectId,
    secret: SECRET,
    actor: 'system',
    name: `NoETL ${id}`,
    baseUrl: `${standIn.url}/`,
    header: { name: 'Authorization', value: 'Bearer secret' },
    allowPrivate: true,
  })
  expect(made).toBe(true)
})
afterEach(async () => {
  await standIn.close()
  await db.sql`delete from source_connections`
  await forgetEverything(db)
})

const poll = (more: Partial<Polling> = {}): Promise<Polled | null> =>
  pollConnection(
    { projectId, id },
    {
      sql: db.sql,
      secret: SECRET,
      ingest: (body) => ingestBody(db, body),
      random: () => 0.5,
      ...more,
      server: { perSecond: 1000, ...more.server },
    },
  )
const standing = async () => (await listConnections(db.sql, [projectId], id))[0]!
const rowsOfRun = async (run: string): Promise<string[]> =>
  (
    await db.sql<{ identity: string }[]>`
    select distinct e.identity from events e join execution_keys k on k.project_id = e.project_id and k.execution_id = e.execution_id
    where k.external_id = ${run} and e.identity is not null and e.type <> 'execution' order by 1`
  ).map(({ identity }) => identity.split(':')[1]!)
const idsOf = ({ events }: NoetlRun): string[] =>
  sliceRows(events, 0, events.count)
    .map(({ eventId }) => eventId)
    .sort()
const faults = (...list: Fault[]) => standIn.set({ faults: list })
/** Runs are looked at again at once. */
const laterOn = () => db.sql`update connection_runs set look_at = now() where look_at is not null`
const callsOf = (run: string) =>
  standIn.calls
    .filter(({ route, executionId }) => route === 'detail' && executionId === run)
    .map(({ query }) => query)
const callsTo = (wanted: string) => standIn.calls.filter(({ route }) => route === wanted).length
const grown = (run: NoetlRun, count: number): NoetlRun => ({
  ...run,
  events: rowsOf(sliceRows(run.events, 0, count)),
})

describe.each(['python', 'rust'] as const)('from the %s server', (dialect) => {
  test('everything comes, each row once and with all digits, and children find their parents', async () => {
    await standIn.set({ dialect })
    expect(await poll()).toMatchObject({ failure: null, again: false })
    for (const run of seedRuns()) expect(await rowsOfRun(run.executionId), run.path).toEqual(idsOf(run))
    const outcomes = await db.sql`
      select k.external_id, e.outcome from executions e join execution_keys k on k.project_id = e.project_id and k.execution_id = e.id
      where k.external_id in (${SEED.parent}, ${SEED.cancelledChild}) order by 1`
    expect(outcomes).toEqual([
      { external_id: SEED.parent, outcome: 'failed' },
      { external_id: SEED.cancelledChild, outcome: 'cancelled' },
    ])
    const [child] = await db.sql`
      select p.external_id from executions e join execution_keys k on k.project_id = e.project_id and k.execution_id = e.id
      join execution_keys p on p.project_id = e.project_id and p.execution_id = e.parent_id where k.external_id = ${SEED.failedChild}`
    expect(child).toEqual({ external_id: SEED.parent })
    expect(await standing()).toMatchObject({
      state: 'up_to_date',
      executions: { known: seedRuns().length, untaken: 0 },
      lastError: null,
      failures: 0,
    })
  })

  test('a second poll asks for what is new only, and adds only that', async () => {
    const whole = buildRun({
      path: 'stand-in/grows',
      startedAt: '2026-05-06T10:00:00Z',
      sequence: 50,
      rows: [
        { at: 100, eventType: 'step.enter', nodeName: 'one' },
        { at: 200, eventType: 'step.exit', nodeName: 'one' },
        { at: 300, eventType: 'playbook.completed', nodeName: 'stand-in/grows' },
      ],
    })
    await standIn.set({ dialect, runs: [grown(whole, 2)] })
    await poll()
    expect((await rowsOfRun(whole.executionId)).length).toBe(2)
    const bodies = await db.sql`select count(*)::int as n from received`
    await laterOn()
    await poll()
    expect(await db.sql`select count(*)::int as n from received`, 'nothing new is not kept again').toEqual(
      bodies,
    )
    await standIn.set({ runs: [whole] })
    await laterOn()
    await poll()
    expect(await rowsOfRun(whole.executionId)).toEqual(idsOf(whole))
    const since = callsOf(whole.executionId).map((query) => query.since_event_id)
    expect(since).toEqual([undefined, whole.events.at(1).eventId, whole.events.at(1).eventId])
    expect(await standing()).toMatchObject({ executions: { open: 0 } })
  })
})

describe('who says what of an end', () => {
  const retried = buildRun({
    path: 'stand-in/feeds/retried',
    startedAt: '2026-05-06T11:00:00Z',
    sequence: 60,
    rows: [
      ...stepRows({
        at: 100,
        ms: 50,
        name: 'fetch',
        commandId: '700',
        context: { status: 'error' },
        error: 'HTTP 503',
      }),
      ...stepRows({
        at: 900,
        ms: 50,
        name: 'fetch',
        commandId: '701',
        attempt: 2,
        context: { status: 'ok' },
      }),
      {
        at: 1200,
        eventType: 'playbook.completed',
        nodeName: 'stand-in/feeds/retried',
        result: { status: 'COMPLETED' },
      },
    ],
  })
  const said = async (run: string): Promise<string[]> => {
    const [key] = await db.sql<
      { id: string }[]
    >`select execution_id as id from execution_keys where external_id = ${run}`
    return (await readExecution(db, [projectId], key!.id))!.disagreements.flatMap(({ values }) =>
      values.map(({ channel, said: word }) => `${channel} ${word}`),
    )
  }
  const statusAsked = (run?: string) =>
    standIn.calls.filter(
      ({ route, executionId }) => route === 'status' && (run === undefined || executionId === run),
    ).length
  /** Until nothing is looked at any more. */
  const settle = async () => {
    for (let i = 0; i < 3; i++) {
      await laterOn()
      await poll()
    }
  }

  test('a run that somebody cancelled is completed to the status endpoint, which is asked once', async () => {
    await poll()
    expect(await said(SEED.cancelledChild)).toEqual([
      'detail CANCELLED',
      'status COMPLETED',
      'rows CANCELLED (cancelled_row)',
    ])
    expect(await said(SEED.parent)).toEqual([])
    await settle()
    expect([statusAsked(SEED.cancelledChild), statusAsked(SEED.parent)]).toEqual([1, 1])
    expect(statusAsked()).toBe(seedRuns().length)
  })

  test('a list that lags behind is told, until it has caught up', async () => {
    await standIn.set({ runs: [retried], losses: { listLag: 1 } })
    await poll()
    expect(await said(retried.executionId)).toEqual([
      'list FAILED',
      'detail COMPLETED',
      'status COMPLETED',
      'rows COMPLETED (terminal_row)',
    ])
    const kept = await db.sql`select count(*)::int as n from received`
    await settle()
    expect(await db.sql`select count(*)::int as n from received`, 'nothing of it is kept again').toEqual(kept)
    await standIn.set({ losses: {} })
    await poll()
    expect(await said(retried.executionId)).toEqual([])
  })

  test('a run that went on after its end is asked anew, and what was said of the earlier end no longer counts', async () => {
    await standIn.set({ runs: [grown(retried, 8)] })
    await poll()
    expect(await said(retried.executionId)).toEqual([])
    await standIn.set({ runs: [retried] })
    await poll()
    expect(await said(retried.executionId)).toEqual([])
    expect(statusAsked()).toBe(2)
    expect((await db.sql`select outcome from executions`)[0]).toEqual({ outcome: 'succeeded' })
  })

  test('a server without that endpoint is not asked again, and nothing is said of it', async () => {
    await faults({ kind: 'status', status: 404, on: 'status' })
    expect(await poll()).toMatchObject({ failure: null })
    expect(await standing()).toMatchObject({ state: 'up_to_date', lastError: null })
    expect(await said(SEED.cancelledChild)).toEqual([])
    await settle()
    expect(statusAsked()).toBe(seedRuns().length)
  })

  test.each<Fault>([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503 },
    { kind: 'html' },
    { kind: 'reset' },
  ])('one that fails keeps nothing out, is told, and is tried once more: %j', async (fault) => {
    await faults({ ...fault, on: 'status' })
    expect(await poll()).toMatchObject({ failure: null })
    expect((await rowsOfRun(SEED.rows501)).length).toBe(501)
    expect(await standing()).toMatchObject({
      state: 'up_to_date',
      failures: 0,
      executions: { untaken: 0 },
      lastError: { text: expect.stringMatching(/^The status of execution \d+ could not be fetched\. /) },
    })
    expect(statusAsked()).toBe(3)
    await settle()
    expect(statusAsked()).toBe(6)
    await faults()
    await settle()
    expect(await standing()).toMatchObject({ lastError: null })
  })
})

test('501 rows over pages of 500 arrive once each', async () => {
  await poll()
  expect((await rowsOfRun(SEED.rows501)).length).toBe(501)
  expect(callsOf(SEED.rows501).map(({ page, page_size }) => [page, page_size])).toEqual([
    ['1', '500'],
    ['2', '500'],
  ])
  const [held] =
    await db.sql`select labels from executions e join execution_keys k on k.project_id = e.project_id and k.execution_id = e.id where k.external_id = ${SEED.rows501}`
  expect(held!.labels).not.toHaveProperty('rows')
})

test('a server that dies in the middle of a run loses nothing: the next poll goes on at the page that failed', async () => {
  await standIn.set({ runs: [longRun(3000)] })
  const run = longRun(3000)
  await faults({ kind: 'reset', on: 'detail', after: 3 })
  expect(await poll()).toMatchObject({ failure: { kind: 'down' } })
  expect((await rowsOfRun(run.executionId)).length).toBe(1500)
  expect(await standing()).toMatchObject({
    state: 'failing',
    failures: 1,
    lastError: { kind: 'down' },
    executions: { untaken: 1 },
  })
  // A long run is not analysed anew with each of its pages.
  expect(await db.sql`select dirty, records from executions`).toEqual([{ dirty: true, records: 501 }])
  await faults()
  await poll()
  expect(await db.sql`select dirty, records from executions`).toEqual([{ dirty: false, records: 3007 }])
  expect(await rowsOfRun(run.executionId)).toEqual(idsOf(run))
  expect(callsOf(run.executionId).map(({ page }) => page)).toEqual(['1', '2', '3', '4', '4', '5', '6'])
  expect(await standing()).toMatchObject({ state: 'up_to_date', failures: 0, lastError: null })
})

test('rows that come while pages are under way are taken with the next poll', async () => {
  const run = longRun(1200)
  await standIn.set({ runs: [grown(run, 1100)] })
  await faults({ kind: 'reset', on: 'detail', after: 1 })
  await poll()
  await faults()
  await standIn.set({ runs: [run] })
  await poll()
  expect((await standing()).executions).toMatchObject({ open: 1 })
  await laterOn()
  await poll()
  expect(await rowsOfRun(run.executionId)).toEqual(idsOf(run))
})

test('a poll whose time is over goes on at its page a little later', async () => {
  const run = longRun(2000)
  await standIn.set({ runs: [run] })
  let polls = 0
  for (let again = true; again; polls++) again = (await poll({ turnMs: 1 }))!.again
  expect(polls).toBeGreaterThan(2)
  expect(await rowsOfRun(run.executionId)).toEqual(idsOf(run))
  expect(callsOf(run.executionId)).toHaveLength(4)
})

test('a run that ended is looked at once more, and a row that came late and is older is not missed', async () => {
  const run = longRun(20)
  const late = { ...run, events: rowsOf(sliceRows(run.events, 0, 20).filter((_, i) => i !== 10)) }
  await standIn.set({ runs: [late] })
  await poll()
  expect((await rowsOfRun(run.executionId)).length).toBe(19)
  await poll()
  expect(callsOf(run.executionId)).toHaveLength(1)
  await standIn.set({ runs: [run] })
  await laterOn()
  await poll()
  expect(await rowsOfRun(run.executionId)).toEqual(idsOf(run))
  await laterOn()
  await poll()
  const asked = callsOf(run.executionId).length
  await laterOn()
  await poll()
  expect(callsOf(run.executionId)).toHaveLength(asked)
})

test.each([
  ['python', ['1', '2', '3', '4']],
  ['rust', ['1', '2', '3']],
] as const)(
  'the list of the %s server is walked to its end once, and then back to what is known',
  async (dialect, walked) => {
    const runs = Array.from({ length: 250 }, (_, i) =>
      buildRun({
        path: `stand-in/many/${i}`,
        startedAt: new Date(Date.parse('2026-05-06T00:00:00Z') + i * 60_000).toISOString(),
        sequence: i,
        rows: [],
      }),
    )
    await standIn.set({ dialect, runs: runs.slice(0, 249) })
    await poll({ turnMs: 0 })
    const pages = () => standIn.calls.filter(({ route }) => route === 'list').map(({ query }) => query.page)
    expect(pages()).toEqual(walked)
    expect((await standing()).executions.known).toBe(249)
    await standIn.set({ runs })
    await poll({ turnMs: 0 })
    expect(pages().slice(walked.length)).toEqual(['1'])
    expect((await standing()).executions.known).toBe(250)
  },
)

describe('what a server does wrong', () => {
  test.each([
    ['down', [{ kind: 'down' }]],
    ['timed_out', [{ kind: 'slow', ms: 60_000 }]],
    ['not_json', [{ kind: 'html' }]],
    ['status', [{ kind: 'status', status: 500 }]],
    ['redirected_elsewhere', [{ kind: 'redirect', to: 'other_host' }]],
    ['too_large', [{ kind: 'huge' }]],
    ['cut_off', [{ kind: 'cut' }]],
    ['unauthorized', [{ kind: 'status', status: 401 }]],
  ] satisfies [string, Fault[]][])(
    '%s is told, and the next poll after it is put right takes everything',
    async (kind, list) => {
      await faults(...list)
      expect(await poll({ server: { wholeMs: 2000, bytesMax: 4_000_000 } })).toMatchObject({
        failure: { kind },
      })
      const told = await standing()
      expect(told).toMatchObject({
        state: 'failing',
        failures: 1,
        lastError: { kind },
        executions: { known: 0 },
      })
      // Twice the interval of a minute, less what chance takes.
      expect(Date.parse(told.nextAt!) - Date.parse(told.lastPolledAt!)).toBe(90_000)
      expect(standIn.elsewhere.calls).toEqual([])
      await faults()
      expect(await poll()).toMatchObject({ failure: null })
      expect((await rowsOfRun(SEED.parent)).length).toBeGreaterThan(5)
      expect(await standing()).toMatchObject({ failures: 0, lastError: null, state: 'up_to_date' })
    },
  )

  test('it is left alone for as long as it asks', async () => {
    await faults({ kind: 'status', status: 429, headers: { 'retry-after': '7200' } })
    await poll()
    const { nextAt, lastPolledAt } = await standing()
    expect(Date.parse(nextAt!) - Date.parse(lastPolledAt!)).toBe(7_200_000)
  })

  test('one run that cannot be fetched is told, and keeps none of the others out', async () => {
    await faults({ kind: 'half', on: 'detail', executionId: SEED.parent })
    expect(await poll()).toMatchObject({ failure: { kind: 'cut_off' } })
    expect(await standing()).toMatchObject({
      failures: 0,
      state: 'fetching',
      lastError: { kind: 'cut_off', text: `Execution ${SEED.parent}: The response was cut off.` },
    })
    expect((await rowsOfRun(SEED.rows501)).length).toBe(501)
    expect(await rowsOfRun(SEED.parent)).toEqual([])
  })

  test('one run that cannot be stored is told, and keeps none of the others out', async () => {
    const ingest: Polling['ingest'] = (body) =>
      Buffer.from(body.bytes).includes(`"execution_id":"${SEED.parent}","catalog_id"`)
        ? Promise.reject(new Error('no room'))
        : ingestBody(db, body)
    const said: string[] = []
    expect(await poll({ ingest, log: (_level, message) => void said.push(message) })).toMatchObject({
      failure: { kind: 'not_stored' },
    })
    expect(said).toEqual([expect.stringContaining('no room')])
    expect((await rowsOfRun(SEED.rows501)).length).toBe(501)
    expect(await standing()).toMatchObject({ failures: 0, executions: { untaken: 1 } })
  })

  test('three runs in a row that fail each for themselves are a failure of the server', async () => {
    await faults({ kind: 'half', on: 'detail' })
    await poll()
    expect(callsTo('detail')).toBe(3)
    expect(await standing()).toMatchObject({ failures: 1, state: 'failing' })
  })

  test('a credential that was sealed with another secret is not sent, and is asked for', async () => {
    expect(await poll({ secret: 'another secret of the server, long enough' })).toMatchObject({
      failure: { kind: 'unauthorized' },
    })
    expect(standIn.calls).toEqual([])
  })
})

/** A poll of another process, which trusts the certificate of the tests. */
async function pollTrusting(): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'inquest-trusting-'))
  try {
    await writeFile(path.join(dir, 'trusted.crt'), selfSigned.cert)
    await writeFile(
      path.join(dir, 'poll.mts'),
      `import { openDb } from ${JSON.stringify(path.join(import.meta.dirname, '../client.ts'))}
      import { ingestBody } from ${JSON.stringify(path.join(import.meta.dirname, '../writes/ingest.ts'))}
      import { pollConnection } from ${JSON.stringify(path.join(import.meta.dirname, 'poll.ts'))}
      const [url, projectId, id, secret] = process.argv.slice(2)
      const db = openDb(url, { max: 2 })
      await pollConnection({ projectId, id }, { sql: db.sql, secret, ingest: (body) => ingestBody(db, body), server: { perSecond: 1000 } })
      await db.close()`,
    )
    await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', path.join(dir, 'poll.mts'), db.url, projectId, id, SECRET],
      {
        cwd: path.join(import.meta.dirname, '../..'),
        env: { ...process.env, NODE_EXTRA_CA_CERTS: path.join(dir, 'trusted.crt') },
      },
    )
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

test('a server whose certificate does not hold is told nothing and told of, and is taken in once its certificate is trusted', async () => {
  const secure = await startNoetlStandIn({ runs: seedRuns(), token: 'secret', certificate: selfSigned })
  try {
    await changeConnection(db.sql, {
      id,
      projectIds: [projectId],
      secret: SECRET,
      actor: 'system',
      change: { baseUrl: `${secure.url}/`, header: { name: 'Authorization', value: 'Bearer secret' } },
    })
    for (const failures of [1, 2]) {
      expect(await poll()).toMatchObject({ took: 0, failure: { kind: 'certificate' } })
      expect(await standing()).toMatchObject({
        state: 'failing',
        failures,
        lastOkAt: null,
        executions: { known: 0 },
        lastError: {
          kind: 'certificate',
          text: 'Invalid server certificate: it signed itself.',
        },
      })
    }
    expect(secure.calls).toEqual([])
    await pollTrusting()
    expect(await standing()).toMatchObject({
      state: 'up_to_date',
      failures: 0,
      lastError: null,
      executions: { known: seedRuns().length, untaken: 0 },
    })
    expect(await rowsOfRun(SEED.parent)).toEqual(idsOf(seedRuns()[0]!))
  } finally {
    await secure.close()
  }
})

test('a private address is not asked unless the connection allows it', async () => {
  await changeConnection(db.sql, {
    id,
    projectIds: [projectId],
    secret: SECRET,
    actor: 'system',
    change: { allowPrivate: false },
  })
  expect(await poll()).toMatchObject({ failure: { kind: 'private_address' } })
  expect(standIn.calls).toEqual([])
})

test('nobody polls a connection at the same time, nor one that is paused', async () => {
  const [first, second] = await Promise.all([poll(), poll()])
  expect([first, second].filter((one) => one === null)).toHaveLength(1)
  await changeConnection(db.sql, {
    id,
    projectIds: [projectId],
    secret: SECRET,
    actor: 'system',
    change: { enabled: false },
  })
  expect(await poll()).toBeNull()
  expect((await standing()).state).toBe('paused')
})

test('who stops in the middle keeps what was taken and leaves the rest for the next', async () => {
  const run = longRun(2000)
  await standIn.set({ runs: [run] })
  const stop = new AbortController()
  let bodies = 0
  const ingest: Polling['ingest'] = async (body) => {
    const answer = await ingestBody(db, body)
    if (++bodies === 2) stop.abort(new Error('stopping'))
    return answer
  }
  await poll({ signal: stop.signal, ingest }).catch(() => null)
  expect((await rowsOfRun(run.executionId)).length).toBe(1000)
  await poll()
  expect(await rowsOfRun(run.executionId)).toEqual(idsOf(run))
})

test.each(['python', 'rust'] as const)(
  'a %s server whose list never ends is left with a sentence, and what it listed is taken',
  async (dialect) => {
    await standIn.set({ dialect, losses: { stuckPages: true }, runs: [grown(longRun(20), 5)] })
    await poll()
    expect(callsTo('list')).toBe(2)
    expect((await standing()).lastError).toMatchObject({
      kind: 'same_page',
      text: expect.stringContaining('sent the same page twice'),
    })
    expect((await rowsOfRun(longRun(20).executionId)).length).toBeGreaterThan(0)
  },
)

test('a run whose pages are one and the same ends its turn with a failure', async () => {
  const run = longRun(20)
  await standIn.set({ losses: { stuckPages: true }, runs: [run] })
  expect(await poll()).toMatchObject({
    failure: { kind: 'same_page', detail: { id: 'rows_page_repeats', params: { page: 2 } } },
    again: false,
  })
  expect(callsOf(run.executionId)).toHaveLength(2)
  expect(await rowsOfRun(run.executionId)).toEqual(idsOf(run))
})
