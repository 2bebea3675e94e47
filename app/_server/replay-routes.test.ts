import { afterAll, beforeAll, expect, test } from 'vitest'
import * as replay from '@/app/api/v1/policies/replay/route'
import { recordedRun, VIOLATES } from '@/lib/sample/recorded-run'
import { ingestBody } from '@/db/writes/ingest'
import { policyReplay } from '@/lib/api/replay-schemas'
import { links } from '@/lib/links'
import { ask, openWorld, type World } from './test-support'

let world: World
let key: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(['read'])
  const { stream, record } = recordedRun({ id: '0a0a0a0a-0000-4000-8000-000000000001', result: VIOLATES })
  for (const [kind, text] of [
    ['claude-stream', stream!],
    ['record', record],
  ] as const)
    await ingestBody(world.db, {
      projectId: world.project.id,
      source: null,
      kind,
      bytes: new TextEncoder().encode(text),
    })
})
afterAll(() => world.close())

const asked = (query: Parameters<typeof links.api.replay>[0]): Promise<Response> =>
  ask(replay.GET, links.api.replay(query), { key })

test('what is left out is compared from the rules of before with those of now', async () => {
  const plain = policyReplay.parse(await (await asked({})).json())
  expect(plain).toMatchObject({
    from: 'legacy-promote-all',
    to: 'current',
    total: 1,
    flips: 1,
    matrix: { retriable: { failed: 1 } },
  })
  const other = policyReplay.parse(
    await (await asked({ from: 'current', to: 'pr-415', cell: 'policies.failed.failed' })).json(),
  )
  expect(other).toMatchObject({
    from: 'current',
    to: 'pr-415',
    flips: 0,
    cell: { matrix: 'policies', row: 'failed', column: 'failed' },
    listed: { total: 1 },
  })
  expect(policyReplay.parse(await (await asked({ q: 'outcome:succeeded' })).json())).toMatchObject({
    total: 0,
    flips: 0,
  })
})

test.each([
  [{ from: 'nobody' }, 400, /from: one of current, pr-415, legacy-promote-all/],
  [{ cell: 'failed' }, 400, /cell: matrix, row and column/],
  [{ q: 'colour:red' }, 400, /colour/],
  [{ project: 'nowhere' }, 404, /nowhere/],
])('%o is told to be wrong', async (query, status, words) => {
  const response = await asked(query)
  expect(response.status).toBe(status)
  expect(((await response.json()) as { detail: string }).detail).toMatch(words)
})
