import { afterAll, beforeAll, expect, test } from 'vitest'
import * as failuresRoute from '@/app/api/v1/analysis-failures/route'
import * as reingestRoute from '@/app/api/v1/reingest/route'
import { Transcript } from '@/db/seed/transcript'
import { analyseExecutions } from '@/db/writes/derive/analyse'
import { ingestBody } from '@/db/writes/ingest'
import { ensureProject } from '@/db/projects'
import { analysisFailureList } from '@/lib/api/admin-schemas'
import { countForMetrics } from './watch-analysis-failures'
import { metrics } from './metrics'
import { ask, openWorld, type World } from './test-support'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

/** Takes a session in, and breaks its analysis by facts of another shape than the analysis of today expects. */
async function broken(n: number, projectId: string): Promise<string> {
  const sessionId = `0e7e0000-0000-4000-8000-${String(n).padStart(12, '0')}`
  const { executions } = await ingestBody(world.db, {
    projectId,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from(new Transcript({ sessionId }).user('go').says('done').text),
  })
  const { id } = executions[0]!
  await world.db.sql.begin(async (tx) => {
    await tx`set local inquest.rebuilding = 'on'`
    await tx`update events set facts = '{"calls": 5}' where execution_id = ${id} and byte_offset = 0`
  })
  await analyseExecutions(world.db, [id])
  return id
}

const gauge = async (): Promise<string | undefined> => {
  await countForMetrics()
  return /^inquest_analysis_failures (\d+)$/m.exec(await metrics().registry.metrics())?.[1]
}

test('executions whose analysis failed are listed in their project and counted in the metrics until a retry succeeds', async () => {
  const other = await ensureProject(world.db.sql, { slug: 'other', name: 'Other' })
  expect(await gauge()).toBe('0')
  const [first, second] = [await broken(1, world.project.id), await broken(2, world.project.id)]
  await broken(3, other.id)
  const read = async () =>
    analysisFailureList.parse(
      await (
        await ask(failuresRoute.GET, '/api/v1/analysis-failures', {
          key: await world.key(['read', 'write']),
        })
      ).json(),
    )
  expect(await read()).toMatchObject({
    total: 2,
    items: [
      { id: second, project: 'default', failure: { error: 'TypeError', attempts: 1 } },
      { id: first, project: 'default', url: `/executions/${first}` },
    ],
  })
  expect(await gauge()).toBe('3')
  await world.db.sql.begin(async (tx) => {
    await tx`set local inquest.rebuilding = 'on'`
    await tx`update events set facts = facts - 'calls' where execution_id = ${first!}`
  })
  const retried = await ask(reingestRoute.POST, '/api/v1/reingest', {
    method: 'POST',
    key: await world.key(['write', 'read']),
    body: { execution: first! },
  })
  expect(await retried.json()).toMatchObject({ quarantined: 0 })
  expect(await read()).toMatchObject({ total: 1, items: [{ id: second }] })
  expect(await gauge()).toBe('2')
})

test('the metric has no value while nobody can count', async () => {
  expect(await gauge()).toBe('2')
  const url = process.env.DATABASE_URL
  process.env.DATABASE_URL = ''
  expect(await gauge()).toBeUndefined()
  process.env.DATABASE_URL = url
  expect(await gauge()).toBe('2')
})
