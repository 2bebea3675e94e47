import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as list from '@/app/api/v1/executions/route'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import * as ready from '@/app/readyz/route'
import { Transcript } from '@/db/seed/transcript'
import { fullTable, mayMount, mountedDisk, type SmallDisk } from '@/db/testing/small-disk'
import { readiness } from '@/lib/api/admin-schemas'
import { ingestAnswer } from '@/lib/api/ingest-schemas'
import { isStoreDown, isStoreFull } from '@/db/sql-state'
import { ask, openWorld, type World } from './test-support'

let world: World
let disk: SmallDisk
beforeEach(async () => {
  world = await openWorld({ onDatabase: async (db) => void (mayMount && (disk = await mountedDisk(db))) })
  if (!mayMount) disk = await fullTable(world.db, 'received_keys')
})
afterEach(async () => {
  await world.close()
  await disk.remove()
})

const state = async () => readiness.parse(await (await ask(ready.GET, '/readyz')).json()).status

describe('a full disk', () => {
  test('is named, does not keep anyone from reading, and is over by itself', async () => {
    const key = await world.key(['ingest', 'read'])
    const text = new Transcript({ sessionId: 'on-a-full-disk' }).user(`Go ${'x'.repeat(200_000)}`).text
    const send = () =>
      ask(ingest.POST, '/api/v1/ingest/claude-transcript', {
        method: 'POST',
        params: { kind: 'claude-transcript' },
        key,
        body: text,
      })
    /** Making the disk full may have cost the connections. */
    const reads = () =>
      expect.poll(async () => (await ask(list.GET, '/api/v1/executions', { key })).status).toBe(200)
    expect(await state()).toBe('ready')
    await disk.fill()
    await reads()
    const refused = await send()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    expect(await refused.json()).toMatchObject({ type: '/problems/store-full', title: 'Disk full' })
    if (mayMount) expect(await state()).toBe('disk-full')
    const listed = await ask(list.GET, '/api/v1/executions', { key })
    expect([listed.status, (await listed.json()).items]).toEqual([200, []])
    await disk.free()
    await reads()
    expect(ingestAnswer.parse(await (await send()).json())).toMatchObject({ accepted: 1, duplicates: 0 })
    expect(await state()).toBe('ready')
  })
})

test('the server names a file that has no room, for a table without a mounted disk', async () => {
  await world.db.sql`create table no_room (what text)`
  const table = await fullTable(world.db, 'no_room')
  await table.fill()
  const write = () => world.db.sql`insert into no_room values ('x')`.then(() => null)
  await expect
    .poll(() => write().catch((e: unknown) => [isStoreFull(e), isStoreDown(e)]), { timeout: 10_000 })
    .toEqual([true, false])
  await table.free()
  await expect.poll(() => write().catch((e: Error) => e.message), { timeout: 10_000 }).toBeNull()
})
