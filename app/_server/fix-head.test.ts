import { afterAll, beforeAll, expect, test } from 'vitest'
import * as ofExecution from '@/app/api/v1/executions/[id]/fixes/route'
import * as bundleRoute from '@/app/api/v1/fixes/[id]/bundle/route'
import * as digestRoute from '@/app/api/v1/fixes/[id]/patch.sha256/route'
import * as patchRoute from '@/app/api/v1/fixes/[id]/patch/route'
import * as provenanceRoute from '@/app/api/v1/fixes/[id]/provenance/route'
import * as transcriptRoute from '@/app/api/v1/fixes/[id]/transcript/route'
import * as linksRoute from '@/app/api/v1/fixes/[id]/links/route'
import * as sharedRoute from '@/app/api/v1/shared-patches/[token]/route'
import { Transcript } from '@/db/seed/transcript'
import { ingestBody } from '@/db/writes/ingest'
import { madeFixLink, proposedFix } from '@/lib/api/fix-schemas'
import { links } from '@/lib/links'
import { ask, type Ask, openWorld, type World } from './test-support'

let world: World
let key: string
let id: string
let token: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(['read', 'ingest', 'write'])
  const { text } = new Transcript({ sessionId: '0a0a0a0a-0000-4000-8000-0000000000b1' })
    .user('go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 2' })
  const execution = (
    await ingestBody(world.db, {
      projectId: world.project.id,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(text),
    })
  ).executions[0]!.id
  const body = new FormData()
  body.set('patch', new Blob(['--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new\n']), 'fix.patch')
  body.set('transcript', new Blob(['one line\n']), 'agent.jsonl')
  id = proposedFix.parse(
    await (
      await ask(ofExecution.POST, links.api.executionFixes(execution), {
        method: 'POST',
        key,
        params: { id: execution },
        body,
      })
    ).json(),
  ).fix.id
  const made = await ask(linksRoute.POST, links.api.ofFix(id, 'links'), {
    method: 'POST',
    cookie: await world.cookie('reviewer'),
    params: { id },
    body: {},
  })
  token = /([\w-]+)\.patch$/.exec(madeFixLink.parse(await made.json()).url)![1]!
})
afterAll(() => world.close())

const shared = (): Ask => ({
  params: { token },
})
const ofFix = (): Ask => ({ params: { id }, key })

const told = (response: Response): Record<string, string> => ({
  ...Object.fromEntries(response.headers),
  'x-request-id': '',
})

test.each([
  ['the archive', bundleRoute.GET, '/api/v1/fixes/x/bundle'],
  ['the provenance', provenanceRoute.GET, '/api/v1/fixes/x/provenance'],
])('HEAD answers the headers of %s, which is sent as it is made, and no body', async (_what, route, path) => {
  const [got, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => ask(route, path, { ...ofFix(), method })),
  )
  expect([head!.status, told(head!)]).toEqual([200, told(got!)])
  expect(head!.body).toBeNull()
  expect((await got!.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
})

test.each([
  ['the patch', patchRoute.GET, '/api/v1/fixes/x/patch', ofFix, {}],
  ['a range of it', patchRoute.GET, '/api/v1/fixes/x/patch', ofFix, { range: 'bytes=2-5' }],
  ['a range that is not there', patchRoute.GET, '/api/v1/fixes/x/patch', ofFix, { range: 'bytes=900-' }],
  ['lines of it', patchRoute.GET, '/api/v1/fixes/x/patch?start=2&end=9', ofFix, {}],
  ['the digest', digestRoute.GET, '/api/v1/fixes/x/patch.sha256', ofFix, {}],
  ['the transcript', transcriptRoute.GET, '/api/v1/fixes/x/transcript', ofFix, {}],
  ['a shared link', sharedRoute.GET, '/api/v1/shared-patches/x', shared, {}],
])('HEAD answers the headers of %s, and no body', async (_what, route, path, how, headers) => {
  const [got, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => ask(route, path, { ...how(), method, headers })),
  )
  expect([head!.status, told(head!)]).toEqual([got!.status, told(got!)])
  expect(head!.body).toBeNull()
  const bytes = (await got!.arrayBuffer()).byteLength
  if (got!.ok) expect(got!.headers.get('content-length')).toBe(String(bytes))
})
