import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as ofExecution from '@/app/api/v1/executions/[id]/fixes/route'
import * as bundleRoute from '@/app/api/v1/fixes/[id]/bundle/route'
import * as commentsRoute from '@/app/api/v1/fixes/[id]/comments/route'
import * as filesRoute from '@/app/api/v1/fixes/[id]/files/route'
import * as digestRoute from '@/app/api/v1/fixes/[id]/patch.sha256/route'
import * as patchRoute from '@/app/api/v1/fixes/[id]/patch/route'
import * as provenanceRoute from '@/app/api/v1/fixes/[id]/provenance/route'
import * as reviewsRoute from '@/app/api/v1/fixes/[id]/reviews/route'
import * as fixRoute from '@/app/api/v1/fixes/[id]/route'
import * as transcriptRoute from '@/app/api/v1/fixes/[id]/transcript/route'
import * as viewedRoute from '@/app/api/v1/fixes/[id]/viewed/route'
import * as queueRoute from '@/app/api/v1/fixes/route'
import { Transcript } from '@/db/seed/transcript'
import { verifyAuditLog } from '@/db/audit'
import { expireFixes } from '@/db/fixes/expire-fixes'
import { rereadFixes } from '@/db/fixes/reread-fixes'
import { ingestBody } from '@/db/writes/ingest'
import {
  fixComment,
  fixDetail,
  fixFile,
  fixItem,
  fixProvenance,
  proposedFix,
  viewedMarks,
} from '@/lib/api/fix-schemas'
import { page, problemDocument } from '@/lib/api/schemas'
import { PROVENANCE_LINKS } from '@/lib/model/provenance-facts'
import { links } from '@/lib/links'
import { ask, type Ask, openWorld, type World } from './test-support'
import type { FixItem } from '@/lib/model/fix'

const PATCH = `diff --git a/src/sum.ts b/src/sum.ts
index 1111111..2222222 100644
--- a/src/sum.ts
+++ b/src/sum.ts
@@ -1,3 +1,3 @@
 export function sum(a: number, b: number) {
-  return a - b
+  return a + b
 }
diff --git a/README.md b/README.md
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/README.md
@@ -0,0 +1 @@
+sum
`
const OTHER = PATCH.replace('a + b', 'b + a')
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>
const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')

let world: World
let agent: string
let reader: string
let reviewer: string
let other: string
let execution: string
let sessionId: string
let serial = 0
beforeAll(async () => {
  world = await openWorld()
  agent = await world.key(['ingest', 'write'])
  reader = await world.key(['read'])
  reviewer = await world.cookie('reviewer')
  other = await world.cookie('reviewer')
})
beforeEach(async () => {
  sessionId = `0a0a0a0a-0000-4000-8000-${String((serial += 1)).padStart(12, '0')}`
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

const propose = (
  body: BodyInit,
  { query = {}, ...how }: Ask & { query?: Record<string, string> } = {},
): Promise<Response> =>
  ask(ofExecution.POST, links.api.executionFixes(execution, query), {
    method: 'POST',
    key: agent,
    params: { id: execution },
    body,
    ...how,
  })
const form = (
  patch: string | Uint8Array<ArrayBuffer>,
  proposal: object = {},
  transcript?: string,
): FormData => {
  const data = new FormData()
  data.set('patch', new Blob([patch]), 'fix.patch')
  data.set('proposal', JSON.stringify(proposal))
  if (transcript !== undefined) data.set('transcript', new Blob([transcript]), 'agent.jsonl')
  return data
}
async function proposed(response: Response | Promise<Response>): Promise<FixItem> {
  const answer = await response
  if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`)
  return proposedFix.parse(await answer.json()).fix
}
const at = (
  route: { GET?: unknown; POST?: unknown },
  id: string,
  what: Parameters<typeof links.api.ofFix>[1],
  how: Ask = {},
): Promise<Response> =>
  ask(how.method === 'POST' ? route.POST : route.GET, links.api.ofFix(id, what), {
    params: { id },
    ...(how.cookie || how.key ? {} : { key: reader }),
    ...how,
  })
const problem = async (answer: Response | Promise<Response>): Promise<[number, string, string]> => {
  const response = await answer
  const { type, detail } = problemDocument.parse(await response.json())
  return [response.status, type.replace('/problems/', ''), detail ?? '']
}
const review = (fix: FixItem, body: object, how: Ask = { cookie: reviewer }): Promise<Response> =>
  at(reviewsRoute, fix.id, 'reviews', {
    method: 'POST',
    body: { version: fix.version, sha256: fix.sha256, ...body },
    ...how,
  })
const detail = async (id: string, how: Ask = {}) =>
  fixDetail.parse(
    await (
      await ask(fixRoute.GET, links.api.fix(id), {
        params: { id },
        ...(how.cookie ? {} : { key: reader }),
        ...how,
      })
    ).json(),
  )
const comment = (fix: FixItem, body: object, how: Ask = { cookie: reviewer }): Promise<Response> =>
  at(commentsRoute, fix.id, 'comments', { method: 'POST', body: { sha256: fix.sha256, ...body }, ...how })
const auditOf = async (...ids: string[]): Promise<string[]> =>
  (
    await world.db.sql<
      { action: string }[]
    >`select action from audit_log where subject = any (${ids}) order by seq`
  ).map(({ action }) => action)
const comments = async (answer: Promise<Response>) =>
  page(fixComment).parse(await (await answer).json()).items

describe('proposing', () => {
  test('keeps the bytes and says what git makes of them', async () => {
    const fix = await proposed(propose(PATCH, { query: { task: 'test', title: 'Add, not subtract' } }))
    expect(fix).toMatchObject({
      executionId: execution,
      task: 'test',
      ordinal: 1,
      title: 'Add, not subtract',
      origin: 'upload',
      state: 'proposed',
      version: 1,
      size: PATCH.length,
      sha256: await digest(bytesOf(PATCH)),
      verdict: 'not-run',
      reading: { verdict: 'ok', files: 2, additions: 2, deletions: 1, hunks: 2 },
      url: `/fixes/${fix.id}`,
    })
    expect(
      (await detail(fix.id)).files.map(({ status, name, additions, deletions }) => [
        status,
        name,
        additions,
        deletions,
      ]),
    ).toEqual([
      ['M', 'src/sum.ts', 1, 1],
      ['A', 'README.md', 1, 0],
    ])
    const files = page(fixFile)
    const first = files.parse(
      await (
        await ask(filesRoute.GET, `${links.api.ofFix(fix.id, 'files')}?limit=1`, {
          key: reader,
          params: { id: fix.id },
        })
      ).json(),
    )
    const second = files.parse(
      await (
        await ask(filesRoute.GET, `${links.api.ofFix(fix.id, 'files')}?limit=1&cursor=${first.nextCursor}`, {
          key: reader,
          params: { id: fix.id },
        })
      ).json(),
    )
    expect([first.items[0]!.name, second.items[0]!.name, second.nextCursor]).toEqual([
      'src/sum.ts',
      'README.md',
      null,
    ])
    const [start, end] = [first.items[0]!.byteStart, first.items[0]!.byteEnd]
    const part = await ask(
      patchRoute.GET,
      links.api.ofFix(fix.id, 'patch', { start: String(start), end: String(end) }),
      { key: reader, params: { id: fix.id } },
    )
    expect([await part.text(), first.items[0]!.sha256]).toEqual([
      PATCH.slice(start, end),
      await digest(bytesOf(PATCH.slice(start, end))),
    ])
  })

  test('the same bytes for the same task are the same fix, also when two come at once', async () => {
    const both = await Promise.all([propose(PATCH), propose(PATCH), propose(OTHER)])
    const answers = await Promise.all(both.map(async (one) => proposedFix.parse(await one.json())))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201, 201])
    expect(answers[0]!.fix.id).toBe(answers[1]!.fix.id)
    expect(new Set([answers[0]!.fix.ordinal, answers[2]!.fix.ordinal])).toEqual(new Set([1, 2]))
    expect((await proposed(propose(PATCH, { query: { task: 'another' } }))).ordinal).toBe(1)
  })

  test('a form tells what is known of it, and a transcript is kept without its secrets', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const proposal = {
      task: 'unit',
      explanation: `tried ${token}`,
      agent: { name: 'fixer', model: 'm-1' },
      base: { commit: 'abc1234' },
      budget: {
        attempts: { limit: 1, used: 1 },
        wallClockMs: { limit: 300000, used: 412 },
        endedBy: 'completed',
      },
      verification: [
        { phase: 'reproduce-before', argv: ['npm', 'test'], exitCode: 1 },
        { phase: 'after-patch', argv: ['npm', 'test'], exitCode: 0 },
      ],
    }
    const fix = await proposed(propose(form(PATCH, proposal, `{"type":"request","prompt":"use ${token}"}\n`)))
    expect([fix.verdict, fix.agent, fix.model]).toEqual(['reproduced-and-fixed', 'fixer', 'm-1'])
    const whole = await detail(fix.id)
    expect(whole).toMatchObject({
      base: { commit: 'abc1234', tree: null, dirty: null },
      budget: proposal.budget,
      agentDetail: { profile: null },
    })
    expect(whole.explanation).toMatch(/^tried \[redacted:/)
    const transcript = await (await at(transcriptRoute, fix.id, 'transcript')).text()
    expect(transcript).toMatch(/use \[redacted:[^"]+"\}\n$/)
    expect(JSON.stringify(await world.db.sql`select proposal::text from fixes`)).not.toContain(token)
  })

  test('a long transcript is sent piece by piece, as its reader takes it', async () => {
    const lines = `${JSON.stringify({ pad: 'ab'.repeat(600_000) })}\n`.repeat(2)
    const fix = await proposed(propose(form(PATCH, { task: 'long' }, lines)))
    const response = await at(transcriptRoute, fix.id, 'transcript')
    expect(response.headers.get('content-length')).toBe(String(lines.length))
    const reader = response.body!.getReader()
    expect((await reader.read()).value!.length).toBe(1_048_576)
    await reader.cancel()
    expect(await (await at(transcriptRoute, fix.id, 'transcript')).text()).toBe(lines)
  })

  test.each([
    ['nothing', '', {}, 400, 'bad-request', /empty/],
    [
      'JSON',
      '{"patch":"x"}',
      { headers: { 'content-type': 'application/json' } },
      400,
      'bad-request',
      /can’t be sent inside JSON/,
    ],
    [
      'other bytes than the digest says',
      PATCH,
      { query: { sha256: '0'.repeat(64) } },
      422,
      'wrong-digest',
      /proposal says 0000/,
    ],
    [
      'other bytes than its header says',
      PATCH,
      { headers: { 'repr-digest': `sha-256=:${'A'.repeat(43)}=:` } },
      422,
      'wrong-digest',
      /Repr-Digest says 0000/,
    ],
    [
      'a fix that is not there to supersede',
      PATCH,
      { query: { supersedes: '0199a000-0000-7000-8000-000000000000' } },
      400,
      'bad-request',
      /no such fix/,
    ],
    [
      'a form without a patch',
      new URLSearchParams({ a: 'b' }).toString(),
      { headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      400,
      'bad-request',
      /form/,
    ],
  ])('%s is refused in words, and nothing is stored', async (_what, body, how, ...expected) => {
    const [status, slug, words] = expected as [number, string, RegExp]
    const [gotStatus, gotSlug, got] = await problem(propose(body as string, how as object))
    expect([gotStatus, gotSlug]).toEqual([status, slug])
    expect(got).toMatch(words)
    expect(
      page(fixItem).parse(
        await (
          await ask(ofExecution.GET, links.api.executionFixes(execution), {
            key: reader,
            params: { id: execution },
          })
        ).json(),
      ).items,
    ).toEqual([])
  })

  test('what is no patch is taken, and says why git refuses it', async () => {
    const fix = await proposed(propose(new Uint8Array([0, 255, 10, 13, 7])))
    expect(fix).toMatchObject({
      size: 5,
      reading: { verdict: 'error', problem: expect.stringMatching(/patch/), files: 0 },
    })
    expect(new Uint8Array(await (await at(patchRoute, fix.id, 'patch')).arrayBuffer())).toEqual(
      new Uint8Array([0, 255, 10, 13, 7]),
    )
  })

  test('a key that only reads cannot propose, and an execution of another project is not there', async () => {
    expect((await problem(propose(PATCH, { key: reader })))[1]).toBe('not-allowed')
    execution = '0199a000-0000-7000-8000-000000000000'
    expect((await problem(propose(PATCH)))[1]).toBe('not-found')
  })
})

describe('downloading', () => {
  test('the headers are those of a file that nothing runs in, and the digest is told three times', async () => {
    const fix = await proposed(propose(PATCH, { query: { task: '../../etc/"x"\r\n' } }))
    const response = await at(patchRoute, fix.id, 'patch')
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition')!)![1]!
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      etag: `"${fix.sha256}"`,
      'content-length': String(PATCH.length),
      'repr-digest': `sha-256=:${Buffer.from(fix.sha256, 'hex').toString('base64')}:`,
      'cache-control': expect.stringMatching(/private.*no-transform.*immutable/),
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    expect(name).toMatch(
      new RegExp(`^[A-Za-z0-9_][A-Za-z0-9._-]*-${sessionId}-etc-x-${fix.sha256.slice(0, 8)}\\.patch$`),
    )
    expect(await response.text()).toBe(PATCH)
    expect(
      (
        await at(patchRoute, fix.id, 'patch', {
          key: reader,
          headers: { 'if-none-match': `"${fix.sha256}"` },
        })
      ).status,
    ).toBe(304)
    const ranged = await at(patchRoute, fix.id, 'patch', { key: reader, headers: { range: 'bytes=5-9' } })
    expect([ranged.status, ranged.headers.get('content-range'), await ranged.text()]).toEqual([
      206,
      `bytes 5-9/${PATCH.length}`,
      PATCH.slice(5, 10),
    ])
    const sums = await at(digestRoute, fix.id, 'patch.sha256')
    const listed = `${fix.sha256}  ${name}\n`
    expect([await sums.text(), sums.headers.get('etag')]).toEqual([
      listed,
      `"${await digest(bytesOf(listed))}"`,
    ])
  })

  test('a file keeps its name when the run or its source is called otherwise', async () => {
    const fix = await proposed(propose(PATCH, { query: { task: 'stable' } }))
    const named = async () => [
      (await at(patchRoute, fix.id, 'patch')).headers.get('content-disposition'),
      (await detail(fix.id)).downloadName,
    ]
    const before = await named()
    await world.db.sql`update executions set title = 'Another title' where id = ${execution}`
    await world.db
      .sql`update sources set name = 'another machine' where id = (select source_id from executions where id = ${execution})`
    expect(await named()).toEqual(before)
    expect((await detail(fix.id)).run).toEqual({
      source: expect.not.stringMatching('another'),
      id: sessionId,
    })
  })

  test('a patch in which a secret was found is for reviewers, and is not changed', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const patch = PATCH.replace('+sum', `+token: ${secret}`)
    const fix = await proposed(propose(patch))
    expect(fix.reading.warnings).toEqual(['content-secret'])
    expect(await problem(at(patchRoute, fix.id, 'patch'))).toEqual([
      403,
      'not-allowed',
      expect.stringMatching(/may contain a secret/),
    ])
    expect((await problem(at(bundleRoute, fix.id, 'bundle')))[0]).toBe(403)
    expect((await problem(at(provenanceRoute, fix.id, 'provenance')))[0]).toBe(403)
    const without = await (
      await ask(provenanceRoute.GET, links.api.ofFix(fix.id, 'provenance', { bytes: 'none' }), {
        key: reader,
        params: { id: fix.id },
      })
    ).text()
    expect([
      without.includes('content-secret'),
      without.includes(secret),
      without.includes(Buffer.from(secret).toString('base64').slice(2, 30)),
    ]).toEqual([true, false, false])
    expect(await (await at(patchRoute, fix.id, 'patch', { cookie: reviewer })).text()).toBe(patch)
    expect(JSON.stringify(await detail(fix.id))).not.toContain(secret)
  })

  test('bytes that were changed in the store are not sent to their end', async () => {
    const fix = await proposed(propose(PATCH.replace('sum.ts', 'tampered.ts')))
    await world.db.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update patches set bytes = overlay(bytes placing 'X' from 20) where sha256 = ${fix.sha256}`
    })
    for (const [route, what] of [
      [patchRoute, 'patch'],
      [provenanceRoute, 'provenance'],
      [bundleRoute, 'bundle'],
    ] as const)
      await expect((await at(route, fix.id, what)).text()).rejects.toThrow(/does not match its digest/)
  })

  test('the archive holds all that is needed to repeat the checks, and equal parts make equal bytes', async () => {
    const fix = await proposed(propose(form(PATCH, { task: 'zip' }, 'one line\n')))
    const read = async () => new Uint8Array(await (await at(bundleRoute, fix.id, 'bundle')).arrayBuffer())
    const bytes = await read()
    expect(await read()).toEqual(bytes)
    const parts = unzipSync(bytes)
    const folder = mkdtempSync(join(tmpdir(), 'inquest-bundle-'))
    try {
      for (const [name, content] of Object.entries(parts)) writeFileSync(join(folder, name), content)
      expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })).toMatch(
        /\.patch: OK\ntranscript: OK\nprovenance\.json: OK\n$/,
      )
      expect(JSON.parse(readFileSync(join(folder, 'provenance.json'), 'utf8'))).toEqual(
        await (await at(provenanceRoute, fix.id, 'provenance')).json(),
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('provenance tells every link in order with who says so, all findings and files, and the bytes themselves', async () => {
    // More findings, files and chunks than one page or one read holds.
    const files = Array.from(
      { length: 1_100 },
      (_, i) =>
        `diff --git a/f${i}.test.ts b/f${i}.test.ts\n--- a/f${i}.test.ts\n+++ b/f${i}.test.ts\n@@ -1 +1 @@\n-a\n+it.skip('${'x'.repeat(1_500)}')\n`,
    ).join('')
    const fix = await proposed(
      propose(
        form(
          files,
          {
            task: 'wide',
            base: { commit: 'abcdef1' },
            agent: { workspaceKind: 'checkout' },
            verification: [
              { phase: 'after-patch', argv: ['make'], exitCode: 0, outputSha256: 'c'.repeat(64) },
            ],
          },
          'one\ntwo\nthree',
        ),
      ),
    )
    await review(fix, { to: 'rejected', comment: 'Tests only.' })
    await comment(fix, { text: 'Why?' })
    const response = await at(provenanceRoute, fix.id, 'provenance')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/-[0-9a-f]{8}\.provenance\.json"/),
    })
    const told = fixProvenance.parse(await response.json())
    expect(Buffer.from(told.patch.base64!, 'base64').equals(Buffer.from(files))).toBe(true)
    expect(told.files.map(({ ordinal, name }) => `${ordinal} ${name}`)).toEqual(
      Array.from({ length: 1_100 }, (_, i) => `${i} f${i}.test.ts`),
    )
    const factsOf = (link: string) => told.links.find((one) => one.link === link)!.facts
    const factOf = (link: string, name: string) => factsOf(link).find((one) => one.name === name)
    expect(told.links.map(({ link }) => link)).toEqual([...PROVENANCE_LINKS])
    expect(factsOf('findings').filter(({ name }) => name === 'signal: skip-added').length).toBe(1_100)
    expect([
      factOf('findings', 'rules'),
      factOf('base', 'commit'),
      factOf('base', 'tree'),
      factOf('workspace', 'kind'),
      factOf('verification', 'after-patch'),
      factOf('transcript', 'lines'),
      factOf('reviews', 'rejected'),
    ]).toMatchObject([
      { value: fix.reading.rules, origin: 'computed' },
      { value: 'abcdef1', origin: 'by the proposer' },
      { value: null, origin: 'unknown' },
      { value: 'checkout' },
      { sha256: 'c'.repeat(64), origin: 'by the proposer' },
      { value: 3, origin: 'computed' },
      { value: { reason: 'Tests only.', from: 'proposed' }, sha256: fix.sha256, origin: 'recorded' },
    ])
    expect(factOf('failure', 'error')).toMatchObject({
      origin: 'recorded',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(factOf('transcript', 'stored, redacted')!.sha256).toBe(await digest(bytesOf('one\ntwo\nthree')))
    expect(told.comments).toMatchObject([{ text: 'Why?' }])
    expect(
      fixProvenance.parse(
        await (
          await ask(provenanceRoute.GET, links.api.ofFix(fix.id, 'provenance', { bytes: 'none' }), {
            key: reader,
            params: { id: fix.id },
          })
        ).json(),
      ),
    ).toEqual({ ...told, patch: { ...told.patch, base64: null } })
  })
})

describe('reviewing', () => {
  test('goes from the proposal over a request for changes and a new version to an approval and a report', async () => {
    const first = await proposed(propose(PATCH, { query: { task: 'journey' } }))
    expect(
      (await review(first, { to: 'changes_requested', comment: 'The order of the operands.' })).status,
    ).toBe(200)
    const second = await proposed(propose(OTHER, { query: { task: 'journey', supersedes: first.id } }))
    expect(await detail(first.id)).toMatchObject({
      state: 'superseded',
      supersededBy: second.id,
      mayBecome: [],
      reviews: [{}, { to: 'superseded', comment: 'Version 2 replaced it.' }],
    })
    const approved = fixDetail.parse(
      await (await review(second, { to: 'approved', comment: 'Good.' })).json(),
    )
    expect(approved).toMatchObject({ state: 'approved', version: 2, mayBecome: ['rejected', 'applied'] })
    const applied = fixDetail.parse(
      await (
        await review(
          { ...second, version: 2 },
          { to: 'applied', applied: { how: 'git apply', commit: 'abcdef1', exact: true } },
        )
      ).json(),
    )
    expect(applied.reviews.map(({ from, to, version }) => [version, from, to])).toEqual([
      [2, 'proposed', 'approved'],
      [3, 'approved', 'applied'],
    ])
    expect(applied.versions.map(({ ordinal, state }) => [ordinal, state])).toEqual([
      [1, 'superseded'],
      [2, 'applied'],
    ])
    expect(await auditOf(first.id, second.id)).toEqual([
      'fix.propose',
      'fix.review',
      'fix.propose',
      'fix.supersede',
      'fix.review',
      'fix.review',
    ])
    expect((await verifyAuditLog(world.db.sql, world.project.id)).valid).toBe(true)
    expect((await world.db.sql`select outcome from executions where id = ${execution}`)[0]!.outcome).not.toBe(
      'succeeded',
    )
  })

  test('of two reviewers at once one is told what the other decided', async () => {
    const fix = await proposed(propose(PATCH))
    const both = await Promise.all([
      review(fix, { to: 'approved', comment: 'Yes.' }),
      review(fix, { to: 'rejected', comment: 'No.' }, { cookie: other }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const [, slug, words] = await problem(both.find(({ status }) => status === 409)!)
    expect([slug, words]).toEqual([
      'stale-write',
      expect.stringMatching(
        /^Since you looked, Someone decided: the fix is now “(?:approved|rejected)” \(version 2\)/,
      ),
    ])
    expect((await detail(fix.id)).reviews).toHaveLength(1)
  })

  test('of two versions at once that supersede one fix, one is told', async () => {
    const fix = await proposed(propose(PATCH))
    const both = await Promise.all(
      [OTHER, `${OTHER}\n`].map((body) => propose(body, { query: { supersedes: fix.id } })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('a key decides nothing, not even one that may write; nor does a person decide on their own proposal', async () => {
    const fix = await proposed(propose(PATCH))
    expect((await problem(review(fix, { to: 'approved' }, { key: agent })))[2]).toMatch(
      /API keys can’t review fixes/,
    )
    expect(
      (await problem(review(fix, { to: 'approved' }, { cookie: await world.cookie('operator') })))[1],
    ).toBe('not-allowed')
    const own = await proposed(propose(OTHER, { key: undefined, cookie: reviewer }))
    expect(await problem(review(own, { to: 'approved' }))).toEqual([
      403,
      'not-allowed',
      expect.stringMatching(/You proposed/),
    ])
    expect([
      (await detail(own.id, { cookie: reviewer })).whyNotReview,
      (await detail(own.id, { cookie: other })).mayReview,
    ]).toEqual([expect.stringMatching(/You proposed/), true])
    expect((await review(own, { to: 'approved', comment: 'Seen.' }, { cookie: other })).status).toBe(200)
  })

  test('who made the key that proposed a fix may decide, and that is told before, stored with the decision, and exported', async () => {
    const first = await proposed(propose(OTHER))
    await review(first, { to: 'rejected', comment: 'No.' })
    const [me] = await world.db.sql<
      { id: string }[]
    >`select split_part(actor, ':', 2) as id from fix_reviews where fix_id = ${first.id}`
    await world.db
      .sql`update api_key_grants set created_by = ${me!.id} where 'key:' || key_id = (select proposed_by from fixes where id = ${first.id})`
    try {
      const fix = await proposed(propose(PATCH))
      expect([
        (await detail(fix.id, { cookie: reviewer })).byOwnKey,
        (await detail(fix.id, { cookie: other })).byOwnKey,
        (await detail(fix.id)).byOwnKey,
      ]).toEqual([true, false, false])
      await review(fix, { to: 'approved', comment: 'Mine.' })
      await review({ ...fix, version: 2 }, { to: 'rejected', comment: 'Not mine.' }, { cookie: other })
      expect((await detail(fix.id)).reviews.map(({ ownsKey }) => ownsKey)).toEqual([true, false])
      const told = fixProvenance
        .parse(await (await at(provenanceRoute, fix.id, 'provenance')).json())
        .links.find(({ link }) => link === 'reviews')!.facts
      expect(told.map(({ value }) => (value as { note?: string }).note)).toEqual([
        'the reviewer owns the API key that proposed it',
        undefined,
      ])
      expect(
        (
          await world.db
            .sql`select detail ->> 'ownsKey' as said from audit_log where subject = ${fix.id} and action = 'fix.review' order by seq`
        ).map(({ said }) => said),
      ).toEqual(['true', null])
    } finally {
      await world.db.sql`update api_key_grants set created_by = null where created_by = ${me!.id}`
    }
  })

  test('a verdict names bytes and a state, has a reason, and goes only where the state leads', async () => {
    const fix = await proposed(propose(PATCH))
    expect((await problem(review(fix, { to: 'approved', sha256: '0'.repeat(64) })))[1]).toBe('stale-write')
    expect((await problem(review(fix, { to: 'rejected', comment: ' ' })))[2]).toMatch(/comment: required/)
    expect(await problem(review(fix, { to: 'approved' }))).toEqual([
      422,
      'review-refused',
      expect.stringMatching(/^comment: required/),
    ])
    expect(
      (await problem(review(fix, { to: 'approved', comment: 'Good.', applied: { how: 'other' } })))[2],
    ).toMatch(/^applied: only allowed/)
    expect((await problem(review(fix, { to: 'applied', applied: { how: 'other' } })))[2]).toMatch(
      /can’t change to that state/,
    )
    expect((await problem(review(fix, { to: 'superseded' })))[1]).toBe('bad-request')
    expect((await detail(fix.id)).version).toBe(1)
    expect((await review(fix, { to: 'approved', comment: 'Good.' })).status).toBe(200)
    expect((await problem(review({ ...fix, version: 2 }, { to: 'applied', comment: 'I did.' })))[2]).toMatch(
      /^applied: required/,
    )
  })

  test('a patch with a blocking flag cannot be approved, and a signal of high weight is acknowledged first, with a reason', async () => {
    const hostile = await proposed(propose(PATCH.replaceAll('README.md', '../README.md')))
    expect(hostile.reading).toMatchObject({ safe: false, blocking: ['path-traversal'] })
    expect((await problem(review(hostile, { to: 'approved' })))[2]).toMatch(
      /cannot be approved: path-traversal/,
    )
    const skips = await proposed(propose(PATCH.replace('+sum', "+it.skip('sum')")))
    expect(skips.reading).toMatchObject({ safe: true, signals: [{ code: 'skip-added', weight: 'high' }] })
    expect((await detail(skips.id)).flags).toMatchObject([
      { family: 'signal', code: 'skip-added', file: 1, lines: { start: 16, end: 16 } },
    ])
    expect((await problem(review(skips, { to: 'approved', comment: 'Fine.' })))[2]).toMatch(
      /review skip-added first/,
    )
    expect((await problem(review(skips, { to: 'approved', acknowledged: ['skip-added'] })))[2]).toMatch(
      /comment: required/,
    )
    expect(
      (await review(skips, { to: 'approved', acknowledged: ['skip-added'], comment: 'Skipped on purpose.' }))
        .status,
    ).toBe(200)
  })

  test('a fix expires by itself, and is decided on no more', async () => {
    const fix = await proposed(propose(form(PATCH, { expiresAt: '2020-01-01T00:00:00Z' })))
    expect((await detail(fix.id)).state).toBe('expired')
    expect((await problem(review(fix, { to: 'approved' })))[2]).toMatch(/expired/)
    expect(await expireFixes(world.db.sql)).toBe(1)
    expect((await detail(fix.id)).reviews).toMatchObject([
      { to: 'expired', by: 'Inquest', comment: 'Expired at 2020-01-01T00:00:00.000Z.' },
    ])
    expect(await auditOf(fix.id)).toEqual(['fix.propose', 'fix.expire'])
    expect(await expireFixes(world.db.sql)).toBe(0)
  })
})

test('a patch that other rules have read is read again; bytes, state and decisions stay', async () => {
  const fix = await proposed(propose(PATCH))
  await review(fix, { to: 'changes_requested', comment: 'why' })
  const before = await detail(fix.id)
  await world.db
    .sql`update fix_standing set rules = 'of yesterday', safety = 'blocked', signals = '{}', summary = '{}' where fix_id = ${fix.id}`
  await world.db.sql`delete from fix_flags where fix_id = ${fix.id}`
  await world.db.sql`delete from fix_files where fix_id = ${fix.id}`
  expect(await rereadFixes(world.db)).toBe(1)
  expect(await detail(fix.id)).toEqual(before)
  expect(await rereadFixes(world.db)).toBe(0)
})

describe('comments and marks', () => {
  test('a thread on lines is answered, resolved and reopened; a comment is withdrawn by who wrote it', async () => {
    const fix = await proposed(propose(PATCH))
    const [first] = await comments(
      comment(fix, { text: 'Why?', file: 0, side: 'new', lineStart: 2, lineEnd: 3 }),
    )
    expect(first).toMatchObject({
      kind: 'comment',
      isMine: true,
      text: 'Why?',
      file: 0,
      path: 'src/sum.ts',
      side: 'new',
      lineStart: 2,
      lineEnd: 3,
    })
    await comment(fix, { thread: first!.id, text: 'Because.' }, { cookie: other })
    await comment(fix, { thread: first!.id, kind: 'resolve' })
    expect(
      (
        await problem(
          comment(fix, { thread: first!.id, kind: 'withdraw', target: first!.id }, { cookie: other }),
        )
      )[2],
    ).toMatch(/only its author/)
    const all = await comments(comment(fix, { thread: first!.id, kind: 'withdraw', target: first!.id }))
    expect(all.map(({ kind, text, isMine }) => [kind, text, isMine])).toEqual([
      ['comment', null, true],
      ['comment', 'Because.', false],
      ['resolve', '', true],
      ['withdraw', '', true],
    ])
    expect((await detail(fix.id)).comments).toBe(1)
    expect(await auditOf(fix.id)).toEqual([
      'fix.propose',
      'fix.comment',
      'fix.comment',
      'fix.resolve',
      'fix.withdraw',
    ])
  })

  test.each([
    [{ text: '' }, /must not be empty/],
    [{ text: 'x', file: 9 }, /not found in the patch/],
    [{ text: 'x', file: 0, lineStart: 3 }, /not found in the patch/],
    [{ text: 'x', thread: '0199a000-0000-7000-8000-000000000000' }, /thread: not found/],
    [{ text: 'x', sha256: '0'.repeat(64) }, /different patch/],
  ])('%j is refused', async (body, words) => {
    const fix = await proposed(propose(PATCH))
    expect((await problem(comment(fix, body)))[2]).toMatch(words)
    expect(await comments(at(commentsRoute, fix.id, 'comments'))).toEqual([])
  })

  test('comments of the versions whose place a fix took come when they are asked for, with what was requested; those of a fix beside it do not', async () => {
    const first = await proposed(propose(PATCH))
    const beside = await proposed(propose(`${PATCH}\n`))
    await comment(first, { text: 'Why?', file: 0, side: 'new', lineStart: 2 })
    await comment(beside, { text: 'Beside.' })
    await review(first, { to: 'changes_requested', comment: 'The order of the operands.' })
    const second = await proposed(propose(OTHER, { query: { supersedes: first.id } }))
    const third = await proposed(propose(`${OTHER}\n`, { query: { supersedes: second.id } }))
    await comment(third, { text: 'Better.' })
    const read = async (versions: string) =>
      comments(
        ask(commentsRoute.GET, links.api.ofFix(third.id, 'comments', { versions }), {
          key: reader,
          params: { id: third.id },
        }),
      )
    expect(
      (await read('all')).map(({ fix, ordinal, text, path, sha256 }) => [fix, ordinal, text, path, sha256]),
    ).toEqual([
      [first.id, first.ordinal, 'Why?', 'src/sum.ts', first.sha256],
      [third.id, third.ordinal, 'Better.', null, third.sha256],
    ])
    expect((await read('')).map(({ text }) => text)).toEqual(['Better.'])
    expect(
      await problem(
        ask(commentsRoute.GET, links.api.ofFix(third.id, 'comments', { versions: 'some' }), {
          key: reader,
          params: { id: third.id },
        }),
      ),
    ).toEqual([400, 'bad-request', 'versions: own or all'])
    const { versions } = await detail(third.id)
    expect(
      versions.map(({ id, supersedes, requests }) => [id, supersedes, requests.map((one) => one.comment)]),
    ).toEqual([
      [first.id, null, ['The order of the operands.']],
      [beside.id, null, []],
      [second.id, first.id, []],
      [third.id, second.id, []],
    ])
  })

  test('a mark holds on to the bytes of a file: a version that changes another file keeps it', async () => {
    const fix = await proposed(propose(PATCH))
    const readme = (await detail(fix.id)).files[1]!.sha256
    const mark = (id: string, body: object) =>
      at(viewedRoute, id, 'viewed', { method: 'POST', cookie: reviewer, body })
    const viewed = async (id: string, cookie = reviewer) =>
      viewedMarks.parse(await (await at(viewedRoute, id, 'viewed', { cookie })).json()).viewed
    await mark(fix.id, { sha256: readme, viewed: true })
    const next = await proposed(propose(OTHER, { query: { supersedes: fix.id } }))
    expect([await viewed(next.id), await viewed(next.id, other)]).toEqual([[readme], []])
    await mark(next.id, { sha256: readme, viewed: false })
    expect(await viewed(fix.id)).toEqual([])
  })
})

test('the queue lists, filters, counts and pages', async () => {
  const made = [
    await proposed(propose(PATCH, { query: { task: 'q1' } })),
    await proposed(propose(OTHER, { query: { task: 'q2' } })),
  ]
  await review(made[0]!, { to: 'rejected', comment: 'No.' })
  const read = async (q: string) => {
    const document = await (await ask(queueRoute.GET, `/api/v1/fixes?${q}`, { key: reader })).json()
    return {
      ...page(fixItem).parse(document),
      facets: document.facets as Record<string, { value: string; count: number }[]> | null,
    }
  }
  const first = await read('limit=1')
  expect([first.items[0]!.id, first.items[0]!.cause]).toEqual([made[1]!.id, expect.any(String)])
  expect((await read(`limit=1&cursor=${first.nextCursor}`)).items[0]!.id).toBe(made[0]!.id)
  const rejected = await read('state=rejected')
  expect(
    rejected.items.every(({ state }) => state === 'rejected') &&
      rejected.items.some(({ id }) => id === made[0]!.id),
  ).toBe(true)
  expect(rejected.facets!.state!.find(({ value }) => value === 'rejected')!.count).toBe(rejected.items.length)
  expect((await read('state=made-up')).items).toEqual([])
})

test('each facet narrows, counts as if nothing were chosen in it, and goes together with the others', async () => {
  const ran = { phase: 'after-patch', argv: ['make'], exitCode: 0 }
  const one = await proposed(
    propose(
      form(PATCH.replace('+sum', "+it.skip('sum')"), {
        task: 'facets',
        origin: 'stdout-artifact',
        verification: [ran],
      }),
    ),
  )
  const two = await proposed(
    propose(
      form(PATCH.replaceAll('README.md', '../README.md'), {
        task: 'facets',
        origin: 'fixes-dir',
        verification: [{ ...ran, exitCode: 1 }],
      }),
    ),
  )
  const read = async (query: Record<string, string>) => {
    const document = await (await ask(queueRoute.GET, links.api.fixes(query), { key: reader })).json()
    const ids = page(fixItem)
      .parse(document)
      .items.map(({ id }) => id)
    return {
      found: [one.id, two.id].map((id) => ids.includes(id)),
      facets: document.facets as Record<string, { value: string; count: number }[]>,
      ids,
    }
  }
  for (const [facet, first, second] of [
    ['origin', 'stdout-artifact', 'fixes-dir'],
    ['safety', 'clear', 'blocked'],
    ['evidence', 'fixed-not-reproduced', 'still-failing'],
  ] as const) {
    expect([facet, (await read({ [facet]: first })).found, (await read({ [facet]: second })).found]).toEqual([
      facet,
      [true, false],
      [false, true],
    ])
    const both = await read({ [facet]: `${first},${second}`, limit: '200' })
    const narrowed = await read({ [facet]: second, limit: '200' })
    expect([facet, both.found, narrowed.facets[facet]!.find(({ value }) => value === second)!.count]).toEqual(
      [facet, [true, true], narrowed.ids.length],
    )
    // Chosen or not, a facet counts all its values.
    expect(narrowed.facets[facet]!.find(({ value }) => value === first)!.count).toBe(
      (await read({ [facet]: first, limit: '200' })).ids.length,
    )
  }
  expect([
    (await read({ signal: 'skip-added' })).found,
    (await read({ signal: 'skip-added,only-tests', origin: 'fixes-dir' })).found,
  ]).toEqual([
    [true, false],
    [false, false],
  ])
  expect(
    (await read({ origin: 'fixes-dir' })).facets.signal!.some(({ value }) => value === 'skip-added'),
  ).toBe(false)
})
