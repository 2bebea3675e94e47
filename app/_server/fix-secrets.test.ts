import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as ofExecution from '@/app/api/v1/executions/[id]/fixes/route'
import * as bundleRoute from '@/app/api/v1/fixes/[id]/bundle/route'
import * as flagsRoute from '@/app/api/v1/fixes/[id]/flags/route'
import * as patchRoute from '@/app/api/v1/fixes/[id]/patch/route'
import * as reviewsRoute from '@/app/api/v1/fixes/[id]/reviews/route'
import * as fixRoute from '@/app/api/v1/fixes/[id]/route'
import { Transcript } from '@/db/seed/transcript'
import { noteUnread } from '@/db/fixes/read-stored-fix'
import { rereadFixes } from '@/db/fixes/reread-fixes'
import { ingestBody } from '@/db/writes/ingest'
import { fixDetail, fixFlag, proposedFix } from '@/lib/api/fix-schemas'
import { page, problemDocument } from '@/lib/api/schemas'
import { readFileRows } from '@/lib/views/fixes/diff-rows'
import { links } from '@/lib/links'
import { ask, type Ask, openWorld, type World } from './test-support'
import type { FixFlag, FixItem } from '@/lib/model/fix'

const SHARED = Symbol.for('inquest.threads')

/** Who may see what of a patch that contains a secret. */
const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const hunk = (name: string, lines: readonly string[]): string =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1,${lines.length + 1} @@\n same\n${lines.map((line) => `+${line}`).join('\n')}\n`
const PATCH = hunk('src/a.ts', ['one', `const t = "${TOKEN}"`, 'three']) + hunk('src/b.ts', ['plain'])

let world: World
let agent: string
let reader: string
let writer: string
let viewer: string
let operator: string
let reviewer: string
let execution: string
beforeAll(async () => {
  world = await openWorld()
  ;[agent, reader, writer] = [
    await world.key(['ingest']),
    await world.key(['read']),
    await world.key(['read', 'write']),
  ]
  ;[viewer, operator, reviewer] = [
    await world.cookie('viewer'),
    await world.cookie('operator'),
    await world.cookie('reviewer'),
  ]
  const { text } = new Transcript({ sessionId: '0a0a0a0a-0000-4000-8000-0000000000e1' })
    .user('go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 2' })
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

async function propose(patch: string): Promise<FixItem> {
  const answer = await ask(ofExecution.POST, links.api.executionFixes(execution), {
    method: 'POST',
    key: agent,
    params: { id: execution },
    body: patch,
  })
  if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`)
  return proposedFix.parse(await answer.json()).fix
}
const detail = async (id: string, how: Ask) =>
  fixDetail.parse(await (await ask(fixRoute.GET, links.api.fix(id), { params: { id }, ...how })).json())
const patchOf = (id: string, how: Ask, range: Record<string, string> = {}): Promise<Response> =>
  ask(patchRoute.GET, links.api.ofFix(id, 'patch', range), { params: { id }, ...how })
const refusal = async (answer: Response | Promise<Response>): Promise<[number, string]> => {
  const response = await answer
  return [response.status, problemDocument.parse(await response.json()).detail ?? '']
}

describe('a patch in which a secret was found', () => {
  const without = (): [string, Ask][] => [
    ['a viewer', { cookie: viewer }],
    ['an operator', { cookie: operator }],
    ['a key that reads', { key: reader }],
  ]
  const within = (): [string, Ask][] => [
    ['a reviewer', { cookie: reviewer }],
    ['a key that writes', { key: writer }],
  ]

  test('is downloaded by reviewers alone, whichever way it is asked for', async () => {
    const { id } = await propose(PATCH)
    for (const [who, how] of without()) {
      expect([who, ...(await refusal(patchOf(id, how)))]).toEqual([
        who,
        403,
        expect.stringMatching(
          /may contain a secret; downloading it requires the role reviewer, or a key with the scopes read and write/,
        ),
      ])
      for (const more of [{ method: 'HEAD' }, { headers: { range: 'bytes=0-9' } }])
        expect([who, (await patchOf(id, { ...how, ...more })).status]).toEqual([who, 403])
      expect([
        who,
        (await ask(bundleRoute.GET, links.api.ofFix(id, 'bundle'), { params: { id }, ...how })).status,
      ]).toEqual([who, 403])
    }
    for (const [who, how] of within())
      expect([who, await (await patchOf(id, how)).text()]).toEqual([who, PATCH])
  })

  test('is drawn for everybody: others get the ranges of a file with stars in the place of the line, and no digest', async () => {
    const { id, sha256 } = await propose(PATCH)
    const { files, secretLines } = await detail(id, { cookie: viewer })
    const range = { start: String(files[0]!.byteStart), end: String(files[0]!.byteEnd) }
    expect(secretLines).toEqual([{ start: 7, end: 7 }])
    const whole = PATCH.slice(files[0]!.byteStart, files[0]!.byteEnd)
    for (const [who, how] of without()) {
      expect([who, (await detail(id, how)).secretsHidden]).toEqual([who, true])
      const response = await patchOf(id, how, range)
      expect([
        who,
        response.status,
        response.headers.get('x-inquest-hidden'),
        response.headers.get('etag'),
        response.headers.get('repr-digest'),
        response.headers.get('cache-control'),
      ]).toEqual([who, 200, 'secrets', null, null, 'private, no-store'])
      expect(response.headers.get('content-disposition')).not.toContain('.patch')
      const hidden = new Uint8Array(await response.arrayBuffer())
      expect(response.headers.get('content-length')).toBe(String(hidden.length))
      expect(new TextDecoder().decode(hidden)).toBe(
        whole.replace(/const t = .*/, (line) => '*'.repeat(line.length)),
      )
      expect(
        readFileRows(hidden, files[0]!.line).hunks[0]!.rows.map(({ line, kind }) => [line, kind]),
      ).toEqual([
        [5, 'context'],
        [6, 'added'],
        [7, 'added'],
        [8, 'added'],
      ])
      // Not even by asking for single bytes, or for all of them.
      for (const part of [
        { start: '0', end: '1000000' },
        { start: String(PATCH.indexOf(TOKEN) + 3), end: String(PATCH.indexOf(TOKEN) + 20) },
      ])
        expect(await (await patchOf(id, how, part)).text()).not.toMatch(/[aB12]{4}/)
    }
    for (const [who, how] of within()) {
      expect([who, (await detail(id, how)).secretsHidden]).toEqual([who, false])
      const response = await patchOf(id, how, range)
      expect([
        who,
        response.headers.get('x-inquest-hidden'),
        response.headers.get('etag'),
        await response.text(),
      ]).toEqual([who, null, `"${sha256}-${range.start}-${range.end}"`, whole])
    }
    const head = await patchOf(id, { cookie: viewer, method: 'HEAD' }, range)
    expect([head.status, head.headers.get('x-inquest-hidden'), await head.text()]).toEqual([
      200,
      'secrets',
      '',
    ])
  })

  test('that git refuses is hidden just so', async () => {
    const { id, reading } = await propose(`no patch\n+token ${TOKEN}\nmore\n`)
    expect(reading.verdict).toBe('error')
    expect(await (await patchOf(id, { cookie: viewer }, { start: '0', end: '65536' })).text()).toBe(
      `no patch\n+${'*'.repeat(TOKEN.length + 6)}\nmore\n`,
    )
  })

  test('behind more flags than come with the fix: its lines come all the same, and all flags by pages', async () => {
    const skips = Array.from({ length: 30 }, (_, file) =>
      hunk(
        `t${file}.test.ts`,
        Array.from({ length: 20 }, (_one, n) => `it.skip('${file} ${n}')`),
      ),
    )
    const { id } = await propose(skips.join('') + hunk('zz.ts', [`t = "${TOKEN}"`]))
    const fix = await detail(id, { cookie: reviewer })
    expect([
      fix.flags.length,
      fix.flags.some(({ code }) => code === 'content-secret'),
      fix.secretLines,
    ]).toEqual([500, false, [{ start: 30 * 25 + 6, end: 30 * 25 + 6 }]])
    const flags: FixFlag[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: Response = await ask(
        flagsRoute.GET,
        links.api.ofFix(id, 'flags', { limit: '200', cursor }),
        { key: reader, params: { id } },
      )
      const read = page(fixFlag).parse(await answer.json())
      flags.push(...read.items)
      cursor = read.nextCursor
    }
    expect([
      flags.length,
      flags.slice(0, 500),
      flags.filter(({ code }) => code === 'content-secret').length,
    ]).toEqual([fix.flagsTotal, fix.flags, 1])
    expect(
      (
        await ask(flagsRoute.GET, links.api.ofFix(id, 'flags', { cursor: 'x' }), {
          key: reader,
          params: { id },
        })
      ).status,
    ).toBe(400)
  })

  test('with more of them in one file than are flagged: every line is among those that are masked', async () => {
    const { id } = await propose(
      hunk(
        'a.ts',
        Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? `t${n} = "${TOKEN}"` : 'plain')),
      ),
    )
    const fix = await detail(id, { cookie: reviewer })
    expect([fix.flagsTotal, fix.secretLines!.length]).toEqual([20, 25])
  })
})

describe('a patch that is not read', () => {
  test('is kept, cannot be approved, and is handed to reviewers alone until it is read', async () => {
    // Nobody comes to it.
    Object.assign(globalThis, { [SHARED]: { patches: { read: async () => {} } } })
    const patch = PATCH.replace('one', 'unread').replace(TOKEN, 'nothing')
    const fix = await propose(patch)
    Object.assign(globalThis, { [SHARED]: undefined })
    expect(fix.reading).toMatchObject({
      verdict: 'unknown',
      safe: false,
      blocking: ['not-read'],
      problem: 'It has not been read yet.',
    })
    await noteUnread(world.db, { projectId: world.project.id, fixId: fix.id }, 'over-time')
    const told = await detail(fix.id, { cookie: viewer })
    expect(told).toMatchObject({
      facts: null,
      files: [],
      secretLines: null,
      secretsHidden: true,
      flags: [{ code: 'not-read', weight: 'blocking' }],
      reading: { problem: expect.stringMatching(/took longer than 30 seconds/) },
    })
    for (const range of [{}, { start: '0', end: '10' }] as Record<string, string>[])
      expect(await refusal(patchOf(fix.id, { cookie: viewer }, range))).toEqual([
        403,
        expect.stringMatching(/has not been scanned yet and may contain a secret/),
      ])
    expect(await (await patchOf(fix.id, { cookie: reviewer })).text()).toBe(patch)
    const review = { to: 'approved', version: fix.version, sha256: fix.sha256, comment: 'Fine.' }
    const approve = (): Promise<Response> =>
      ask(reviewsRoute.POST, links.api.ofFix(fix.id, 'reviews'), {
        method: 'POST',
        cookie: reviewer,
        params: { id: fix.id },
        body: review,
      })
    expect(await refusal(approve())).toEqual([
      422,
      'The patch cannot be approved before it is read: not-read.',
    ])
    expect(await rereadFixes(world.db, { projectId: world.project.id })).toBe(1)
    expect(await detail(fix.id, { cookie: viewer })).toMatchObject({
      reading: { verdict: 'ok', blocking: [] },
      secretLines: [],
      secretsHidden: false,
      flags: [],
    })
    expect((await approve()).status).toBe(200)
  })

  test('is read when the same bytes are proposed again, and by the job that comes by when its process ended', async () => {
    Object.assign(globalThis, { [SHARED]: { patches: { read: async () => {} } } })
    const [again, left] = [PATCH.replace('one', 'again'), PATCH.replace('one', 'left')]
    await propose(again)
    const { id } = await propose(left)
    Object.assign(globalThis, { [SHARED]: undefined })
    expect((await propose(again)).reading.verdict).toBe('ok')
    expect(await rereadFixes(world.db, { left: true })).toBe(0)
    await world.db
      .sql`update fix_standing set received_at = now() - interval '6 minutes' where fix_id = ${id}`
    expect(await rereadFixes(world.db, { left: true })).toBe(1)
    expect((await detail(id, { key: reader })).reading.verdict).toBe('ok')
  })

  test('by these rules, because older ones did not tell its secrets, is treated as one until it is', async () => {
    const { id } = await propose(PATCH.replace('one', 'older'))
    await world.db
      .sql`update fix_standing set rules = '2', secrets = null, known_secrets = null where fix_id = ${id}`
    expect(await detail(id, { cookie: viewer })).toMatchObject({ secretLines: null, secretsHidden: true })
    expect((await patchOf(id, { cookie: viewer }, { start: '0', end: '10' })).status).toBe(403)
    await rereadFixes(world.db)
    expect((await detail(id, { cookie: viewer })).secretLines).toEqual([{ start: 7, end: 7 }])
  })
})
