import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import { Transcript } from '@/db/seed/transcript'
import { ensureProject } from '@/db/projects'
import { links } from '@/lib/links'
import { readReader } from './access'
import { findOnly, idOfPath } from './find-only'
import { ask, openWorld, type World } from './test-support'

let world: World
let id = ''
const session = randomUUID()
beforeAll(async () => {
  world = await openWorld()
  const { text } = new Transcript({ sessionId: session })
    .user('Go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' })
  const answer = await ask(ingest.POST, '/api/v1/ingest/claude-transcript', {
    method: 'POST',
    params: { kind: 'claude-transcript' },
    key: await world.key(['ingest']),
    body: text,
  })
  id = (await answer.json()).executions[0].id
})
afterAll(() => world.close())

const reader = (cookie: string): Headers => new Headers({ cookie })

describe('a link by any id', () => {
  test('leads to the only thing it can mean, with what was asked for', async () => {
    const headers = reader(await world.cookie('viewer'))
    expect(await findOnly(headers, session, '?view=raw')).toBe(links.execution(id, 'raw'))
    expect(await findOnly(headers, id, '')).toBe(links.execution(id))
  })

  test('leads nowhere for nobody, for a reader of another project, and for what is not known', async () => {
    const other = await ensureProject(world.db.sql, { slug: 'other', name: 'Other' })
    expect(await findOnly(new Headers(), session, '')).toBeNull()
    expect(await findOnly(reader(await world.cookie('viewer', { project: other })), session, '')).toBeNull()
    expect(await findOnly(reader(await world.cookie('viewer')), randomUUID(), '')).toBeNull()
  })

  test('reads an id with slashes and one that is not well encoded', () => {
    expect(idOfPath('a%20b/agent-1')).toBe('a b/agent-1')
    expect(idOfPath('100%')).toBe('100%')
  })
})

describe('the reader of a page', () => {
  const of = async (cookie: string): Promise<string | null> =>
    (await readReader(reader(cookie)))?.actor.id ?? null

  test('is the person of the session, with the projects they hold', async () => {
    const access = await readReader(reader(`theme=dark; ${await world.cookie('reviewer')}`))
    expect(access?.projects).toMatchObject([{ slug: 'default', role: 'reviewer' }])
    expect((await readReader(reader(await world.cookie(null, { globalAdmin: true }))))?.globalAdmin).toBe(
      true,
    )
  })

  test('is nobody under a cookie that was altered or made up', async () => {
    const cookie = await world.cookie('viewer')
    expect(await of(cookie)).not.toBeNull()
    const [name = '', value = ''] = cookie.split('=')
    const [token = '', signature = ''] = decodeURIComponent(value).split('.')
    const put = (text: string): string => `${name}=${encodeURIComponent(text)}`
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    for (const bad of [
      put(token),
      put(`${token}.`),
      put(`${token}.${flipped}`),
      put(`${token}x.${signature}`),
      put(`.${signature}`),
      `${name}=%zz`,
      `${name}=`,
    ])
      expect(await of(bad), bad).toBeNull()
  })

  test('is nobody once the session has ended or is gone', async () => {
    const cookie = await world.cookie('viewer')
    const person = await of(cookie)
    await world.db
      .sql`update sessions set expires_at = now() - interval '1 second' where person_id = ${person}`
    expect(await of(cookie)).toBeNull()
    await world.db.sql`update sessions set expires_at = now() + interval '1 day' where person_id = ${person}`
    expect(await of(cookie)).toBe(person)
    await world.db.sql`delete from sessions where person_id = ${person}`
    expect(await of(cookie)).toBeNull()
  })
})
