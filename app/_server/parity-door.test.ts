import { afterAll, beforeAll, expect, test } from 'vitest'
import * as door from '@/app/api/v1/executions/[id]/parity/route'
import { Transcript } from '@/db/seed/transcript'
import { ingestBody } from '@/db/writes/ingest'
import { parity } from '@/lib/api/parity-schemas'
import { links } from '@/lib/links'
import { ask, openWorld, type World } from './test-support'

let world: World
let id: string
beforeAll(async () => {
  world = await openWorld()
  const { text } = new Transcript({ sessionId: '0a0a0a0a-0000-4000-8000-0000000000b1' }).user('go').call('Bash', { command: 'make' }, { fails: 'Exit code 2' })
  id = (await ingestBody(world.db, { projectId: world.project.id, source: null, kind: 'claude-transcript', bytes: Buffer.from(text) })).executions[0]!.id
})
afterAll(() => world.close())

const check = async (execution: string, scopes: ('read' | 'ingest')[] = ['read']): Promise<Response> =>
  ask(door.GET, links.api.parity(execution), { key: await world.key(scopes), params: { id: execution } })

test('an execution as it was stored is equal in both layers', async () => {
  expect(parity.parse(await (await check(id)).json())).toMatchObject({
    executionId: id, verdict: 'equal', worst: null, firstCritical: null, layers: [{ layer: 'source', state: 'read' }, { layer: 'persisted', state: 'read' }], changedParts: [], failedControls: [],
  })
})

test('rows that were changed are told with their places', async () => {
  await world.db.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update attempts set failure_class = null where execution_id = ${id}`
  })
  const { verdict, worst, transitions } = parity.parse(await (await check(id)).json())
  expect([verdict, worst, transitions[0]!.differences]).toEqual(['different', 'medium', [{ path: '/attempts/0/failure_class', kind: 'changed_type', severity: 'medium', left: '"exit_code"', right: 'null' }]])
})

test('who may not read it learns nothing of it', async () => {
  expect((await check('0199a000-0000-7000-8000-000000000000')).status).toBe(404)
  expect((await check(id, ['ingest'])).status).toBe(403)
})
