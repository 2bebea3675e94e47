import { afterAll, beforeAll, expect, test } from 'vitest'
import * as parityExecutions from '@/app/api/v1/parity/executions/route'
import * as parityRoute from '@/app/api/v1/parity/route'
import * as executions from '@/app/api/v1/executions/route'
import { changedTables, tableContents } from '@/db/testing/table-contents'
import { OPERATIONS } from '@/lib/api/operations/all'
import { type ReadRequest, seedReadRequests } from './testing/read-requests'
import { ask, openWorld, type World } from './test-support'

let world: World
let requests: ReadRequest[]
beforeAll(async () => {
  world = await openWorld()
  requests = await seedReadRequests(world)
})
afterAll(() => world.close())

/** Tables that a GET may write, by its path. */
const MAY_WRITE: Record<string, string[]> = {
  // Whoever made a share link sees how often it was used; each download is in the audit log.
  '/api/v1/shared-patches/{token}': ['audit_log', 'fix_links'],
}

const changedBy = async (read: () => Promise<unknown>): Promise<string[]> => {
  const before = await tableContents(world.db.sql)
  await read()
  return changedTables(before, await tableContents(world.db.sql))
}
const toTheEnd = async (response: Response): Promise<number> => {
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel()
  else await response.arrayBuffer()
  return response.status
}

test('rows that are written anew with the same values would be found', async () => {
  expect(await changedBy(async () => {})).toEqual([])
  expect(await changedBy(() => world.db.sql`update projects set name = name`)).toEqual(['projects'])
})

const paths = OPERATIONS.filter(({ method }) => method === 'get').map((one) => one.path)
test.each(paths)('GET %s finds something and writes nothing', async (path) => {
  const { send } = requests.find(({ operation }) => operation.path === path)!
  let status: number | undefined
  const changed = await changedBy(async () => (status = await toTheEnd(await send())))
  expect({ status, changed }).toEqual({ status: 200, changed: MAY_WRITE[path] ?? [] })
})

test.each([
  ['/api/v1/parity', parityRoute.GET],
  ['/api/v1/parity/executions', parityExecutions.GET],
] as const)('GET %s writes nothing, whatever is asked of the checks', async (path, route) => {
  const key = await world.key(['read'])
  await toTheEnd(await ask(route, path, { key }))
  const statuses: number[] = []
  const changed = await changedBy(async () => {
    for (const question of [
      'window=all&show=different&kind=missing,changed_value&severity=critical',
      'window=24h&show=equal',
      'window=all&path=/error&from=source&to=persisted',
      'window=all&path=%00',
      'window=never',
    ])
      statuses.push(await toTheEnd(await ask(route, `${path}?${question}`, { key })))
  })
  expect({ statuses, changed }).toEqual({ statuses: [200, 200, 200, 400, 400], changed: [] })
})

test('who asks leaves a trace: when a key was last used, and until when a session runs', async () => {
  const list = (how: { key?: string; cookie?: string }) => async () =>
    toTheEnd(await ask(executions.GET, '/api/v1/executions', how))
  const key = await world.key(['read'])
  expect(await changedBy(list({ key }))).toEqual(['api_keys'])
  expect(await changedBy(list({ key }))).toEqual([])
  const cookie = await world.cookie('viewer')
  expect(await changedBy(list({ cookie }))).toEqual([])
  await world.db
    .sql`update sessions set expires_at = now() + interval '1 hour', updated_at = now() - interval '6 days'`
  expect(await changedBy(list({ cookie }))).toEqual(['sessions'])
  expect(await changedBy(list({ cookie }))).toEqual([])
})
