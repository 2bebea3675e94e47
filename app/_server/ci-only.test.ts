import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as ciRuns from '@/app/api/v1/ci-runs/route'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import { recordedRun } from '@/lib/sample/recorded-run'
import { ensureProject } from '@/db/projects'
import { ciExecutions } from '@/lib/api/decision-schemas'
import { links } from '@/lib/links'
import { ciOnly } from './ci-only'
import { ask, openWorld, type World } from './test-support'

let world: World
let only = ''
const ci = { provider: 'github', path: 'acme/shop', run: '77', attempt: 2, job: 'bake' }

async function take(over: Partial<typeof ci>, exitCode: number): Promise<string> {
  const { record } = recordedRun({
    id: randomUUID(),
    result: null,
    exitCode,
    stderr: 'cold\n',
    ci: { ...ci, ...over },
  })
  const answer = await ask(ingest.POST, '/api/v1/ingest/record', {
    method: 'POST',
    params: { kind: 'record' },
    key: await world.key(['ingest']),
    body: record,
  })
  return (await answer.json()).executions[0].id
}

beforeAll(async () => {
  world = await openWorld()
  only = await take({}, 3)
  await take({ job: 'wash' }, 0)
  for (const job of ['bake', 'plan']) await take({ job, attempt: 1 }, 3)
})
afterAll(() => world.close())

const led = async (path: string, search = '', cookie?: string): Promise<string | null> =>
  ciOnly(new Headers({ cookie: cookie ?? (await world.cookie('viewer')) }), path, search)

describe('a link to a CI run', () => {
  test('leads to its only failure, of the newest attempt or of the one that is named', async () => {
    for (const path of [
      'github/acme%2Fshop/77',
      'github/acme%2Fshop/77/2',
      'github/acme/shop/77',
      'github/acme%2Fshop/77/latest',
    ])
      expect(await led(path), path).toBe(links.decided(only))
  })

  test('leads nowhere where there is a choice, nothing, or no run, and where the list is asked for', async () => {
    for (const path of [
      'github/acme%2Fshop/77/1',
      'github/acme%2Fshop/77/3',
      'github/acme%2Fshop/78',
      'github/acme%2Fshop',
      '',
    ])
      expect(await led(path), path).toBeNull()
    for (const search of ['?view=list', `?open=${only}`])
      expect(await led('github/acme%2Fshop/77', search), search).toBeNull()
  })

  test('leads nowhere for nobody and for a reader of another project', async () => {
    expect(await led('github/acme%2Fshop/77', '', '')).toBeNull()
    const other = await ensureProject(world.db.sql, { slug: 'other', name: 'Other' })
    expect(
      await led('github/acme%2Fshop/77', '', await world.cookie('viewer', { project: other })),
    ).toBeNull()
    expect(await led('github/acme%2Fshop/77', '', await world.cookie(null))).toBeNull()
  })
})

describe('GET /api/v1/ci-runs', () => {
  const get = async (search: string, how: { key?: string } = {}) =>
    ask(ciRuns.GET, links.api.ciRuns({ provider: 'github', path: 'acme/shop', run: '77' }) + search, {
      key: await world.key(['read']),
      ...how,
    })

  test('lists a run, or one attempt of it, by its schema', async () => {
    const all = ciExecutions.parse(await (await get('')).json())
    expect(all.items.map(({ job, ciAttempt, outcome }) => `${job} ${ciAttempt} ${outcome}`)).toEqual([
      'bake 2 failed',
      'bake 1 failed',
      'plan 1 failed',
      'wash 2 succeeded',
    ])
    expect(all.items[0]!.id).toBe(only)
    expect(ciExecutions.parse(await (await get('&attempt=2')).json()).items).toHaveLength(2)
  })

  test('a key that can only ingest gets what a job tells: recent executions, without titles and costs', async () => {
    const narrow = ciExecutions.parse(await (await get('', { key: await world.key(['ingest']) })).json())
    expect(narrow.items.map(({ job, ciAttempt, outcome }) => `${job} ${ciAttempt} ${outcome}`)).toEqual([
      'bake 2 failed',
      'bake 1 failed',
      'plan 1 failed',
      'wash 2 succeeded',
    ])
    const full = ciExecutions.parse(await (await get('')).json())
    expect(narrow.items.map(({ cause }) => cause)).toEqual(full.items.map(({ cause }) => cause))
    expect(full.items.some(({ title }) => title !== null)).toBe(true)
    for (const item of narrow.items)
      expect(item).toMatchObject({ title: null, costUsd: null, inputTokens: 0, outputTokens: 0 })
    await world.db
      .sql`update executions set first_seen_at = now() - interval '25 hours' where id <> ${only} and external_id in (select e.external_id from executions e join ci_runs r on r.execution_id = e.id where r.run = '77')`
    const later = await get('', { key: await world.key(['ingest']) })
    expect((await later.json()).items.map(({ id }: { id: string }) => id)).toEqual([only])
    expect((await (await get('')).json()).items).toHaveLength(4)
  })

  test('refuses what names no run, and a key that may neither read nor ingest', async () => {
    expect((await get('&attempt=x')).status).toBe(400)
    const half = await ask(ciRuns.GET, `${links.api.root()}/ci-runs?provider=github&run=77`, {
      key: await world.key(['read']),
    })
    expect(half.status).toBe(400)
    expect((await get('', { key: await world.key(['write']) })).status).toBe(403)
    const other = await ensureProject(world.db.sql, { slug: 'other', name: 'Other' })
    expect((await (await get('', { key: await world.key(['read'], other) })).json()).items).toEqual([])
  })
})
