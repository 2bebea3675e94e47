import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as bundleRoute from '@/app/api/v1/fixes/[id]/bundle/route'
import * as provenanceRoute from '@/app/api/v1/fixes/[id]/provenance/route'
import * as transcriptRoute from '@/app/api/v1/fixes/[id]/transcript/route'
import * as queueRoute from '@/app/api/v1/fixes/route'
import { listExecutionChains } from '@/db/queries/chains'
import { bundleOf, filesOfRun, outputsOfRun, recordedRuns, SAMPLE_SECRET } from '@/db/testing/recorded-runs'
import { ingestBodies } from '@/db/writes/ingest'
import { fixItem, fixProvenance } from '@/lib/api/fix-schemas'
import { page } from '@/lib/api/schemas'
import { bundleRun } from '@/lib/formats/async-pipeline/bundle'
import { links } from '@/lib/links'
import { ask, openWorld, type World } from './test-support'

let world: World
let key: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(['read', 'write'])
})
afterAll(() => world.close())

/** A task of this run left a patch as its output. */
const PROPOSES = recordedRuns()[4]
const HOOK_PATCH = '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1 +1 @@\n-FAIL\n+ok\n'
const bytesAt = async (
  route: { GET: unknown },
  id: string,
  what: Parameters<typeof links.api.ofFix>[1],
): Promise<Uint8Array> => {
  const answer = await ask(route.GET, links.api.ofFix(id, what), { key, params: { id } })
  expect([what, answer.status]).toEqual([what, what === 'transcript' ? expect.toBeOneOf([200, 404]) : 200])
  return new Uint8Array(await answer.arrayBuffer())
}

test('of the recorded runs every fix tells its task, attempts and error, is named after pipeline and run, and holds nothing of their secret', async () => {
  const runs = recordedRuns()
  const clear = runs.filter((run) =>
    filesOfRun(run).some(({ bytes }) => Buffer.from(bytes).includes(SAMPLE_SECRET)),
  )
  expect(clear.length).toBeGreaterThan(1)
  const bodies = runs.flatMap((run) => {
    // A hook of each task that failed leaves a patch, as a later release would.
    const failed = (
      JSON.parse(
        Buffer.from(filesOfRun(run).find(({ path }) => path === 'execution.json')!.bytes).toString(),
      ) as { tasks: { id: string; status: string }[] }
    ).tasks.filter(({ status }) => status === 'failed')
    const hooks = failed.map(({ id }) => ({
      path: `fixes/${id}.patch`,
      bytes: Buffer.from(HOOK_PATCH.replaceAll('a.txt', `${id}.txt`)),
    }))
    return [
      bundleOf(run),
      bundleRun(run, [...filesOfRun(run), ...hooks]),
      ...(run === PROPOSES ? [bundleRun(run, outputsOfRun(run))] : []),
    ]
  })
  await ingestBodies(
    world.db,
    bodies.map((bytes) => ({
      projectId: world.project.id,
      source: null,
      kind: 'async-pipeline' as const,
      bytes,
    })),
  )
  const { items } = page(fixItem).parse(
    await (await ask(queueRoute.GET, links.api.fixes({}), { key })).json(),
  )
  expect(items.length).toBeGreaterThan(3)
  let held = 0
  for (const { id, task, origin, sha256 } of items) {
    const provenance = await bytesAt(provenanceRoute, id, 'provenance')
    const parts = unzipSync(await bytesAt(bundleRoute, id, 'bundle'))
    const told = fixProvenance.parse(JSON.parse(Buffer.from(provenance).toString()))
    const all = [
      provenance,
      ...Object.values(parts),
      Buffer.from(told.patch.base64!, 'base64'),
      await bytesAt(transcriptRoute, id, 'transcript'),
    ]
    for (const bytes of all) expect([task, Buffer.from(bytes).includes(SAMPLE_SECRET)]).toEqual([task, false])
    const factOf = (link: string, name: string) =>
      told.links.find((one) => one.link === link)!.facts.find((one) => one.name === name)
    const run = String(factOf('execution', 'ID at the source')!.value)
    if (clear.includes(run)) held++
    expect(Object.keys(parts)[0]).toBe(`demo-${run}-${task}-${sha256.slice(0, 8)}.patch`.replaceAll(':', '-'))
    expect([factOf('failure', 'task'), factOf('failure', 'attempts')]).toMatchObject([
      { value: task, origin: 'recorded' },
      { value: expect.any(Number), origin: 'recorded' },
    ])
    if (origin === 'fixes-dir')
      expect([factOf('failure', 'error'), factOf('hook', 'trigger')]).toMatchObject([
        { value: expect.any(String), sha256: expect.any(String) },
        { value: expect.stringMatching(/hook/) },
      ])
  }
  expect(held).toBeGreaterThan(0)
  const [hooked] = items.filter(({ origin }) => origin === 'fixes-dir')
  const attempts = (await listExecutionChains(world.db, [world.project.id], hooked!.executionId)).flatMap(
    ({ attempts }) => attempts,
  )
  expect(attempts.find(({ id }) => id === hooked!.executionId)!.fixes).toEqual([
    {
      state: 'proposed',
      count: items.filter(({ executionId }) => executionId === hooked!.executionId).length,
    },
  ])
  expect(attempts.some(({ fixes }) => fixes === undefined)).toBe(true)
  // Runs of one job are a chain: what came after the failure is listed.
  const followed = await Promise.all(
    items.map(
      async ({ id }) =>
        fixProvenance
          .parse(JSON.parse(Buffer.from(await bytesAt(provenanceRoute, id, 'provenance')).toString()))
          .links.at(-1)!.facts,
    ),
  )
  expect(followed.flat().some(({ origin }) => origin !== 'unknown')).toBe(true)
})
