import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startJobs } from '../../jobs/start'
import { Transcript } from '../../seed/transcript'
import { forgetEverything, storedContent } from '../../testing/content'
import { testDb, type TestDb } from '../../testing/test-db'
import { analyseDirty, analyseExecutions } from './analyse'
import { checkParity } from '../../parity/check-parity'
import { ingestBodies, ingestBody } from '../ingest'
import { ensureProject } from '../../projects'
import { retryQuarantined } from './quarantine'
import { reingest } from '../../rebuild/reingest'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  // What an analysis came to of such an execution is refused with this code; what is noted of its failure is not.
  await db.sql.unsafe(`
    create table broken (external_id text primary key, code text not null);
    create function refuse_broken() returns trigger language plpgsql as $$
    declare wanted text;
    begin
      select code into wanted from broken where external_id = new.external_id;
      if wanted is not null then raise exception 'refused' using errcode = wanted; end if;
      return new;
    end $$;
    create trigger refuse_made before insert on executions for each row when (new.analysis_failure is null) execute function refuse_broken();
    create trigger refuse_changed before update on executions for each row
      when (new.analysis_failure is null and (new.digest <> old.digest or (old.dirty and not new.dirty))) execute function refuse_broken()`)
})
afterEach(async () => {
  await mend()
  await forgetEverything(db)
})
afterAll(() => db.close())

const session = (n: number): string => `0d0d0d0d-0000-4000-8000-00000000000${n}`
const breakAnalysis = async (n: number, code = '22023'): Promise<void> => {
  await db.sql`insert into broken values (${session(n)}, ${code}) on conflict (external_id) do update set code = excluded.code`
}
const mend = async (): Promise<void> => {
  await db.sql`delete from broken`
}
const transcript = (n: number): Transcript =>
  new Transcript({ sessionId: session(n) })
    .user('go')
    .call('Bash', { command: 'false' }, { fails: 'Exit code 1' })
const bodyOf = (text: string) => ({
  projectId,
  source: null,
  kind: 'claude-transcript' as const,
  bytes: Buffer.from(text),
})
const take = (text: string) => ingestBody(db, bodyOf(text))
const rows = () =>
  db.sql<Record<string, unknown>[]>`
    select external_id, outcome, outcome_rule, records, failed_calls, dirty, analysis_failure->>'error' as error, (analysis_failure->>'attempts')::int as attempts
    from executions order by external_id`

test('a body whose analysis breaks is kept, and its execution is listed as unknown with the error', async () => {
  await breakAnalysis(1)
  const { accepted, executions } = await take(transcript(1).text)
  expect(accepted).toBe(3)
  expect(executions).toEqual([
    expect.objectContaining({ externalId: session(1), outcome: 'unknown', analysisFailed: true }),
  ])
  expect(await rows()).toEqual([
    {
      external_id: session(1),
      outcome: 'unknown',
      outcome_rule: 'analysis_failed',
      records: 3,
      failed_calls: 0,
      dirty: false,
      error: 'PostgresError 22023',
      attempts: 1,
    },
  ])
  const [row] = await db.sql`select analysis_failure as failure, started_at from executions`
  expect(row!.failure).toMatchObject({
    message: 'refused',
    version: expect.stringMatching(/^\d/),
  })
  expect(row!.started_at).not.toBeNull()
  expect(await db.sql`select count(*)::int as n from events`).toEqual([{ n: 3 }])
})

test('bodies that share a transaction with a broken one are taken in and analysed', async () => {
  await breakAnalysis(2)
  const outcomes = await ingestBodies(
    db,
    [1, 2, 3].map((n) => bodyOf(transcript(n).text)),
  )
  expect(outcomes.map((one) => ('answer' in one ? one.answer.executions[0]!.outcome : one.error))).toEqual([
    'failed',
    'unknown',
    'failed',
  ])
  expect((await rows()).map(({ error, failed_calls }) => [error, failed_calls])).toEqual([
    [null, 1],
    ['PostgresError 22023', 0],
    [null, 1],
  ])
})

test('an execution of which a note for others is refused is quarantined, and the others of its transaction are published', async () => {
  await db.sql.unsafe(`
    create function refuse_note() returns trigger language plpgsql as $$ begin
      if exists (select from execution_keys where execution_id = new.execution_id and external_id = '${session(2)}')
        then raise exception 'refused' using errcode = '23514'; end if;
      return new; end $$;
    create trigger refuse_note before insert on parity_standing for each row execute function refuse_note()`)
  try {
    const outcomes = await ingestBodies(
      db,
      [1, 2, 3].map((n) => bodyOf(transcript(n).text)),
    )
    expect(outcomes.map((one) => ('answer' in one ? one.answer.accepted : one.error))).toEqual([3, 3, 3])
    expect((await rows()).map(({ outcome, error }) => [outcome, error])).toEqual([
      ['failed', null],
      ['unknown', 'PostgresError 23514'],
      ['failed', null],
    ])
    expect(await db.sql`select count(*)::int as n from parity_standing`).toEqual([{ n: 2 }])
    expect(
      await db.sql`select value, sum(n)::int as n from facet_deltas where facet = 'outcome' group by 1 order by 1`,
    ).toEqual([
      { value: 'failed', n: 2 },
      { value: 'unknown', n: 1 },
    ])
  } finally {
    await db.sql`drop function refuse_note cascade`
  }
})

test('an execution that was analysed before keeps what it says, and new input that can be analysed clears the mark', async () => {
  const more = transcript(1).call('Bash', { command: 'true' }, { ok: 'ok' })
  const longest = transcript(1).call('Bash', { command: 'true' }, { ok: 'ok' }).says('done')
  await take(transcript(1).text)
  const [before] = await rows()
  await breakAnalysis(1)
  await take(more.text)
  expect(await rows()).toEqual([{ ...before, error: 'PostgresError 22023', attempts: 1 }])
  await analyseExecutions(
    db,
    (await db.sql`select id from executions`).map((row) => row.id as string),
  )
  expect(await rows()).toEqual([{ ...before, error: 'PostgresError 22023', attempts: 2 }])
  await mend()
  await take(longest.text)
  const after = await storedContent(db)
  expect((await rows())[0]).toMatchObject({ error: null, records: 6 })
  await forgetEverything(db)
  await take(longest.text)
  expect({ ...after, events: [] }).toEqual({ ...(await storedContent(db)), events: [] })
})

test('the deferred analysis goes on behind a broken execution, and does not come back to it', async () => {
  for (const n of [1, 2, 3]) await take(transcript(n).text)
  await db.sql`update executions set dirty = true`
  await breakAnalysis(1)
  expect(await analyseDirty(db, { quietMs: 0 })).toBe(3)
  expect((await rows()).map(({ dirty, error }) => [dirty, error])).toEqual([
    [false, 'PostgresError 22023'],
    [false, null],
    [false, null],
  ])
  expect(await analyseDirty(db, { quietMs: 0 })).toBe(0)
})

test('reingest goes on behind a broken execution, counts it, and clears the mark once it can be analysed', async () => {
  for (const n of [1, 2, 3]) await take(transcript(n).text)
  const before = await storedContent(db)
  await breakAnalysis(2)
  expect(await reingest(db)).toMatchObject({ streams: 3, executions: 3, quarantined: 1 })
  expect((await rows()).map(({ error }) => error)).toEqual([null, 'PostgresError 22023', null])
  await mend()
  expect(await reingest(db)).toMatchObject({ streams: 3, executions: 3, quarantined: 0 })
  expect(await storedContent(db)).toEqual(before)
})

test('another version of Inquest tries again', async () => {
  await breakAnalysis(1)
  await take(transcript(1).text)
  expect(await retryQuarantined(db.sql)).toBe(0)
  await db.sql`update executions set analysis_failure = analysis_failure || '{"version": "0.0.1"}'`
  await mend()
  const jobs = await startJobs(db.url)
  await vi.waitFor(
    async () =>
      expect((await rows())[0]).toMatchObject({
        error: null,
        failed_calls: 1,
        outcome_rule: expect.not.stringMatching('analysis_failed'),
      }),
    { timeout: 20_000, interval: 100 },
  )
  await jobs.stop()
})

test('what the database refuses of one execution is a fault of its data; a database that is away, full or busy is none', async () => {
  for (const code of ['22003', '23514', '54000']) {
    await breakAnalysis(1, code)
    expect((await take(transcript(1).text)).executions[0], code).toMatchObject({ outcome: 'unknown' })
    expect((await rows())[0]).toMatchObject({ error: `PostgresError ${code}` })
    await forgetEverything(db)
  }
  await take(transcript(1).text)
  for (const code of ['53100', '57P01', '08006', '40P01', '42703']) {
    await breakAnalysis(2, code)
    await expect(take(transcript(2).text), code).rejects.toMatchObject({ code })
  }
  expect(await rows()).toHaveLength(1)
})

test('an error of the program itself is named by its class', async () => {
  const { executions } = await take(transcript(1).text)
  // Facts of another shape than the analysis of today expects.
  await db.sql.begin(async (tx) => {
    await tx`set local inquest.rebuilding = 'on'`
    await tx`update events set facts = '{"calls": 5}' where byte_offset = 0`
  })
  const [analysed] = await analyseExecutions(db, [executions[0]!.id])
  expect(analysed).toMatchObject({ outcome: 'failed', failure: { error: 'TypeError' } })
  expect((await rows())[0]).toMatchObject({ outcome: 'failed', error: 'TypeError', failed_calls: 1 })
  expect(await reingest(db)).toMatchObject({ quarantined: 0 })
  expect((await rows())[0]).toMatchObject({ error: null, failed_calls: 1 })
})

test('the layers of a quarantined execution are told as incomplete, and nothing breaks', async () => {
  await breakAnalysis(1)
  const { executions } = await take(transcript(1).text)
  const check = await checkParity(db, [projectId], executions[0]!.id, { trigger: 'demand' })
  expect(check!.layers.map(({ layer, state }) => [layer, state])).toEqual([
    ['source', 'incomplete'],
    ['persisted', 'incomplete'],
  ])
})
