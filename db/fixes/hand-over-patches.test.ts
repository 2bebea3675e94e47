import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fixProposal } from '@/lib/api/fix-schemas'
import { bundleRun, type FolderFile } from '@/lib/formats/async-pipeline/bundle'
import {
  bundleOf,
  filesOfRun,
  outputsOfRun,
  recordedAsync,
  recordedRuns,
  SAMPLE_SECRET,
} from '../testing/recorded-runs'
import type { Db } from '../client'
import { readFix } from '../queries/fix'
import { listExecutionFixes } from '../queries/fixes'
import { readPatchRange } from '../queries/patch-bytes'
import { readReceivedRange } from '../queries/received'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { handOverPatches } from './hand-over-patches'
import { ingestBodies, ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { proposeFix } from './propose-fix'
import { reingest } from '../rebuild/reingest'
import { rereadFixes } from './reread-fixes'
import { sha256 } from '../sha256'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const runs = recordedRuns()
const [FAILED, IN_CI, PROPOSES, LOSSY] = [runs[2]!, runs[3]!, runs[4]!, runs[6]!]
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const body = (bytes: Uint8Array) => ({ projectId, source: null, kind: 'async-pipeline' as const, bytes })
const take = (bytes: Uint8Array, into: Pick<Db, 'sql'> = db) => ingestBody(into, body(bytes))
const idOf = async (key: string): Promise<string> =>
  (
    await db.sql<
      { id: string }[]
    >`select execution_id as id from execution_keys where project_id = ${projectId} and external_id = ${key}`
  )[0]!.id
const fixesOf = async (key: string) => listExecutionFixes(db, [projectId], await idOf(key))
const detail = async (id: string) =>
  (await readFix(db, { projectIds: [projectId], id, reader: { actor: 'person:x', reviewsIn: [projectId] } }))!
const patchOf = (fix: { sha256: string; size: number }) =>
  readPatchRange(db, projectId, fix.sha256, 0, fix.size)
const due = async (): Promise<number> =>
  (await db.sql<{ n: number }[]>`select count(*)::int as n from patch_handovers`)[0]!.n
const artifacts = bundleRun(PROPOSES, outputsOfRun(PROPOSES))
const withFix = (run: string, bytes: Uint8Array | string, name = 'test'): Uint8Array =>
  bundleRun(run, [
    ...filesOfRun(run),
    { path: `fixes/${name}.patch`, bytes: typeof bytes === 'string' ? encode(bytes) : bytes },
  ])
const PATCH = '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1 +1 @@\n-FAIL\n+ok\n'

describe('the recorded folder', () => {
  test('the patch of a task becomes a fix with all that its files tell, and nothing that they do not', async () => {
    for (const run of runs) await take(bundleOf(run))
    await take(artifacts)
    const found = (await Promise.all(runs.map(fixesOf))).flat()
    expect(
      found.map(({ executionTitle, task, origin, ordinal, state, verdict, proposedBy, agent, model }) => [
        executionTitle,
        task,
        origin,
        ordinal,
        state,
        verdict,
        proposedBy,
        agent,
        model,
      ]),
    ).toEqual([
      [
        'demo · propose',
        'propose',
        'stdout-artifact',
        1,
        'proposed',
        'not-run',
        'Import of the run',
        'mock',
        'mock-1',
      ],
    ])
    const fix = await detail(found[0]!.id)
    expect(fix).toMatchObject({
      fileName: 'fix.patch',
      mode: 'manual',
      enabledBy: null,
      notEnabled: false,
      verification: [],
      proposedAt: '2026-11-21T21:28:48.535Z',
      contextPackSha256: null,
      base: { commit: null, tree: null, dirty: null },
      budget: {
        attempts: { limit: null, used: 1 },
        wallClockMs: { limit: null, used: 12 },
        endedBy: 'completed',
      },
      // The prompt held the secret: of the bytes that are kept no digest would be that of the prompt.
      agentDetail: { promptSha256: null, policySha256: null, grantedCommands: null },
      mayReview: true,
    })
    expect(await patchOf(fix)).toEqual(readFileSync(join(recordedAsync, '../outputs/fix.patch')))
    const transcript = await readReceivedRange(db, [projectId], fix.transcript!.sha256)
    expect(textOf(transcript!.bytes)).toBe(
      textOf(filesOfRun(PROPOSES).find(({ path }) => path === 'agents/propose.jsonl')!.bytes),
    )
    expect(await due()).toBe(0)
  })

  test('what the log and the claims of the failed task name counts as the failing check', async () => {
    const pack = JSON.parse(
      textOf(filesOfRun(FAILED).find(({ path }) => path.startsWith('context/'))!.bytes),
    ) as { task: string; logTail: string; claims?: string[] }
    const files = filesOfRun(FAILED).map((file) =>
      file.path === `context/${pack.task}.json`
        ? {
            ...file,
            bytes: encode(
              JSON.stringify({
                ...pack,
                logTail: `${pack.logTail}\nat tests/probe.mjs:3`,
                claims: ['tests/claims/total.mjs'],
              }),
            ),
          }
        : file,
    )
    await take(bundleRun(FAILED, files))
    const changes = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`
    const codes = async (name: string, task = pack.task) => {
      const done = await proposeFix(db, {
        projectId,
        executionId: await idOf(FAILED),
        bytes: encode(changes(name)),
        proposal: fixProposal.parse({ task }),
        actor: 'system',
        actorName: 'x',
      })
      return (await detail((done as { fixId: string }).fixId)).reading.signals.map(({ code }) => code)
    }
    expect([
      await codes('tests/probe.mjs'),
      await codes('tests/claims/total.mjs'),
      await codes('tests/other.mjs'),
      await codes('tests/probe.mjs', 'another'),
    ]).toEqual([
      expect.arrayContaining(['touches-failing-check']),
      expect.arrayContaining(['touches-failing-check']),
      expect.not.arrayContaining(['touches-failing-check']),
      expect.not.arrayContaining(['touches-failing-check']),
    ])
  })

  test('a patch that was damaged on its way says so, and stays as it came', async () => {
    const lossy = readFileSync(join(recordedAsync, '../outputs/lossy.patch'))
    const key = (
      JSON.parse(textOf(filesOfRun(LOSSY).find(({ path }) => path === 'execution.json')!.bytes)) as {
        tasks: { cacheKey: string }[]
      }
    ).tasks[0]!.cacheKey
    await take(bundleOf(LOSSY))
    await take(bundleRun(LOSSY, [{ path: `cache/tasks/${key}/outputs/lossy.patch`, bytes: lossy }]))
    const [found] = await fixesOf(LOSSY)
    const fix = await detail(found!.id)
    expect(fix.flags.map(({ code }) => code).sort()).toEqual([
      'content-redacted',
      'content-replacement-character',
    ])
    expect(fix.agentDetail).toMatchObject({ profile: 'lossy', promptSha256: sha256(encode('x')) })
    expect(await patchOf(fix)).toEqual(lossy)
  })
})

describe('however it comes', () => {
  const proposed = async () => (await fixesOf(PROPOSES)).map(({ task, ordinal }) => [task, ordinal])

  test('the same folder again, in any order and at once: one fix', async () => {
    for (const bytes of [bundleOf(PROPOSES), artifacts, artifacts, bundleOf(PROPOSES)]) await take(bytes)
    expect(await proposed()).toEqual([['propose', 1]])
    await reingest(db, { projectId })
    expect(await proposed()).toEqual([['propose', 1]])
    await forgetEverything(db)
    await Promise.all(
      [artifacts, bundleOf(PROPOSES), artifacts, bundleOf(PROPOSES)].map((bytes) => take(bytes)),
    )
    expect(await proposed()).toEqual([['propose', 1]])
    await forgetEverything(db)
    await ingestBodies(db, [bundleOf(FAILED), withFix(IN_CI, PATCH)].map(body))
    expect((await fixesOf(IN_CI)).length).toBe(1)
  })

  test('a patch that comes before its run waits until it is known which task it is of', async () => {
    await take(artifacts)
    expect(await proposed()).toEqual([])
    await take(bundleOf(PROPOSES))
    expect(await proposed()).toEqual([['propose', 1]])
  })

  test('two tasks that share the name of their files: the fix is of neither', async () => {
    const record = JSON.parse(
      textOf(filesOfRun(FAILED).find(({ path }) => path === 'execution.json')!.bytes),
    ) as { tasks: object[] }
    record.tasks = ['a:b', 'a_b'].map((id) => ({ ...record.tasks[1]!, id }))
    await take(
      bundleRun(FAILED, [
        { path: 'execution.json', bytes: encode(JSON.stringify(record)) },
        { path: 'fixes/a_b.patch', bytes: encode(PATCH) },
      ]),
    )
    expect((await fixesOf(FAILED)).map(({ task, origin }) => [task, origin])).toEqual([['', 'fixes-dir']])
  })

  test('what a person proposed with the same bytes for the same task stays theirs', async () => {
    await take(bundleOf(FAILED))
    const [failed] = await db.sql<{ id: string }[]>`select id from executions`
    await proposeFix(db, {
      projectId,
      executionId: failed!.id,
      bytes: encode(PATCH),
      proposal: fixProposal.parse({ task: 'test' }),
      actor: 'person:p',
      actorName: 'Pat',
    })
    await take(withFix(FAILED, PATCH))
    expect((await fixesOf(FAILED)).map(({ proposedBy }) => proposedBy)).toEqual(['Pat'])
  })

  /** A database that takes one transaction and is then gone. */
  const goneAfterOne = (): Pick<Db, 'sql'> => {
    let begun = 0
    const begin = (work: never): unknown =>
      begun++ === 0 ? db.sql.begin(work) : Promise.reject(new Error('the process ended'))
    return {
      sql: new Proxy(db.sql, {
        get: (sql, name) => (name === 'begin' ? begin : (Reflect.get(sql, name) as unknown)),
      }),
    }
  }

  test.each([
    [
      'the job that comes by',
      async () => void expect(await handOverPatches(db)).toMatchObject({ runs: 1, proposed: 1, failed: [] }),
    ],
    ['importing it again', () => take(withFix(FAILED, PATCH))],
    ['building anew', () => reingest(db, { projectId })],
  ])('a crash between ingest and proposal is healed by %s', async (_, heal) => {
    const answer = await take(withFix(FAILED, PATCH), goneAfterOne())
    expect(answer.executions).toHaveLength(1)
    expect([(await fixesOf(FAILED)).length, await due()]).toEqual([0, 1])
    await heal()
    expect([(await fixesOf(FAILED)).length, await due()]).toEqual([1, 0])
  })

  test('a run that cannot be handed over keeps no other out, stays noted and is named', async () => {
    const broken = {
      sql: new Proxy(db.sql, {
        get: (sql, name) =>
          name === 'begin' ? () => Promise.reject(new Error('no')) : (Reflect.get(sql, name) as unknown),
      }),
    }
    await take(withFix(FAILED, PATCH))
    await take(withFix(IN_CI, PATCH))
    await db.sql`truncate patches, patch_handovers, fixes, fix_standing, fix_files, fix_flags, fix_reviews, fix_late_reviews, fix_comments, fix_viewed cascade`
    await db.sql`insert into patch_handovers (project_id, execution_id) select project_id, id from executions`
    const { runs: looked, failed } = await handOverPatches(broken)
    expect([looked, failed.length, await due()]).toEqual([2, 2, 2])
  })
})

describe('a fix of the layout that is proposed', () => {
  test('in CI it is marked, and its budget is missing', async () => {
    await take(withFix(IN_CI, PATCH))
    await take(withFix(FAILED, PATCH))
    const [[inCi], [manual]] = [await fixesOf(IN_CI), await fixesOf(FAILED)]
    expect([inCi!.notEnabled, manual!.notEnabled]).toEqual([true, false])
    const pack = filesOfRun(IN_CI).find(({ path }) => path === 'context/test.json')!
    expect(await detail(inCi!.id)).toMatchObject({
      task: 'test',
      origin: 'fixes-dir',
      fileName: 'test.patch',
      mode: 'ci',
      enabledBy: null,
      transcript: null,
      contextPackSha256: sha256(pack.bytes),
      proposedAt: null,
      budget: {
        attempts: { limit: null, used: null },
        wallClockMs: { limit: null, used: null },
        endedBy: null,
      },
      agentDetail: { profile: null, model: null },
    })
  })

  test.each([
    ['of the hook, behind the failure', '2026-11-21T21:28:49.000Z', true],
    ['of the task itself, before it failed', '2026-11-21T21:28:48.430Z', false],
  ])('a transcript %s', async (_, at, belongs) => {
    const lines = `${JSON.stringify({ type: 'request', at, task: 'test', profile: 'mender', model: 'm', prompt: 'p' })}\n${JSON.stringify({ type: 'response', at, code: 0, timedOut: false, stdout: '', stderr: '' })}\n`
    const files: FolderFile[] = [
      ...filesOfRun(FAILED),
      { path: 'agents/test.jsonl', bytes: encode(lines) },
      { path: 'fixes/test.patch', bytes: encode(PATCH) },
    ]
    await take(bundleRun(FAILED, files))
    const fix = await detail((await fixesOf(FAILED))[0]!.id)
    expect([fix.transcript === null, fix.agentDetail.profile]).toEqual([!belongs, belongs ? 'mender' : null])
    if (belongs) expect(fix.transcript).toEqual({ sha256: sha256(encode(lines)), size: lines.length })
  })

  test.each<[string, Uint8Array, Record<string, unknown>]>([
    ['empty', new Uint8Array(), { verdict: 'error', blocking: ['not-a-unified-diff'] }],
    [
      'no patch',
      encode('I am sorry, I could not do that.\n'),
      { verdict: 'error', blocking: ['not-a-unified-diff'] },
    ],
    [
      'no UTF-8',
      Buffer.concat([encode('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+'), Uint8Array.of(0xff, 0xfe, 0x0a)]),
      { verdict: 'ok', warnings: expect.arrayContaining(['content-not-utf8']) },
    ],
    [
      'without its beginning',
      encode(`[dropped 4096 leading bytes]\n line\n${PATCH}`),
      { verdict: 'ok', warnings: expect.arrayContaining(['content-head-lost', 'surrounding-text']) },
    ],
    [
      'several megabytes',
      encode(`--- /dev/null\n+++ b/f\n@@ -0,0 +1,100000 @@\n${`+${'x'.repeat(50)}\n`.repeat(100_000)}`),
      { verdict: 'ok', additions: 100_000 },
    ],
  ])('%s: taken byte for byte, with what is wrong with it', async (_, bytes, reading) => {
    await take(withFix(FAILED, bytes))
    const [fix] = await fixesOf(FAILED)
    expect(fix!.reading).toMatchObject(reading)
    expect(Buffer.compare(await patchOf(fix!), bytes)).toBe(0)
  })

  test('what the run shows to be secret is flagged in the patch, and stands in nothing else that is told of it', async () => {
    const patch = `--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,3 @@\n-FAIL\n+ok\n+token = "${SAMPLE_SECRET}"\n é\n`
    const lines = `${JSON.stringify({ type: 'request', at: '2026-11-21T21:28:49.000Z', task: 'test', profile: 'p', model: 'm', prompt: `use ${SAMPLE_SECRET}` })}\n`
    await take(
      bundleRun(FAILED, [
        ...filesOfRun(FAILED),
        { path: 'agents/test.jsonl', bytes: encode(lines) },
        { path: 'fixes/test.patch', bytes: encode(patch) },
      ]),
    )
    const [item] = await fixesOf(FAILED)
    const fix = await detail(item!.id)
    expect(
      fix.flags.filter(({ code }) => code === 'content-secret').map(({ file, lines: at }) => [file, at]),
    ).toEqual([[0, { start: 6, end: 6 }]])
    expect(item!.reading.warnings).toContain('content-secret')
    expect(fix.secretLines).toEqual([{ start: 6, end: 6 }])
    // No rule finds it: what is known of it outlives the rules by which the patch was read, and its flags.
    await db.sql`update fix_standing set rules = 'of yesterday'`
    await db.sql`delete from fix_flags`
    expect(await rereadFixes(db)).toBe(1)
    expect((await detail(item!.id)).secretLines).toEqual([{ start: 6, end: 6 }])
    await db.sql`update fix_standing set rules = 'of yesterday', secrets = null, known_secrets = null`
    expect([await rereadFixes(db), (await detail(item!.id)).secretLines]).toEqual([1, [{ start: 6, end: 6 }]])
    expect(textOf(await patchOf(fix))).toBe(patch)
    const transcript = await readReceivedRange(db, [projectId], fix.transcript!.sha256)
    expect(JSON.stringify([item, fix]) + textOf(transcript!.bytes)).not.toContain(SAMPLE_SECRET)
    const tables = await db.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> 'patches'`
    for (const { name } of tables) {
      const [found] = await db.sql<
        { held: number }[]
      >`select count(*) filter (where position(${SAMPLE_SECRET} in t::text) > 0)::int as held from ${db.sql(name)} t`
      expect([name, found!.held]).toEqual([name, 0])
    }
    // Nothing was taken out of the patch, so it counts for nothing.
    const [{ redactions } = { redactions: -1 }] = await db.sql<
      { redactions: number }[]
    >`select redactions from executions`
    await forgetEverything(db)
    await take(
      bundleRun(FAILED, [
        ...filesOfRun(FAILED),
        { path: 'agents/test.jsonl', bytes: encode(lines) },
        { path: 'fixes/test.patch', bytes: encode(PATCH) },
      ]),
    )
    expect((await db.sql<{ redactions: number }[]>`select redactions from executions`)[0]!.redactions).toBe(
      redactions,
    )
  })
})
