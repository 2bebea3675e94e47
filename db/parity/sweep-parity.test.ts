import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Transcript } from '../seed/transcript'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { checkInTurn, noteOtherCode, sweepParity, type SweepOptions } from './sweep-parity'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const session = (n: number) => `0d0d0d0d-0000-4000-8000-${String(n).padStart(12, '0')}`
const transcript = (n: number, calls = 3) => {
  const made = new Transcript({ sessionId: session(n) }).user('go')
  for (let i = 0; i < calls; i++)
    made.call('Bash', { command: `step ${i}` }, i % 2 ? { ok: 'ok' } : { fails: 'Exit code 1' })
  return made
}
const take = async (n: number, calls?: number): Promise<string> =>
  (
    await ingestBody(db, {
      projectId,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(transcript(n, calls).text),
    })
  ).executions[0]!.id
/** As if the wait were over. */
const letBeDue = () =>
  db.sql`update parity_standing set due_at = now() - interval '1 second' + interval '1 millisecond' * (hashtext(execution_id::text) % 100) where due_at < now() + interval '1 day'`
const pauses: number[] = []
const sweep = (options: Partial<SweepOptions> = {}) =>
  sweepParity(db, {
    budgetMs: 60_000,
    withinMs: 60_000,
    check: (order) => checkInTurn(db, order),
    pause: (ms) => Promise.resolve(void pauses.push(ms)),
    ...options,
  })
const checks = () =>
  db.sql<
    { execution_id: string; trigger: string; verdict: string }[]
  >`select execution_id, trigger, verdict from parity_checks order by checked_at, id`

test('rows that were changed are found, and what did not change is not checked again', async () => {
  const [whole, changed] = [await take(1), await take(2)]
  expect(await sweep(), 'more may still come').toMatchObject({ checked: 0 })
  await db.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update executions set cause_text = 'all is well' where id = ${changed}`
  })
  await letBeDue()
  expect(await sweep()).toMatchObject({ checked: 2, gaveWay: 0 })
  expect(
    Object.fromEntries((await checks()).map((row) => [row.execution_id, [row.trigger, row.verdict]])),
  ).toEqual({ [whole]: ['terminal', 'equal'], [changed]: ['terminal', 'different'] })
  expect(await db.sql`select path from parity_places`).toEqual([{ path: '/execution/cause_text' }])
  await letBeDue()
  expect(await sweep()).toMatchObject({ checked: 0 })
  await take(1, 5)
  await letBeDue()
  expect(await sweep()).toMatchObject({ checked: 1 })
  expect((await checks()).at(-1)).toEqual({ execution_id: whole, trigger: 'terminal', verdict: 'equal' })
})

/** Checks that take ten milliseconds each and are only counted. */
function told() {
  let now = 0
  const order: string[] = []
  const check: SweepOptions['check'] = ({ executionId }) => {
    now += 10
    order.push(executionId)
    return Promise.resolve('checked')
  }
  return { order, options: { check, clock: () => now } }
}
const waiting = (count: number, dueFor: string, age: string) => db.sql<{ execution_id: string }[]>`
  insert into parity_standing (project_id, execution_id, due_at, due_for)
  select ${projectId}, gen_random_uuid(), now() - ${age}::interval - n * interval '1 second', ${dueFor} from generate_series(1, ${count}::int) n returning execution_id`

test('what has just ended is checked in the next sweep, though a thousand others are due', async () => {
  await waiting(1_000, 'sweep', '1 day')
  await waiting(1_000, 'terminal', '1 hour')
  const id = await take(1)
  await db.sql`update parity_standing set due_at = date_trunc('milliseconds', now()) where execution_id = ${id}`
  const { order, options } = told()
  await sweep({ ...options, budgetMs: 10 })
  expect(order[0]).toBe(id)
})

test('what ends while others are checked comes next', async () => {
  await waiting(50, 'terminal', '1 hour')
  const id = await take(1)
  const { order, options } = told()
  const check: SweepOptions['check'] = async (one) => {
    if (order.length === 5)
      await db.sql`update parity_standing set due_at = date_trunc('milliseconds', now()) where execution_id = ${id}`
    return options.check(one)
  }
  await sweep({ ...options, check, budgetMs: 100 })
  expect(order.indexOf(id)).toBeOneOf([6, 7])
})

test('a share of the work belongs to what has been due longest, also where one check uses up the budget', async () => {
  const old = (await waiting(200, 'sweep', '1 day')).map((row) => row.execution_id)
  await waiting(200, 'terminal', '1 hour')
  const ofOld = async (budgetMs: number) => {
    const { order, options } = told()
    await sweep({ ...options, budgetMs })
    return [order.length, order.filter((id) => old.includes(id)).length]
  }
  expect(await ofOld(400)).toEqual([40, 10])
  expect(await ofOld(1)).toEqual([2, 1])
})

test('what has been due longest comes first where nothing has just ended, and the work rests between checks', async () => {
  const ids = [await take(1), await take(2), await take(3)]
  await db.sql`update parity_standing set due_for = 'sweep', due_at = now() - interval '1 hour' * array_position(${ids}::uuid[], execution_id)`
  expect(await sweep({ budgetMs: 1 }), 'the check that uses up the budget is the last one').toMatchObject({
    checked: 1,
  })
  expect((await checks()).map((row) => row.execution_id)).toEqual([ids[2]])
  pauses.length = 0
  expect(await sweep({ budgetMs: 6_000 })).toMatchObject({ checked: 2 })
  expect((await checks()).map((row) => row.execution_id)).toEqual([ids[2], ids[1], ids[0]])
  expect(pauses.length, 'it rests between them').toBeGreaterThan(0)
  expect(pauses.every((ms) => ms > 0 && ms <= 1_000)).toBe(true)
})

test('nothing begins once it is stopped', async () => {
  await take(1)
  await letBeDue()
  expect(await sweep({ isStopped: () => true })).toEqual({ checked: 0, gaveWay: 0, workMs: 0 })
})

test('an execution that waits for its analysis waits for its check too', async () => {
  await take(1)
  await letBeDue()
  await db.sql`update executions set dirty = true`
  expect(await sweep()).toMatchObject({ checked: 0 })
  expect(await db.sql`select due_at > now() as later from parity_standing`).toEqual([{ later: true }])
})

test('what is in the way, and what breaks, is tried later and keeps nobody else from being checked', async () => {
  const ids = [await take(1), await take(2), await take(3)]
  await letBeDue()
  const errors: string[] = []
  const swept = await sweep({
    check: (order) =>
      order.executionId === ids[0]
        ? Promise.resolve('in-the-way' as const)
        : order.executionId === ids[1]
          ? Promise.reject(new Error('broke'))
          : checkInTurn(db, order),
    onError: (error, id) => errors.push(`${id} ${String(error)}`),
  })
  expect(swept).toMatchObject({ checked: 1, gaveWay: 1 })
  expect(errors).toEqual([`${ids[1]} Error: broke`])
  expect(
    await db.sql`select array_position(${ids}::uuid[], execution_id) as n, due_at > now() as later, due_at > now() + interval '10 minutes' as much from parity_standing order by 1`,
  ).toEqual([
    { n: 1, later: true, much: false },
    { n: 2, later: true, much: true },
    { n: 3, later: true, much: true },
  ])
})

test('of an execution that is gone nothing stays due', async () => {
  await db.sql`insert into parity_standing (project_id, execution_id, due_at, due_for) values (${projectId}, gen_random_uuid(), now() - interval '1 hour', 'sweep')`
  await sweep()
  expect(await db.sql`select 1 from parity_standing`).toEqual([])
})

test('what other code has compared is due again within a day, each at a time of its own, and never later than it was', async () => {
  const ids = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => take(n)))
  await letBeDue()
  await sweep()
  const due = () =>
    db.sql<
      { id: string; hours: number }[]
    >`select execution_id as id, extract(epoch from due_at - now())::float8 / 3600 as hours from parity_standing order by array_position(${ids}::uuid[], execution_id)`
  const before = await due()
  await noteOtherCode(db)
  expect((await due()).map(({ hours }) => Math.round(hours))).toEqual(
    before.map(({ hours }) => Math.round(hours)),
  )
  await db.sql`update parity_standing set compared_by = '0.0.1+1', due_at = case execution_id when ${ids[0]!} then null when ${ids[1]!} then now() + interval '1 minute' else due_at end`
  await noteOtherCode(db)
  const after = await due()
  expect(after.every(({ hours }) => hours > 0 && hours <= 24)).toBe(true)
  expect(after[1]!.hours).toBeLessThan(0.02)
  expect(new Set(after.map(({ hours }) => hours.toFixed(3))).size).toBeGreaterThan(3)
  // A server that is started again does not put them off.
  await noteOtherCode(db)
  const again = await due()
  expect(again.every(({ hours }, i) => Math.abs(hours - after[i]!.hours) < 0.02)).toBe(true)
})

test('imports beside a sweep are taken in whole, and what is stored is what they leave without one', async () => {
  const all = Array.from({ length: 6 }, (_, n) => n)
  for (const n of all) await take(n, 12)
  const wanted = await storedContent(db)
  await forgetEverything(db)
  for (const n of all) await take(n, 2)
  let done = false
  const sweeping = (async () => {
    const sum = { checked: 0, gaveWay: 0 }
    while (!done) {
      await db.sql`update parity_standing set due_at = date_trunc('milliseconds', now())`
      const { checked, gaveWay } = await sweep({ budgetMs: 500 })
      sum.checked += checked
      sum.gaveWay += gaveWay
    }
    return sum
  })()
  for (const calls of [5, 8, 12]) await Promise.all(all.map((n) => take(n, calls)))
  done = true
  expect((await sweeping).checked).toBeGreaterThan(0)
  expect(await storedContent(db)).toEqual(wanted)
  await db.sql`update parity_standing set due_at = date_trunc('milliseconds', now())`
  expect(
    await sweep({
      onError: (error) => {
        throw error
      },
    }),
  ).toMatchObject({ checked: 6, gaveWay: 0 })
  expect(new Set((await checks()).slice(-6).map((row) => row.verdict))).toEqual(new Set(['equal']))
  expect((await checks()).filter((row) => row.verdict === 'different')).toEqual([])
})
