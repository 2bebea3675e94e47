import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ensureProject } from '@/db/projects'
import type { Access } from './access'
import { idempotently } from './idempotent'
import { openWorld, type World } from './test-support'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
afterEach(() => vi.useRealTimers())

const access: Access = {
  actor: { kind: 'key', id: 'k1', name: 'ci', email: null },
  globalAdmin: false,
  projects: [],
  cookies: [],
}

test('a key whose work failed while its row could not be removed is free as soon as the database is back', async () => {
  const { sql } = world.db
  const { id: projectId } = await ensureProject(sql, { slug: 'lost', name: 'Lost' })
  const once = (work: () => Promise<unknown>) =>
    idempotently({ access, projectId, key: 'once', request: ['POST', '/x'] }, work)
  await sql`create function refuse_here() returns trigger language plpgsql as $$ begin raise exception 'away' using errcode = '57P01'; end $$`
  await sql`create trigger refuse_here before delete on idempotency_keys for each row execute function refuse_here()`
  await expect(once(() => Promise.reject(new Error('the store went away')))).rejects.toThrow(
    'the store went away',
  )
  // Still away: the key is not forgotten at the next attempt either.
  await expect(once(() => Promise.resolve('never'))).rejects.toThrow('away')
  await sql`drop trigger refuse_here on idempotency_keys`
  expect(await (await once(() => Promise.resolve({ done: true }))).json()).toEqual({ done: true })
  // What was answered stays answered.
  const again = await once(() => Promise.resolve({ done: 'twice' }))
  expect([again.headers.get('idempotency-replayed'), await again.json()]).toEqual(['true', { done: true }])
})

test('a repetition during work is refused however long the work takes, and gets its answer afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { sql } = world.db
  const { id: projectId } = await ensureProject(sql, { slug: 'long', name: 'Long' })
  const once = (work: () => Promise<unknown>) =>
    idempotently({ access, projectId, key: 'long', request: ['POST', '/x'] }, work)
  let finish = (): void => undefined
  const finished = new Promise<void>((resolve) => (finish = resolve))
  let started = false
  const first = once(async () => {
    started = true
    await finished
    return { done: true }
  })
  await expect.poll(() => started).toBe(true)
  await sql`update idempotency_keys set expires_at = now() + interval '1 second' where key = 'long'`
  vi.advanceTimersByTime(5_000)
  await expect
    .poll(
      () =>
        sql`select 1 from idempotency_keys where key = 'long' and expires_at > now() + interval '10 seconds'`,
    )
    .toHaveLength(1)
  await expect(once(() => Promise.resolve('never'))).rejects.toMatchObject({ slug: 'in-use' })
  finish()
  expect(await (await first).json()).toEqual({ done: true })
  expect(vi.getTimerCount()).toBe(0)
  const again = await once(() => Promise.resolve({ done: 'twice' }))
  expect([again.headers.get('idempotency-replayed'), await again.json()]).toEqual(['true', { done: true }])
})

test('a request that lost its lease leaves the key to the one that holds it now', async () => {
  const { sql } = world.db
  const { id: projectId } = await ensureProject(sql, { slug: 'lease', name: 'Lease' })
  const once = (work: () => Promise<unknown>) =>
    idempotently({ access, projectId, key: 'lease', request: ['POST', '/x'] }, work)
  const gate = () => {
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => (open = resolve))
    return { opened, open: () => open() }
  }
  const [stalled, holder] = [gate(), gate()]
  const first = once(() => stalled.opened.then(() => Promise.reject(new Error('too late'))))
  await expect.poll(() => sql`select 1 from idempotency_keys where key = 'lease'`).toHaveLength(1)
  await sql`update idempotency_keys set expires_at = now() - interval '1 second' where key = 'lease'`
  let started = false
  const second = once(() => {
    started = true
    return holder.opened.then(() => ({ done: true }))
  })
  await expect.poll(() => started).toBe(true)
  stalled.open()
  await expect(first).rejects.toThrow('too late')
  await expect(once(() => Promise.resolve('never'))).rejects.toMatchObject({ slug: 'in-use' })
  holder.open()
  expect(await (await second).json()).toEqual({ done: true })
})
