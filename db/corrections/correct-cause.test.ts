import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { limits } from '@/lib/limits'
import { openDb } from '../client'
import { readExecution } from '../queries/execution'
import { countCorrections, listCorrections } from '../queries/cause-corrections'
import { ensureProject } from '../projects'
import { reingest } from '../rebuild/reingest'
import { Transcript } from '../seed/transcript'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { correctCause, type CorrectCause, undoCorrection } from './correct-cause'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const ANA = { actor: 'person:ana', actorName: 'Ana' }
const BEN = { actor: 'person:ben', actorName: 'Ben' }

const session = (sessionId = 'c1'): Transcript =>
  new Transcript({ sessionId, cwd: '/srv/shop' })
    .user('mend it')
    .call('Read', { file_path: '/srv/shop/missing.ts' }, { fails: 'File does not exist.' })
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\n1 failed' })
    .call('Bash', { command: 'npm run lint' }, { ok: 'ok' })

const take = async (transcript: Transcript): Promise<string> =>
  (
    await ingestBody(db, {
      projectId,
      source: null,
      kind: 'claude-transcript',
      bytes: new TextEncoder().encode(transcript.text),
    })
  ).executions[0]!.id
const read = async (id: string) => (await readExecution(db, [projectId], id))!
const callIds = async (id: string): Promise<string[]> =>
  (
    await db.sql<
      { id: string }[]
    >`select call_id as id from calls where execution_id = ${id} order by ordinal`
  ).map((row) => row.id)

/** What is said of the cause as it is now. */
async function correct(executionId: string, callId: string | null, more: Partial<CorrectCause> = {}) {
  const { cause } = await read(executionId)
  return correctCause(db, {
    projectId,
    executionId,
    callId,
    reason: '',
    judged: { rule: cause!.rule, pointer: cause!.pointer },
    ...ANA,
    ...more,
  })
}
const undo = (executionId: string, correctionId: string | null = null, who = ANA) =>
  undoCorrection(db, { projectId, executionId, correctionId, ...who })
const audited = async (id: string): Promise<string[]> =>
  (
    await db.sql<{ action: string }[]>`
      select action from audit_log where action like 'cause.%' and subject = ${id} order by seq`
  ).map((row) => row.action)

test('a correction stands beside the judged cause, which stays as it was judged', async () => {
  const id = await take(session())
  const [missing, failed] = await callIds(id)
  const before = await read(id)
  expect(before.correction).toBeNull()
  const done = await correct(id, missing!, { reason: '  The file was never there\0 ' })
  expect(done).toMatchObject({
    made: true,
    correction: {
      executionId: id,
      project: 'default',
      call: { id: missing, tool: 'Read', target: '/srv/shop/missing.ts', number: 1 },
      judged: { rule: before.cause!.rule, text: before.cause!.text, callId: failed },
      reason: 'The file was never there\u2400',
      by: 'Ana',
      undone: null,
      today: 'same',
    },
  })
  const after = await read(id)
  expect(after.correction).toEqual('correction' in done && done.correction)
  expect({ ...after, correction: null }).toEqual(before)
})

test('nothing needs attention is said without a call', async () => {
  const id = await take(session())
  expect(await correct(id, null)).toMatchObject({ correction: { call: null } })
})

test('said twice it is stored once, and a second opinion needs the first to be undone', async () => {
  const id = await take(session())
  const [missing] = await callIds(id)
  const first = await correct(id, missing!)
  expect(await correct(id, missing!)).toEqual({ ...first, made: false })
  expect(await correct(id, null)).toEqual({ refused: 'corrected', by: 'Ana' })
  expect(await correct(id, missing!, BEN)).toEqual({ refused: 'corrected', by: 'Ana' })
  expect(await undo(id, null, BEN)).toMatchObject({ undone: { by: 'Ben' } })
  expect((await read(id)).correction).toBeNull()
  expect(await correct(id, null, BEN)).toMatchObject({ made: true, correction: { by: 'Ben' } })
  expect(await audited(id)).toEqual(['cause.correct', 'cause.correct-undo', 'cause.correct'])
})

test('of many at once one is stored and named to the others', async () => {
  const id = await take(session())
  const [missing] = await callIds(id)
  const more = openDb(db.url, { max: 8 })
  try {
    const { cause } = await read(id)
    const judged = { rule: cause!.rule, pointer: cause!.pointer }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        correctCause(more, {
          projectId,
          executionId: id,
          callId: n % 2 === 0 ? missing! : null,
          reason: '',
          judged,
          actor: `person:${n}`,
          actorName: `Person ${n}`,
        }),
      ),
    )
    expect(answers.filter((one) => 'made' in one && one.made)).toHaveLength(1)
    expect(answers.filter((one) => 'refused' in one && one.refused === 'corrected')).toHaveLength(7)
    expect(await db.sql`select count(*)::int as n from cause_corrections`).toEqual([{ n: 1 }])
    expect(await audited(id)).toHaveLength(1)
  } finally {
    await more.sql.end()
  }
})

test('a call that is not there, did not fail or is of another execution is refused', async () => {
  const id = await take(session())
  const [, , lint] = await callIds(id)
  const foreign = await take(session('c2').call('Bash', { command: 'make' }, { fails: 'Exit code 2' }))
  const theirs = (await callIds(foreign)).at(-1)!
  expect(await correct(id, 'no-such')).toEqual({ refused: 'no-such-call' })
  expect(await correct(id, theirs)).toEqual({ refused: 'no-such-call' })
  expect(await correct(id, lint!)).toEqual({ refused: 'not-failed' })
})

test('a cause that changed since it was read is not corrected', async () => {
  const id = await take(session())
  const [missing] = await callIds(id)
  const { cause } = await read(id)
  const judged = { rule: cause!.rule, pointer: cause!.pointer }
  await take(session().call('Bash', { command: 'npm run build' }, { fails: 'Exit code 2\nbroken' }))
  expect(await correct(id, missing!, { judged })).toEqual({ refused: 'changed' })
  expect(await correct(id, missing!)).toMatchObject({ made: true })
})

test('an execution without a cause has none to correct', async () => {
  const id = await take(new Transcript({ sessionId: 'c3' }).user('go').says('done'))
  expect((await read(id)).cause).toBeNull()
  const given = {
    projectId,
    executionId: id,
    callId: null,
    reason: '',
    judged: { rule: null, pointer: null },
  }
  expect(await correctCause(db, { ...given, ...ANA })).toEqual({ refused: 'no-cause' })
})

test('undoing what is undone changes nothing, and never another correction', async () => {
  const id = await take(session())
  const done = await correct(id, null)
  const first = 'correction' in done ? done.correction.id : ''
  const undone = await undo(id, first)
  expect(undone).toMatchObject({ id: first, undone: { by: 'Ana' } })
  expect(await undo(id, first, BEN)).toEqual(undone)
  expect(await undo(id)).toBeNull()
  await correct(id, null, BEN)
  expect(await undo(id, first)).toEqual({ refused: 'corrected', by: 'Ben' })
  expect((await read(id)).correction).toMatchObject({ by: 'Ben' })
})

test('a correction survives new records and a rebuild, and says when the cause became another one', async () => {
  const id = await take(session())
  const [missing] = await callIds(id)
  await correct(id, missing!)
  await reingest(db, {})
  const [again] = await db.sql<{ id: string }[]>`select id from executions`
  expect((await read(again!.id)).correction).toMatchObject({ call: { number: 1 }, today: 'same' })
  await take(session().call('Bash', { command: 'npm run build' }, { fails: 'Exit code 2\nbroken' }))
  expect((await read(id)).correction).toMatchObject({ call: { number: 1 }, today: 'other' })
  await db.sql`update executions set cause_params = jsonb_set(cause_params, '{call,number}', '1') where id = ${id}`
  expect((await read(id)).correction).toMatchObject({ today: 'agrees' })
})

test('a call that the execution no longer has is named by its id', async () => {
  const id = await take(session())
  const [missing] = await callIds(id)
  await correct(id, missing!)
  await db.sql`delete from calls where call_id = ${missing!}`
  expect((await read(id)).correction).toMatchObject({
    call: { id: missing, tool: null, target: null, number: null },
  })
})

test('corrections are listed newest first, page by page, by rule and by state, in the projects of the reader', async () => {
  const ids: string[] = []
  for (const n of [1, 2, 3]) {
    const id = await take(session(`list${n}`))
    ids.unshift(id)
    await correct(id, null)
  }
  await undo(ids[0]!)
  const rule = (await read(ids[0]!)).cause!.rule
  const list = async (more: object = {}) => {
    const page = await listCorrections(db, { projectIds: [projectId], ...more })
    return { ids: page.items.map((one) => one.executionId), nextCursor: page.nextCursor }
  }
  expect(await list()).toEqual({ ids, nextCursor: null })
  const first = await list({ limit: 2 })
  expect(first.ids).toEqual(ids.slice(0, 2))
  expect(await list({ limit: 2, cursor: first.nextCursor })).toEqual({ ids: ids.slice(2), nextCursor: null })
  expect((await list({ state: 'undone' })).ids).toEqual(ids.slice(0, 1))
  expect((await list({ state: 'active' })).ids).toEqual(ids.slice(1))
  expect((await list({ rule })).ids).toEqual(ids)
  expect((await list({ rule: 'another' })).ids).toEqual([])
  expect((await list({ projectIds: [] })).ids).toEqual([])
  const other = await ensureProject(db.sql, { slug: 'other', name: 'Other' })
  expect((await list({ projectIds: [other.id] })).ids).toEqual([])
})

test('each rule is counted with the executions that it gave the cause of', async () => {
  const ids = [await take(session('n1')), await take(session('n2')), await take(session('n3'))]
  const quiet = await take(
    new Transcript({ sessionId: 'n4' })
      .user('go')
      .call('Bash', { command: 'make' }, { fails: 'Exit code 2' })
      .call('Bash', { command: 'make' }, { ok: 'ok' })
      .says('done'),
  )
  const [missing] = await callIds(ids[0]!)
  await correct(ids[0]!, missing!)
  await correct(ids[1]!, null)
  await correct(ids[2]!, null)
  await undo(ids[2]!)
  const { rule } = (await read(ids[0]!)).cause!
  const other = (await read(quiet)).cause!.rule
  expect(other).not.toBe(rule)
  expect(await countCorrections(db, [projectId])).toEqual([
    { rule, corrected: 2, nothing: 1, shown: 3 },
    { rule: other, corrected: 0, nothing: 0, shown: 1 },
  ])
  // What an older version wrote has no rule.
  await db.sql`update executions set cause_rule = null where id = ${ids[0]!}`
  await db.sql`update cause_corrections set cause_rule = null where execution_id = ${ids[0]!}`
  expect(await countCorrections(db, [projectId])).toEqual([
    { rule, corrected: 1, nothing: 1, shown: 2 },
    { rule: null, corrected: 1, nothing: 0, shown: 0 },
    { rule: other, corrected: 0, nothing: 0, shown: 1 },
  ])
})

test('counting executions of a rule stops at its limit', async () => {
  await take(session('m1'))
  await db.sql`
    insert into executions (project_id, id, source_id, external_id, outcome, outcome_basis, outcome_rule, outcome_because, usage, sort_at, cause_rule)
    select ${projectId}, gen_random_uuid(), gen_random_uuid(), 'x' || n, 'failed', 'inferred', 'r', 'b', '{}', now(), 'often'
    from generate_series(1, ${limits.countMax + 5}) n`
  expect((await countCorrections(db, [projectId])).find(({ rule }) => rule === 'often')).toEqual({
    rule: 'often',
    corrected: 0,
    nothing: 0,
    shown: limits.countMax + 1,
  })
})
