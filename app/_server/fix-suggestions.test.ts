import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as ofExecution from '@/app/api/v1/executions/[id]/fixes/route'
import * as patchRoute from '@/app/api/v1/fixes/[id]/patch/route'
import * as reviewsRoute from '@/app/api/v1/fixes/[id]/reviews/route'
import * as fixRoute from '@/app/api/v1/fixes/[id]/route'
import * as suggestionsRoute from '@/app/api/v1/fixes/[id]/suggestions/route'
import { Transcript } from '@/db/seed/transcript'
import { ingestBody } from '@/db/writes/ingest'
import { proposeFix } from '@/db/fixes/propose-fix'
import { fixDetail, fixProposal, proposedFix } from '@/lib/api/fix-schemas'
import { problemDocument } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { ask, openWorld, type Ask, type World } from './test-support'
import type { FixItem } from '@/lib/model/fix'

const PATCH = `diff --git a/src/sum.ts b/src/sum.ts
index 1111111..2222222 100644
--- a/src/sum.ts
+++ b/src/sum.ts
@@ -1,3 +1,3 @@
 export function sum(a: number, b: number) {
-  return a - b
+  return b + a
 }
`
const BINARY = `diff --git a/old.bin b/old.bin
index 1111111..2222222 100644
Binary files a/old.bin and b/old.bin differ
`

let world: World
let agent: string
let reviewer: string
let other: string
let operator: string
let viewer: string
let execution: string
let serial = 0
beforeAll(async () => {
  world = await openWorld()
  agent = await world.key(['ingest', 'write'])
  reviewer = await world.cookie('reviewer')
  other = await world.cookie('reviewer')
  operator = await world.cookie('operator')
  viewer = await world.cookie('viewer')
})
beforeEach(async () => {
  const sessionId = `0b0b0b0b-0000-4000-8000-${String((serial += 1)).padStart(12, '0')}`
  const { text } = new Transcript({ sessionId })
    .user('go')
    .call('Bash', { command: `make ${serial}` }, { fails: 'Exit code 2' })
  execution = (
    await ingestBody(world.db, {
      projectId: world.project.id,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(text),
    })
  ).executions[0]!.id
})
afterAll(() => world.close())

async function proposed(response: Promise<Response>): Promise<FixItem> {
  const answer = await response
  if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`)
  return proposedFix.parse(await answer.json()).fix
}
const propose = (patch: string, proposal: object = {}): Promise<Response> => {
  const body = new FormData()
  body.set('patch', new Blob([patch]), 'fix.patch')
  body.set('proposal', JSON.stringify(proposal))
  return ask(ofExecution.POST, links.api.executionFixes(execution), {
    method: 'POST',
    key: agent,
    params: { id: execution },
    body,
  })
}
const post = (
  route: { POST: unknown },
  what: 'suggestions' | 'reviews',
  fix: FixItem,
  body: object,
  how: Ask = { cookie: reviewer },
): Promise<Response> =>
  ask(route.POST, links.api.ofFix(fix.id, what), {
    method: 'POST',
    params: { id: fix.id },
    body: { version: fix.version, sha256: fix.sha256, ...body },
    ...how,
  })
const suggest = (fix: FixItem, body: object = {}, how?: Ask) =>
  post(
    suggestionsRoute,
    'suggestions',
    fix,
    {
      file: 0,
      start: 2,
      end: 2,
      lines: ['  return a + b'],
      reason: 'In the order in which they are named.',
      ...body,
    },
    how,
  )
const detail = async (id: string, cookie = reviewer) =>
  fixDetail.parse(await (await ask(fixRoute.GET, links.api.fix(id), { params: { id }, cookie })).json())
const problem = async (answer: Promise<Response>): Promise<[number, string]> => {
  const response = await answer
  const { detail: said, title } = problemDocument.parse(await response.json())
  return [response.status, said ?? title]
}
const patchOf = async (id: string): Promise<string> =>
  (await ask(patchRoute.GET, links.api.ofFix(id, 'patch'), { params: { id }, cookie: reviewer })).text()

test('other lines are a fix of their own, by the person, in the place of the one they were made of', async () => {
  const facts = {
    task: 'unit',
    title: 'Add',
    agent: { name: 'loop' },
    base: { commit: 'abc1234' },
    inputs: ['src/**'],
    verification: [{ phase: 'after-patch', argv: ['npm', 'test'], exitCode: 0 }],
    reasons: [{ file: 'src/sum.ts', line: 2, text: 'Was wrong.' }],
  }
  const first = await proposed(propose(PATCH, facts))
  const answer = await suggest(first)
  expect(answer.status).toBe(201)
  const { fix } = proposedFix.parse(await answer.json())
  expect(fix).toMatchObject({
    origin: 'suggestion',
    state: 'proposed',
    task: 'unit',
    title: 'Add',
    ordinal: 2,
    supersedes: first.id,
    agent: null,
    verdict: 'not-run',
  })
  expect(await patchOf(fix.id)).toBe(PATCH.replace('b + a', 'a + b'))
  expect(await patchOf(first.id)).toBe(PATCH)
  expect(await detail(fix.id)).toMatchObject({
    explanation: 'In the order in which they are named.',
    reasons: [{ file: 'src/sum.ts', line: 2, text: 'In the order in which they are named.' }],
    base: { commit: 'abc1234' },
    verification: [],
  })
  expect(await detail(first.id)).toMatchObject({ state: 'superseded', supersededBy: fix.id })

  // Who made it may not approve it; somebody else may.
  expect((await detail(fix.id)).whyNotReview).toMatch(/^You proposed this fix/)
  expect((await problem(post(reviewsRoute, 'reviews', fix, { to: 'approved' })))[0]).toBe(403)
  expect(
    (await post(reviewsRoute, 'reviews', fix, { to: 'approved', comment: 'Better.' }, { cookie: other }))
      .status,
  ).toBe(200)

  // Git takes it where it took the other one.
  const folder = mkdtempSync(join(tmpdir(), 'inquest-suggestion-'))
  try {
    const git = (args: string[], input = ''): void => void execFileSync('git', args, { cwd: folder, input })
    const text = 'export function sum(a: number, b: number) {\n  return a - b\n}\n'
    execFileSync('mkdir', ['src'], { cwd: folder })
    writeFileSync(join(folder, 'src/sum.ts'), text)
    git(['apply', '-'], await patchOf(fix.id))
    expect(readFileSync(join(folder, 'src/sum.ts'), 'utf8')).toBe(text.replace('a - b', 'a + b'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a suggestion is refused with the reason, and nothing is stored', async () => {
  const fix = await proposed(propose(PATCH + BINARY))
  expect(await problem(suggest(fix, {}, { key: agent }))).toEqual([
    403,
    'API keys can’t suggest changes. Sign in, or propose a new patch with the key.',
  ])
  expect((await suggest(fix, {}, { cookie: viewer })).status).toBe(403)
  expect(await problem(suggest(fix, { file: 1 }))).toEqual([400, 'Binary files can’t be edited.'])
  expect(await problem(suggest(fix, { lines: ['  return b + a'] }))).toEqual([
    400,
    'The lines are unchanged.',
  ])
  expect((await problem(suggest(fix, { lines: ['one\ntwo'] })))[0]).toBe(400)
  expect((await problem(suggest(fix, { reason: ' ' })))[0]).toBe(400)
  expect((await problem(suggest(fix, { sha256: '0'.repeat(64) })))[0]).toBe(400)
  expect((await problem(propose(PATCH, { origin: 'suggestion' })))[0]).toBe(400)
  expect((await detail(fix.id)).versions).toHaveLength(1)
  expect((await suggest(fix, {}, { cookie: operator })).status).toBe(201)
})

test('of two suggestions at once the second is told; one made of what a reviewer has decided on meanwhile, too', async () => {
  const fix = await proposed(propose(PATCH))
  const both = await Promise.all([
    suggest(fix),
    suggest(fix, { lines: ['  return sumOf(a, b)'] }, { cookie: other }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  const second = await proposed(propose(PATCH, { task: 'another' }))
  expect((await post(reviewsRoute, 'reviews', second, { to: 'approved', comment: 'Good.' })).status).toBe(200)
  expect(await problem(suggest(second))).toEqual([
    409,
    'The fix was changed to “approved”. Your suggestion was not saved.',
  ])
})

test('what is known to be secret stays masked in what is made of it', async () => {
  const patch = PATCH.replace(' }\n', '+// hunter2-and-more\n }\n').replace('+1,3', '+1,4')
  const start = patch.indexOf('hunter2')
  const done = await proposeFix(world.db, {
    projectId: world.project.id,
    executionId: execution,
    bytes: Buffer.from(patch),
    proposal: fixProposal.parse({}),
    secrets: [{ start, end: start + 7 }],
    actor: 'system',
    actorName: 'Import',
  })
  if (!('fixId' in done)) throw new Error(done.refused)
  const before = await detail(done.fixId)
  const made = await proposed(suggest(before, { lines: ['  // the order is told', '  return a + b'] }))
  const lines = async (id: string) =>
    (await detail(id)).flags.filter(({ code }) => code === 'content-secret').map((flag) => flag.lines)
  expect([await lines(done.fixId), await lines(made.id)]).toEqual([
    [{ start: 9, end: 9 }],
    [{ start: 10, end: 10 }],
  ])
  expect((await suggest(made, {}, { cookie: operator })).status).toBe(403)
})

test('of two who decide at once the second is refused, and the first is told of the second', async () => {
  const fix = await proposed(propose(PATCH))
  expect(
    (await post(reviewsRoute, 'reviews', fix, { to: 'changes_requested', comment: 'The order.' })).status,
  ).toBe(200)
  const late = { to: 'rejected', comment: 'It hides the failure.' }
  for (const _again of [1, 2])
    expect((await problem(post(reviewsRoute, 'reviews', fix, late, { cookie: other })))[0]).toBe(409)
  // A version that never was is no late review.
  expect(
    (await problem(post(reviewsRoute, 'reviews', fix, { ...late, version: 99 }, { cookie: other })))[0],
  ).toBe(409)
  const { lateReviews, reviews } = await detail(fix.id)
  expect([lateReviews.map(({ to, seenVersion }) => [to, seenVersion]), reviews.map(({ to }) => to)]).toEqual([
    [['rejected', 1]],
    ['changes_requested'],
  ])
  const [entry, ...more] = await world.db
    .sql`select detail from audit_log where project_id = ${world.project.id} and action = 'fix.review-late' and subject = ${fix.id}`
  expect([entry!.detail, more]).toEqual([
    { to: 'rejected', seenVersion: 1, version: 2, state: 'changes_requested', sha256: fix.sha256 },
    [],
  ])
  expect(JSON.stringify(entry)).not.toContain('hides')
})

test('reasons of hunks and files are kept as they were said, without secrets; what is none is refused', async () => {
  const reasons = [
    { file: 'src/sum.ts', line: 2, text: `Was wrong. ghp_${'a1B2'.repeat(9)}` },
    { file: 'old.bin', text: 'Made anew.' },
  ]
  const fix = await proposed(propose(PATCH, { reasons }))
  expect((await detail(fix.id)).reasons).toEqual([
    { file: 'src/sum.ts', line: 2, text: expect.stringMatching(/^Was wrong\. \[redacted:/) as string },
    { file: 'old.bin', line: null, text: 'Made anew.' },
  ])
  for (const wrong of [
    [{ file: 'a' }],
    [{ file: 'a', text: '' }],
    [{ file: 'a', line: 0, text: 'x' }],
    'why',
  ])
    expect((await problem(propose(`${PATCH} `, { reasons: wrong })))[0]).toBe(400)
})
