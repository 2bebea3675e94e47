import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as live from '@/app/api/v1/live/route'
import * as ready from '@/app/readyz/route'
import * as list from '@/app/api/v1/executions/route'
import * as betterAuth from '@/app/api/auth/[...all]/route'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import { Transcript } from '@/db/seed/transcript'
import { ensureProject } from '@/db/writes/projects'
import { readiness } from '@/lib/api/admin-schemas'
import { ingestAnswer, problemDocument } from '@/lib/api/schemas'
import { runClosersForTests } from './shutdown'
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

describe('the live door', () => {
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

describe('a database that does not answer', () => {
  test('is told as such by every door, never as an empty list or a stranger at the door', async () => {
    const key = await world.key(['read'])
    const cookie = await world.cookie('viewer')
    expect(readiness.parse(await (await ask(ready.GET, '/readyz')).json()).status).toBe('ready')
    const url = process.env.DATABASE_URL!
    const gone = new URL(url)
    gone.port = '1'
    process.env.DATABASE_URL = gone.href
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
      expect(readiness.parse(await readyz.json()).checks.database).toBe('down')
    } finally {
      process.env.DATABASE_URL = url
    }
    expect((await ask(list.GET, '/api/v1/executions', { key })).status).toBe(200)
  })

  test('that is not migrated is not ready', async () => {
    await world.db.sql`update inquest_migrations.__drizzle_migrations set created_at = created_at - 1e12`
    expect(readiness.parse(await (await ask(ready.GET, '/readyz')).json())).toEqual({
      status: 'not ready',
      checks: { database: 'ok', migrations: 'pending' },
    })
    await world.db.sql`update inquest_migrations.__drizzle_migrations set created_at = created_at + 1e12`
  })
})
