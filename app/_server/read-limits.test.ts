import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as facets from '@/app/api/v1/executions/facets/route'
import * as list from '@/app/api/v1/executions/route'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import { Transcript } from '@/db/seed/transcript'
import { problemDocument } from '@/lib/api/schemas'
import { db } from './db'
import { ask, ORIGIN, openWorld, type World } from './test-support'

let world: World
let key: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(['read'])
  await ask(list.GET, '/api/v1/executions', { key }) // the use of the key is noted before anything is locked
})
afterAll(() => world.close())

const waiting = async (): Promise<number> => {
  const [row] = await world.db.sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return row!.n
}
const until = async (isSo: (n: number) => boolean): Promise<void> => {
  while (!isSo(await waiting())) await sleep(20)
}

/** Does this while nobody can read executions. */
const whileLocked = (work: () => Promise<void>): Promise<void> =>
  world.db.sql.begin(async (tx) => {
    await tx`lock table executions, facet_counts in access exclusive mode`
    await work()
  }) as Promise<void>

test.each([
  ['the list', list.GET, '/api/v1/executions'],
  ['the facets', facets.GET, '/api/v1/executions/facets?q=outcome:failed'],
])('statements of %s end when the client leaves', async (_name, handler, path) => {
  await whileLocked(async () => {
    const leave = new AbortController()
    const request = new Request(ORIGIN + path, {
      headers: { authorization: `Bearer ${key}` },
      signal: leave.signal,
    })
    const answered = handler(request, { params: Promise.resolve({}) })
    await until((n) => n > 0)
    leave.abort()
    expect((await answered).status).toBe(499)
    await until((n) => n === 0)
  })
})

test('a cancelled statement is answered with 503 and says when to try again', async () => {
  await whileLocked(async () => {
    const answered = ask(list.GET, '/api/v1/executions', { key })
    await until((n) => n > 0)
    await world.db.sql`
      select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    const response = await answered
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
    expect(problemDocument.parse(await response.json()).type).toBe('/problems/too-slow')
  })
})

test('a request that gets no connection is answered with 503 busy and says when to try again', async () => {
  const { sql } = db()
  const free = new AbortController()
  const freed = new Promise((resolve) => free.signal.addEventListener('abort', resolve))
  let held = 0
  const holders = Array.from({ length: sql.options.max }, () =>
    sql.begin(async () => {
      held++
      await freed
    }),
  )
  await expect.poll(() => held).toBe(sql.options.max)
  const [read, write] = await Promise.all([
    ask(list.GET, '/api/v1/executions', { key }),
    ask(ingest.POST, '/api/v1/ingest/claude-transcript', {
      method: 'POST',
      params: { kind: 'claude-transcript' },
      key: await world.key(['ingest']),
      body: new Transcript({ sessionId: 'while-busy' }).user('Go').text,
    }),
  ])
  free.abort()
  await Promise.all(holders)
  for (const response of [read, write]) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(problemDocument.parse(await response.json()).type).toBe('/problems/busy')
  }
  const again = await ask(list.GET, '/api/v1/executions', { key })
  expect([again.status, (await again.json()).items]).toEqual([200, []])
})

test('an address with a NUL is refused with 400', async () => {
  for (const path of [
    '/api/v1/executions?q=%00',
    '/api/v1/executions?project=a%00',
    '/api/v1/executions?%00=1',
  ])
    expect((await ask(list.GET, path, { key })).status).toBe(400)
})
