import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as live from '@/app/api/v1/live/route'
import * as ready from '@/app/readyz/route'
import * as list from '@/app/api/v1/executions/route'
import * as betterAuth from '@/app/api/auth/[...all]/route'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import { freezingRelay } from '@/db/testing/freezing-relay'
import { Transcript } from '@/db/seed/transcript'
import { ensureProject } from '@/db/projects'
import { readiness } from '@/lib/api/admin-schemas'
import { problemDocument } from '@/lib/api/schemas'
import { ingestAnswer } from '@/lib/api/ingest-schemas'
import { countLiveStreams } from './live-streams'
import { runClosersForTests } from './shutdown'
import { db } from './db'
import { ask, openWorld, ORIGIN, type World } from './test-support'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

interface Heard {
  change: { type: string; id: string | null }
  id: string
}

/** Reads a stream until the wanted number of events was heard, then leaves it. */
async function hear(
  response: Response,
  count: number,
  whileOpen: () => Promise<unknown> = async () => undefined,
): Promise<Heard[]> {
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const events = (): Heard[] =>
    [...text.matchAll(/event: change\nid: (\S+)\ndata: (.+)\n\n/g)].map((match) => ({
      id: match[1]!,
      change: JSON.parse(match[2]!) as Heard['change'],
    }))
  await whileOpen()
  while (events().length < count) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return events()
}

const open = (key: string, headers = {}, path = '/api/v1/live'): Promise<Response> =>
  ask(live.GET, path, { key, headers })
let serial = 0
const send = async (key: string): Promise<string> => {
  const session = new Transcript({
    sessionId: `11fe0000-0000-4000-8000-${String((serial += 1)).padStart(12, '0')}`,
  })
    .user('Go')
    .says('Done.')
  const response = await ask(ingest.POST, '/api/v1/ingest/claude-transcript', {
    method: 'POST',
    params: { kind: 'claude-transcript' },
    key,
    body: session.text,
  })
  return ingestAnswer.parse(await response.json()).executions[0]!.id
}

describe('the live route', () => {
  test('tells ids of what changes, to those who may read the project', async () => {
    const other = await ensureProject(world.db.sql, { slug: 'other', name: 'Other' })
    const [mine, theirs] = [await world.key(['read', 'ingest']), await world.key(['read', 'ingest'], other)]
    let id = ''
    const heard = await hear(await open(mine), 2, async () => {
      await send(theirs)
      id = await send(mine)
    })
    expect(heard.map((one) => one.change)).toEqual([
      { type: 'resync', id: null },
      { type: 'execution', id },
    ]) // it has only just begun to listen
  })

  test('lets one who was away hear what was missed, and only that', async () => {
    const key = await world.key(['read', 'ingest'])
    const before = await hear(await open(key), 2, () => send(key))
    const first = before.at(-1)
    expect(first!.change.type).toBe('execution')
    const [second, third] = [await send(key), await send(key)]
    const missed = await hear(await open(key, { 'last-event-id': first!.id }), 2)
    expect(missed.map((one) => one.change.id)).toEqual([second, third])
    const again = await hear(await open(key, { 'last-event-id': missed.at(-1)!.id }), 1, () => send(key))
    expect(again).toHaveLength(1)
    const stranger = await hear(await open(key, { 'last-event-id': 'another-process-7' }), 1)
    expect(stranger.map((one) => one.change)).toEqual([{ type: 'resync', id: null }])
  })

  test('ends when the server stops', async () => {
    const response = await open(await world.key(['read']))
    const reading = response.text()
    await runClosersForTests()
    expect(await reading).toContain('retry: 2000')
  })
})

describe('a stream', () => {
  test('says that its data may be stale while nothing is heard from the database, and to look again afterwards', async () => {
    await runClosersForTests()
    const relay = await freezingRelay(world.db.url)
    process.env.DATABASE_URL_DIRECT = relay.url
    try {
      const key = await world.key(['read', 'ingest'])
      const first = await open(key)
      const heard = await hear(first, 3, async () => {
        relay.freeze(true)
        relay.cut()
        await vi.waitFor(async () => {
          const startedAt = performance.now()
          const refused = await open(key)
          if (refused.status === 200) await refused.body?.cancel()
          expect(refused.status).toBe(503)
          expect(refused.headers.get('retry-after')).toBe('5')
          expect(problemDocument.parse(await refused.json()).type).toBe('/problems/store-down')
          expect(performance.now() - startedAt, 'without asking the database').toBeLessThan(1_000)
        })
        relay.freeze(false)
      })
      expect(heard.map(({ change }) => change.type)).toEqual(['resync', 'stale', 'resync'])
      await hear(await open(key, { 'last-event-id': heard.at(-1)!.id }), 1, () => send(key))
    } finally {
      delete process.env.DATABASE_URL_DIRECT
      await runClosersForTests()
      relay.close()
    }
  })

  test('says so as soon as a statement fails for want of an answer', async () => {
    await runClosersForTests()
    const relay = await freezingRelay(world.db.url)
    const direct = process.env.DATABASE_URL!
    process.env.DATABASE_URL = process.env.DATABASE_URL_DIRECT = relay.url
    try {
      const key = await world.key(['read'])
      let frozenMs = 0
      const heard = await hear(await open(key), 2, async () => {
        relay.freeze(true)
        frozenMs = performance.now()
        expect((await ask(list.GET, '/api/v1/executions', { key })).status).toBe(503)
      })
      expect(heard.map(({ change }) => change.type)).toEqual(['resync', 'stale'])
      expect(performance.now() - frozenMs).toBeLessThan(3_000)
    } finally {
      process.env.DATABASE_URL = direct
      delete process.env.DATABASE_URL_DIRECT
      relay.freeze(false)
      await runClosersForTests()
      relay.close()
    }
  })

  const rest = async (response: Response): Promise<string> => response.text()

  test('begins with an id, from which a reader of a quiet project goes on', async () => {
    const key = await world.key(['read', 'ingest'])
    const response = await open(key)
    const reader = response.body!.getReader()
    const text = new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    const [, id] = /event: start\nid: (\S+)\n/.exec(text) ?? []
    const missed = await send(key)
    const heard = await hear(await open(key, { 'last-event-id': id! }), 1)
    expect(heard.map(({ change }) => change)).toEqual([{ type: 'execution', id: missed }])
  })

  test('ends with the session it was opened with, and no other does', async () => {
    const [mine, other] = [await world.cookie('viewer'), await world.cookie('viewer')]
    const stream = (cookie: string) => ask(live.GET, '/api/v1/live', { cookie })
    const [ending, staying] = [await stream(mine), await stream(other)]
    const out = await ask(betterAuth.POST, '/api/auth/sign-out', {
      method: 'POST',
      params: { all: ['sign-out'] },
      cookie: mine,
      body: {},
    })
    expect(out.status).toBe(200)
    expect(await rest(ending)).toContain('retry: 2000')
    expect(countLiveStreams()).toBe(1)
    expect((await stream(mine)).status).toBe(401)
    await staying.body!.cancel()
    expect(countLiveStreams()).toBe(0)
  })

  test.each(['a role is taken away', 'a project is added', 'a key is revoked'])(
    'ends when %s',
    async (what) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      try {
        const key = what.startsWith('a key') ? await world.key(['read']) : undefined
        const cookie = key ? undefined : await world.cookie('viewer')
        const response = await ask(live.GET, '/api/v1/live', { key, cookie })
        let ended = false
        const reading = rest(response).then(() => (ended = true))
        await vi.advanceTimersByTimeAsync(15_000)
        // The check has asked the database by the time another statement was answered on each connection of the pool.
        await Promise.all(Array.from({ length: 20 }, () => world.db.sql`select 1`))
        expect(ended, 'nothing has changed').toBe(false)
        const { sql } = world.db
        if (key) await sql`update api_keys set enabled = false`
        else if (what.startsWith('a role')) await sql`delete from memberships`
        else {
          const { id } = await ensureProject(sql, { slug: 'third', name: 'Third' })
          await sql`insert into memberships (project_id, person_id, role) select ${id}, person_id, 'viewer' from memberships`
        }
        await vi.advanceTimersByTimeAsync(15_000)
        await reading
      } finally {
        vi.useRealTimers()
      }
    },
  )
})

describe('a database that does not answer', () => {
  test('is told as such by every route, never as an empty list or a stranger', async () => {
    const key = await world.key(['read'])
    const cookie = await world.cookie('viewer')
    expect(readiness.parse(await (await ask(ready.GET, '/readyz')).json()).status).toBe('ready')
    const url = process.env.DATABASE_URL!
    const gone = new URL(url)
    gone.port = '1'
    process.env.DATABASE_URL = gone.href
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    try {
      const password = {
        method: 'POST',
        params: { all: ['sign-in', 'email'] },
        headers: { origin: ORIGIN },
        body: { email: 'a@example.test', password: 'a long password' },
      }
      const answers = [
        await ask(list.GET, '/api/v1/executions', { key }),
        await ask(list.GET, '/api/v1/executions', { cookie }),
        await open(key),
        await ask(betterAuth.POST, '/api/auth/sign-in/email', password),
      ]
      for (const response of answers) {
        expect(problemDocument.parse(await response.json())).toMatchObject({
          type: '/problems/store-down',
          status: 503,
        })
        expect(response.headers.get('retry-after')).toBe('5')
      }
      const readyz = await ask(ready.GET, '/readyz')
      expect(readyz.status).toBe(503)
      expect(readiness.parse(await readyz.json())).toEqual({ status: 'database-down' })
      // The log has a line with the ID of each request, and no stack of the library for accounts.
      expect(printed).not.toHaveBeenCalled()
    } finally {
      printed.mockRestore()
      process.env.DATABASE_URL = url
    }
    expect((await ask(list.GET, '/api/v1/executions', { key })).status).toBe(200)
  })

  test('whose connections are all taken is busy, and not down', async () => {
    const { sql } = db()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const started: Promise<unknown>[] = []
    const ended = Array.from({ length: 8 }, () => {
      let begun = (): void => {}
      started.push(new Promise<void>((resolve) => (begun = resolve)))
      return sql.begin(async (tx) => {
        await tx`select 1`
        begun()
        await held
      })
    })
    await Promise.all(started)
    const answer = await ask(ready.GET, '/readyz')
    release()
    await Promise.all(ended)
    expect([answer.status, readiness.parse(await answer.json())]).toEqual([503, { status: 'busy' }])
    expect((await ask(ready.GET, '/readyz')).status).toBe(200)
  })

  test('that is not migrated is not ready', async () => {
    await world.db.sql`update inquest_migrations.__drizzle_migrations set created_at = created_at - 1e12`
    expect(readiness.parse(await (await ask(ready.GET, '/readyz')).json())).toEqual({
      status: 'migrations-pending',
    })
    await world.db.sql`update inquest_migrations.__drizzle_migrations set created_at = created_at + 1e12`
  })
})
