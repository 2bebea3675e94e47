import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { compareLayers } from '@/lib/judge/parity/compare-layers'
import { bundleRun, type FolderFile } from '@/lib/formats/async-pipeline/bundle'
import { bundleOf, filesOfRun, recordedRuns, SAMPLE_SECRET } from '../testing/recorded-runs'
import { listCalls } from '../queries/calls'
import { listExecutionChains } from '../queries/chains'
import { readExecution } from '../queries/execution'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from './ingest'
import { ensureProject } from '../projects'
import { readStoredLayers } from '../rebuild/rederive'
import { reingest } from '../rebuild/reingest'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const runs = recordedRuns()
const run = (index: number): string => runs[index]!
const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
const take = (bytes: Uint8Array) => ingestBody(db, { projectId, source: null, kind: 'async-pipeline', bytes })
const takeAll = async (order: readonly string[] = runs) => {
  for (const id of order) await take(bundleOf(id))
}
const idOf = async (key: string) =>
  (
    await db.sql<
      { id: string }[]
    >`select execution_id as id from execution_keys where project_id = ${projectId} and external_id = ${key}`
  )[0]!.id
const read = async (key: string) => (await readExecution(db, [projectId], await idOf(key)))!
const chainsOf = async (key: string) => listExecutionChains(db, [projectId], await idOf(key))

describe('the recorded folder', () => {
  test('every run has the end, the cause and the attempts that its files tell', async () => {
    await takeAll()
    const told = await Promise.all(runs.map(read))
    expect(
      told.map(({ outcome, outcomeBasis, odd, cause }) => [
        outcome,
        outcomeBasis,
        odd,
        cause?.category,
        cause?.text,
      ]),
    ).toEqual([
      ...Array.from({ length: 2 }, () => ['succeeded', 'recorded', 0, undefined, undefined]),
      ...Array.from({ length: 2 }, () => [
        'failed',
        'recorded',
        0,
        'tool_failure',
        'Task “test” failed with exit code 3 in all 3 attempts: “echo "PROMISE: sums are exact"; echo "token [redacted:run-secret]"; grep -q ok src/a.txt || exit 3”',
      ]),
      ...Array.from({ length: 3 }, () => ['succeeded', 'recorded', 0, undefined, undefined]),
      ['failed', 'recorded', 0, 'limit', 'Task “slow” timed out: “Task "slow" timed out after 200ms.”'],
      [
        'failed',
        'recorded',
        0,
        'startup',
        expect.stringMatching(
          /^Task “nope” never started: its agent profile is unknown: “.*“?Known profiles: lossy, mock\.”$/,
        ),
      ],
      [
        'failed',
        'recorded',
        0,
        'tool_failure',
        expect.stringMatching(/^Task “long” failed with exit code 7: “i=0; while/),
      ],
      [
        'failed',
        'recorded',
        0,
        'startup',
        expect.stringMatching(
          /^Task “lint” never started: a required secret is missing: “Required secret "DEMO_SECRET_SOURCE"/,
        ),
      ],
    ])
    expect(told[2]).toMatchObject({
      title: 'demo · verify',
      labels: { pipeline: 'demo', job: 'verify', mode: 'manual' },
      source: { kind: 'async-pipeline' },
      counts: { calls: 4, failedCalls: 3 },
      startedAt: '2026-11-21T21:28:48.416Z',
      endedAt: '2026-11-21T21:28:48.469Z',
      failedAt: 'tool',
      advice: {
        retry: 'cannot-help',
        retryBecause: '3 attempts failed the same way with the same inputs.',
      },
      cause: { pointer: { jsonPointer: '/json/tasks/1/error' } },
    })
    expect(told[2]!.labels).not.toHaveProperty('cwd')
    expect(told[2]!.pipeline!.tasks.find((task) => task.id === 'test')).toMatchObject({
      reproduce: { command: 'async-pipeline run-task test', recorded: true },
      exitCode: 3,
      attemptsInLog: 3,
      log: { state: 'kept' },
      context: {
        claims: ['readme.sum'],
        inputs: { changed: ['src/a.txt'], added: ['src/new.txt'], removed: [] },
      },
    })
    expect(
      told[1]!.pipeline!.tasks.map(({ status, cacheHit, attempts }) => [status, cacheHit, attempts]),
    ).toEqual([
      ['cached', true, 0],
      ['cached', true, 0],
      ['passed', false, 1],
    ])
    expect(told[8]!.pipeline!.tasks[0]).toMatchObject({
      log: { state: 'none' },
      context: null,
      reproduce: { recorded: false },
    })
    expect(told[8]!.advice).toMatchObject({ retry: 'cannot-help' })
    expect(told[10]!.advice).toMatchObject({
      retry: 'cannot-help',
      next: expect.stringContaining('DEMO_SECRET_SOURCE'),
    })
  })

  test('the invented secret is nowhere in the database', async () => {
    await takeAll()
    const tables = await db.sql<
      { name: string }[]
    >`select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`
    expect(tables.length).toBeGreaterThan(20)
    let searched = 0
    for (const { name } of tables) {
      const [found] = await db.sql<{ rows: number; held: number }[]>`
        select count(*)::int as rows, count(*) filter (where position(${SAMPLE_SECRET} in t::text) > 0)::int as held from ${db.sql(name)} t`
      expect([name, found!.held]).toEqual([name, 0])
      searched += found!.rows
    }
    expect(searched).toBeGreaterThan(100)
    const kept = await db.sql<{ bytes: Buffer }[]>`select bytes from received`
    expect(kept.length).toBe(runs.length)
    expect(kept.some(({ bytes }) => bytes.includes(SAMPLE_SECRET))).toBe(false)
  })

  test('attempts that the log tells one by one each have their words and bytes', async () => {
    await take(bundleOf(run(2)))
    const { items } = await listCalls(db, { projectIds: [projectId], id: await idOf(run(2)) })
    expect(
      items.map(({ tool, state, exitCode, numberInChain, linkBasis }) => [
        tool,
        state,
        exitCode,
        numberInChain,
        linkBasis,
      ]),
    ).toEqual([
      ['lint', 'succeeded', null, null, null],
      ['test', 'failed', 3, 1, null],
      ['test', 'failed', 3, 2, 'recorded'],
      ['test', 'failed', 3, 3, 'recorded'],
    ])
    expect(new Set(items.map((item) => item.resultPointer!.byteStart)).size).toBe(4)
  })

  test('runs of one task are a chain that says how it is known, and which of them had the same inputs', async () => {
    await takeAll()
    const [chain, ...others] = await chainsOf(run(3))
    expect(others).toEqual([])
    expect(chain).toMatchObject({
      name: 'demo · verify · test',
      rule: 'same_pipeline_job_task',
      basis: 'inferred',
    })
    expect(chain!.attempts.map(({ externalId, outcome }) => [externalId, outcome])).toEqual([
      [run(0), 'succeeded'],
      [run(2), 'failed'],
      [run(3), 'failed'],
    ])
    const [first, second, third] = chain!.attempts.map(({ inputs }) => inputs)
    expect([first === second, second === third]).toEqual([false, true])
    // A run whose tasks came from the cache tried nothing, and what never failed was never tried again.
    expect((await chainsOf(run(4))).length + (await chainsOf(run(5))).length).toBe(0)
    expect((await chainsOf(run(1))).map(({ name }) => name)).toEqual([])
    expect((await chainsOf(run(10))).map(({ name, attempts }) => [name, attempts.length])).toEqual([
      ['demo · verify · lint', 2],
    ])
    expect((await read(run(3))).placeInChain).toMatchObject({ place: 3, attempts: 3 })
    expect((await read(run(4))).placeInChain).toBeNull()
  })
})

describe('however it comes', () => {
  test('twice adds nothing', async () => {
    await takeAll()
    const before = await storedContent(db)
    for (const id of runs) expect(await take(bundleOf(id))).toMatchObject({ accepted: 0 })
    expect(await storedContent(db)).toEqual(before)
  })

  test('in any order and at once: the same content', async () => {
    await takeAll()
    const before = await storedContent(db)
    await forgetEverything(db)
    await takeAll(runs.toReversed())
    expect(await storedContent(db)).toEqual(before)
    await forgetEverything(db)
    await Promise.all([...runs, ...runs].map((id) => take(bundleOf(id))))
    expect(await storedContent(db)).toEqual(before)
  })

  const record = (id: string): Record<string, unknown> & { tasks: Record<string, unknown>[] } =>
    JSON.parse(new TextDecoder().decode(filesOfRun(id).find((file) => file.path === 'execution.json')!.bytes))
  /** The run as its folder was while it went on. */
  const early = (id: string): Uint8Array => {
    const { finishedAt: _, ...rest } = record(id)
    const files = filesOfRun(id).filter(
      (file) => !file.path.startsWith('context/') && !file.path.startsWith('logs/test'),
    )
    return bundleRun(
      id,
      files.map(
        (file): FolderFile =>
          file.path === 'execution.json'
            ? { ...file, bytes: bytesOf({ ...rest, status: 'running', tasks: rest.tasks.slice(0, 1) }) }
            : file,
      ),
    )
  }

  test.each([
    ['early first', false],
    ['late first', true],
  ])('a run that was taken in while it went on, %s: its end counts', async (_, lateFirst) => {
    const states = [early(run(2)), bundleOf(run(2))]
    for (const bytes of lateFirst ? states.toReversed() : states) {
      await take(bytes)
      if (!lateFirst && bytes === states[0])
        expect(await read(run(2))).toMatchObject({
          outcome: 'unknown',
          outcomeRule: 'run_record_open',
          cause: { category: 'cut_off' },
          advice: { retry: 'unknown' },
          pipeline: { status: 'running' },
        })
    }
    const after = await read(run(2))
    expect(after).toMatchObject({
      outcome: 'failed',
      outcomeRule: 'run_record',
      counts: { calls: 4, failedCalls: 3 },
    })
    expect(after.pipeline!.tasks).toHaveLength(2)
  })

  test.each([
    ['record first', 1],
    ['folder first', -1],
  ])('a record by itself beside its folder, %s: what is known best counts', async (_, order) => {
    const alone = filesOfRun(run(2)).find((file) => file.path === 'execution.json')!.bytes
    for (const bytes of order === 1 ? [alone, bundleOf(run(2))] : [bundleOf(run(2)), alone]) await take(bytes)
    const after = await read(run(2))
    expect(after).toMatchObject({
      pipeline: { alone: false },
      cause: { text: expect.stringContaining('grep -q ok') },
    })
  })

  test('the line of the log that says why a task failed is its cause', async () => {
    const withLog = (log: string): FolderFile[] =>
      filesOfRun(run(2)).map((file) => {
        if (file.path !== 'context/test.json') return file
        const pack = { ...JSON.parse(Buffer.from(file.bytes).toString()), logTail: log }
        return { ...file, bytes: bytesOf(pack) }
      })
    const framed = '[attempt 1] Command failed with exit code 3: error: not this one\n'
    await take(
      bundleRun(
        run(2),
        withLog(
          `collecting\nFile "test_sums.py", line 3\nAssertionError: add(2, 3) == -1 == 5\n1 failed\n${framed}`,
        ),
      ),
    )
    const { cause } = await read(run(2))
    expect(cause!.text).toBe(
      'Task “test” failed with exit code 3 in all 3 attempts: “AssertionError: add(2, 3) == -1 == 5”',
    )
    expect(cause!.headline).toContain('AssertionError')
  })

  test('a record and a context pack that come one by one: the error as the tool cleaned it', async () => {
    for (const path of ['execution.json', 'context/test.json'])
      await take(filesOfRun(run(2)).find((file) => file.path === path)!.bytes)
    expect(await read(run(2))).toMatchObject({
      cause: { text: expect.stringContaining('echo "token [redacted]"; grep -q ok') },
      pipeline: { alone: true },
    })
    const kept = await db.sql<{ bytes: Buffer }[]>`select bytes from received`
    expect(kept.some(({ bytes }) => bytes.includes(SAMPLE_SECRET))).toBe(false)
  })

  test('what is stored is what its bytes give, and is made again from them', async () => {
    await takeAll()
    const before = await storedContent(db)
    const layers = (await readStoredLayers(db, [projectId], await idOf(run(2))))!
    expect(compareLayers(layers.layers).verdict).toBe('equal')
    await db.sql`update executions set digest = '', pipeline = null, cause_text = null where project_id = ${projectId}`
    await reingest(db, { projectId })
    expect(await storedContent(db)).toEqual(before)
  })

  test('two tasks that share the name of their files: nobody can tell whose log it is', async () => {
    const shared = record(run(2))
    shared.tasks = [
      { ...shared.tasks[1]!, id: 'a:b' },
      { ...shared.tasks[1]!, id: 'a_b' },
    ]
    const log = filesOfRun(run(2)).find((file) => file.path === 'logs/test.log')!
    await take(
      bundleRun(run(2), [
        { path: 'execution.json', bytes: bytesOf(shared) },
        { path: 'logs/a_b.log', bytes: log.bytes },
      ]),
    )
    const { pipeline } = await read(run(2))
    expect(
      pipeline!.tasks.map(({ id, log: { state }, attemptsInLog }) => [id, state, attemptsInLog]),
    ).toEqual([
      ['a:b', 'shared', 0],
      ['a_b', 'shared', 0],
    ])
  })
})
