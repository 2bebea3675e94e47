import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { emptyFilter } from '@/lib/views/executions/filter'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { listCalls } from '../queries/calls'
import { listExecutionChains } from '../queries/chains'
import { readDecision } from '../queries/decision'
import { readExecution } from '../queries/execution'
import { listExecutions } from '../queries/executions'
import { sessionLogRoot } from '../seed/session-logs'
import { Transcript } from '../seed/transcript'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBodies, ingestBody } from './ingest'
import { mayShare, type IngestBody } from './receive/ingest-body'
import { ensureProject } from '../projects'
import { reingest } from '../rebuild/reingest'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb({ max: 8 })
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const bodyOf = (
  [fileName, text]: [string, string | Uint8Array],
  more: Partial<IngestBody> = {},
): IngestBody => ({
  projectId,
  source: { kind: 'autoskillit', name: 'kitchen' },
  kind: 'autoskillit',
  bytes: Buffer.from(text as string),
  fileName,
  ...more,
})
const take = (file: [string, string | Uint8Array], more: Partial<IngestBody> = {}): Promise<IngestAnswer> =>
  ingestBody(db, bodyOf(file, more))
const takeAll = async (files: Iterable<[string, string]>): Promise<IngestAnswer[]> => {
  const answers: IngestAnswer[] = []
  for (const file of files) answers.push(await take(file))
  return answers
}
const executions = () => db.sql<Record<string, unknown>[]>`
  select e.id, e.external_id, e.title, e.labels, e.started_at, e.ended_at, e.disagreements, e.odd, e.records, s.kind, s.name
  from executions e join sources s on s.id = e.source_id order by e.external_id`

const root = sessionLogRoot({ runs: 12 })

describe('a root of session logs', () => {
  test('is found by each content state that its verdicts leave open', async () => {
    await takeAll(root.files)
    const [first] = root.falsePositive
    const byState = async (state: string): Promise<(string | null)[]> =>
      (
        await listExecutions(db, {
          projectIds: [projectId],
          filter: { ...emptyFilter(), facets: { ...emptyFilter().facets, state: [state] } },
        })
      ).items.map(({ externalId }) => externalId)
    for (const state of ['contract_violation', 'session_error', 'complete'])
      expect(await byState(state)).toContain(first!.sessionId)
    expect(await byState('absent')).not.toContain(first!.sessionId)
    expect(await byState('contract_violation|session_error|complete')).toEqual([])
  })

  test('gives each run the verdict of its source, and one chain of all attempts of a piece of work', async () => {
    await takeAll(root.files)
    const found = new Map((await executions()).map((row) => [row.external_id as string, row.id as string]))
    const ids = root.falsePositive.map((run) => found.get(run.sessionId!)!)
    const decisions = await Promise.all(ids.map((id) => readDecision(db, [projectId], id)))
    expect(decisions.map((d) => `${d!.basis} ${d!.outcome} ${d!.retryReason} ${d!.contentState}`)).toEqual([
      ...Array(3).fill('recorded retriable resume contract_violation|session_error|complete'),
      'recorded failed budget_exhausted contract_violation|session_error|complete',
    ])
    expect(decisions[0]).toMatchObject({
      subtype: 'adjudicated_failure',
      missing: ['output', 'channel', 'completion marker', 'expected patterns'],
    })
    const [chain, ...others] = await listExecutionChains(db, [projectId], ids[3]!)
    expect(others).toEqual([])
    expect(chain).toMatchObject({ rule: 'same_kitchen_order_step_command', basis: 'inferred' })
    expect(chain!.attempts.map((one) => one.id)).toEqual(ids)
    expect(await readExecution(db, [projectId], ids[0]!)).toMatchObject({
      outcome: 'retriable',
      outcomeBasis: 'recorded',
      cause: { category: 'contract', pointer: {} },
      advice: { retry: 'cannot-help' },
    })
    const good = root.runs.find((run) => run.ending === 'success' && !run.differs)!
    expect(await readDecision(db, [projectId], found.get(good.sessionId!)!)).toMatchObject({
      basis: 'recorded',
      outcome: 'succeeded',
      retryReason: 'none',
    })
  })

  test('gives one execution for each run, with its command, times and labels', async () => {
    await takeAll(root.files)
    const found = await executions()
    expect(found.map((row) => row.external_id)).toEqual(
      root.runs.map((run) => run.sessionId ?? run.dir).sort(),
    )
    for (const run of root.runs) {
      const row = found.find((one) => one.external_id === (run.sessionId ?? run.dir))!
      expect(row).toMatchObject({
        labels: { kitchen: run.kitchen, order: run.order, step: run.step, cwd: run.cwd },
        title: run.command,
        odd: 0,
        kind: 'autoskillit',
        name: 'kitchen',
      })
      expect([
        new Date(row.started_at as string).getTime(),
        new Date(row.ended_at as string).getTime(),
      ]).toEqual([run.startedAt.getTime(), run.startedAt.getTime() + run.seconds * 1000])
      expect((row.disagreements as { fact: string }[]).map((d) => d.fact)).toEqual(
        run.differs ? ['recorded success', 'recorded subtype'] : [],
      )
    }
    expect(await db.sql`select kind, count(*)::int as n from sources group by 1`).toEqual([
      { kind: 'autoskillit', n: 1 },
    ])
  })

  test('twice changes nothing, and every record is answered as known', async () => {
    const first = await takeAll(root.files)
    const before = await storedContent(db)
    const again = await takeAll(root.files)
    expect(await storedContent(db)).toEqual(before)
    expect(again.map((a) => [a.accepted, a.duplicates, a.executions.map((e) => e.id).sort()])).toEqual(
      first.map((a) => [0, a.accepted, a.executions.map((e) => e.id).sort()]),
    )
    expect(await db.sql`select distinct version from executions where version > 20`).toEqual([])
  })

  test('in any order, together or one by one, and built anew from the bytes, it is the same', {
    timeout: 300_000,
  }, async () => {
    await takeAll(root.files)
    const wanted = await storedContent(db)
    await reingest(db)
    expect(await storedContent(db)).toEqual(wanted)
    const files = [...root.files]
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(files, { minLength: files.length }),
        fc.boolean(),
        async (shuffled, together) => {
          await forgetEverything(db)
          if (together) {
            const shared = shuffled.filter(([name]) => mayShare(bodyOf([name, 'x'])))
            const outcomes = await ingestBodies(
              db,
              shared.map((file) => bodyOf(file)),
            )
            expect(outcomes.filter((outcome) => 'error' in outcome)).toEqual([])
            await takeAll(shuffled.filter((file) => !shared.includes(file)))
          } else await takeAll(shuffled)
          expect(await storedContent(db)).toEqual(wanted)
        },
      ),
      { numRuns: 6 },
    )
  })

  test('all files at once, from many senders, give the same', async () => {
    await takeAll(root.files)
    const wanted = await storedContent(db)
    await forgetEverything(db)
    await Promise.all([...root.files].map((file) => take(file)))
    expect(await storedContent(db)).toEqual(wanted)
  })
})

describe('the index', () => {
  const index = root.files.get('sessions.jsonl')!
  const lines = index.match(/.*\n/g)!

  test('that was rewritten adds only what is new in it', async () => {
    await take(['sessions.jsonl', lines.slice(0, 6).join('')])
    const pruned = await take(['sessions.jsonl', lines.slice(3, 8).join('')])
    expect(pruned).toMatchObject({ accepted: 2, duplicates: 3, oddTotal: 0, streamId: null })
    expect(await executions()).toHaveLength(8)
    await take(['sessions.jsonl', index])
    expect(await db.sql`select count(*)::int as n from events`).toEqual([{ n: lines.length }])
  })

  test('that is sent as it grew needs no name of a stream, and no line is told wrongly', async () => {
    await take(['sessions.jsonl', lines.slice(0, 2).join('')])
    const at = lines.slice(0, 2).join('').length
    expect(await take(['sessions.jsonl', `${lines[2]}not json\n${lines[3]}`], { offset: at })).toMatchObject({
      accepted: 3,
      oddTotal: 1,
      odd: [{ line: 2, byteStart: lines[2]!.length, reason: 'not_json' }],
    })
    expect(await executions()).toHaveLength(4)
  })

  test('with a torn last line keeps that as odd, until the line is whole', async () => {
    await take(['sessions.jsonl', index])
    const wanted = await storedContent(db)
    await forgetEverything(db)
    for (const length of [100, 250, index.length - 30, index.length - 10]) {
      const answer = await take(['sessions.jsonl', index.slice(0, length)])
      expect(answer.odd.map((one) => one.reason)).toEqual(['torn_line'])
    }
    expect((await storedContent(db)).odd.map((row) => row.reason)).toEqual(['torn_line'])
    await take(['sessions.jsonl', index])
    expect(await storedContent(db)).toEqual(wanted)
    await reingest(db)
    expect(await storedContent(db)).toEqual(wanted)
  })

  test('of many lines comes in as well as of few, also those that say the same', async () => {
    const many = Array.from({ length: 1500 }, (_, n) =>
      JSON.stringify({
        session_id: `s-${n % 1200}`,
        dir_name: `s-${n % 1200}`,
        skill_command: '/x',
        success: true,
      }),
    )
    expect(await take(['sessions.jsonl', `${many.join('\n')}\n\n`])).toMatchObject({
      accepted: 1200,
      duplicates: 300,
    })
    expect(await db.sql`select count(*)::int as n from executions`).toEqual([{ n: 1200 }])
  })

  test('with lines that name no run keeps their bytes, and makes no execution of them', async () => {
    const answer = await take(['sessions.jsonl', '{"success":true}\n[1]\n\n7\n'])
    expect(answer).toMatchObject({ accepted: 3, oddTotal: 3, executions: [] })
    expect(await take(['sessions.jsonl', '{"success":true}\n[1]\n\n7\n'])).toMatchObject({
      accepted: 0,
      duplicates: 3,
    })
    expect(await db.sql`select count(*)::int as n from executions`).toEqual([{ n: 0 }])
    expect(await db.sql`select count(*)::int as n from received`).toEqual([{ n: 3 }])
  })
})

describe('a file of a run', () => {
  const run = root.runs.find((one) => one.ending === 'success')!
  const name = `sessions/${run.dir}/summary.json`
  const summary = root.files.get(name)!

  test('that was torn is whole once it came whole', async () => {
    await take([name, summary])
    const wanted = await storedContent(db)
    await forgetEverything(db)
    expect(await take([name, summary.slice(0, 20)])).toMatchObject({
      odd: [{ reason: 'torn_line' }],
      executions: [{ externalId: run.dir }],
    })
    // The beginning of every summary is the same: that of another run must not be taken for the rest of this one.
    const other = root.runs.find((one) => one !== run && one.sessionId !== null)!
    await take([`sessions/${other.dir}/summary.json`, root.files.get(`sessions/${other.dir}/summary.json`)!])
    expect((await executions()).map((row) => [row.external_id, row.odd])).toEqual(
      [
        [run.dir, 1],
        [other.dir, 0],
      ].sort(),
    )
    await take([name, summary])
    await db.sql`delete from executions where external_id = ${other.dir}`
    expect((await storedContent(db)).executions).toEqual(wanted.executions)
  })

  test('is known in whatever folder it was found', async () => {
    await take([name, summary])
    expect(await take([`${run.dir}/summary.json`, summary])).toMatchObject({ accepted: 0, duplicates: 1 })
  })

  test('that says something else later is kept beside the first, and the difference told', async () => {
    await take([name, summary])
    await take([name, summary.replace('"exit_code": -15', '"exit_code": 3')])
    const [row] = await executions()
    expect(row).toMatchObject({
      external_id: run.dir,
      records: 2,
      disagreements: [{ fact: 'recorded exit code' }],
    })
  })

  test('that is the text of a crash comes in whole, and twice is once', async () => {
    const crash = [...root.files].find(([path]) => path.endsWith('crash_exception.txt'))!
    await take(crash)
    expect(await take(crash)).toMatchObject({ accepted: 0, duplicates: 1, oddTotal: 0 })
    expect(await db.sql`select type, length, facts->'recorded'->>'crash' as crash from events`).toEqual([
      {
        type: 'crash_exception.txt',
        length: crash[1].length,
        crash: "FileNotFoundError: [Errno 2] No such file or directory: 'claude'",
      },
    ])
    const before = await storedContent(db)
    await reingest(db)
    expect(await storedContent(db)).toEqual(before)
  })
})

describe('the transcript of the same session', () => {
  const run = root.runs.find((one) => one.sessionId !== null)!
  const own: [string, string][] = [
    ...[...root.files].filter(([path]) => path.includes(run.dir)),
    [
      'sessions.jsonl',
      root.files
        .get('sessions.jsonl')!
        .match(/.*\n/g)!
        .find((line) => line.includes(run.dir))!,
    ],
  ]
  const S = run.sessionId!
  const main = new Transcript({ sessionId: S, cwd: run.cwd })
    .user('review it')
    .call('Task', { prompt: 'look', subagent_type: 'reviewer' }, { ok: 'looked' })
  const withChild = main.text.replace('"stdout":"looked"', '"agentId":"a1","stdout":"looked"')
  const child = new Transcript({ sessionId: S, agentId: 'a1' }).user('look').says('looked').text
  const takeTranscript = (text: string, fileName: string, name = 'kitchen') =>
    ingestBody(db, {
      projectId,
      source: { kind: 'claude-code', name },
      kind: 'claude-transcript',
      bytes: Buffer.from(text),
      fileName,
    })
  const steps = [
    () => takeAll(own),
    () => takeTranscript(withChild, `${S}.jsonl`),
    () => takeTranscript(child, `${S}/subagents/agent-a1.jsonl`),
  ]
  const family = async () => {
    const rows = await db.sql<{ id: string; external_id: string; parent: string | null }[]>`
      select e.id, e.external_id, p.external_id as parent from executions e left join executions p on p.id = e.parent_id order by 2`
    const { items } = await listCalls(db, { projectIds: [projectId], id: rows[0]!.id })
    return {
      rows: rows.map(({ external_id, parent }) => [external_id, parent]),
      childId: items[0]?.childId === rows[1]?.id,
    }
  }

  test.each([[[0, 1, 2]], [[1, 0, 2]], [[2, 0, 1]], [[2, 1, 0]], [[0, 2, 1]]])(
    'is the same execution, and its sub-agents stay its own, in the order %j',
    async (order) => {
      for (const step of order) await steps[step]!()
      expect(await family()).toEqual({
        rows: [
          [S, null],
          [`${S}/agent-a1`, S],
        ],
        childId: true,
      })
      expect((await executions())[0]).toMatchObject({
        title: run.command,
        labels: { kitchen: run.kitchen, branch: 'main' },
      })
      expect(await db.sql`select kind from sources order by 1`).toEqual([
        { kind: 'autoskillit' },
        { kind: 'claude-code' },
      ])
    },
  )

  test('comes in at the same moment, and there is still one', async () => {
    for (let n = 0; n < 5; n++) {
      await forgetEverything(db)
      await Promise.all([
        ...own.map((file) => take(file)),
        steps[1]!(),
        take(['sessions.jsonl', root.files.get('sessions.jsonl')!]),
      ])
      expect(await db.sql`select count(*)::int as n from executions where external_id = ${S}`).toEqual([
        { n: 1 },
      ])
      expect(await db.sql`select count(*)::int as n from execution_keys where external_id = ${S}`).toEqual([
        { n: 1 },
      ])
    }
  })

  test('of another machine is another execution', async () => {
    await takeAll(own)
    await takeTranscript(withChild, `${S}.jsonl`, 'elsewhere')
    expect(await db.sql`select count(*)::int as n from executions where external_id = ${S}`).toEqual([
      { n: 2 },
    ])
  })
})
