import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as ofExecution from '@/app/api/v1/executions/[id]/fixes/route'
import * as linkRoute from '@/app/api/v1/fixes/[id]/links/[link]/route'
import * as linksRoute from '@/app/api/v1/fixes/[id]/links/route'
import * as reviewsRoute from '@/app/api/v1/fixes/[id]/reviews/route'
import * as sharedRoute from '@/app/api/v1/shared-patches/[token]/route'
import { Transcript } from '@/db/seed/transcript'
import { ingestBody } from '@/db/writes/ingest'
import { ensureProject } from '@/db/projects'
import { fixLink, madeFixLink, proposedFix, type FixLink } from '@/lib/api/fix-schemas'
import { page, problemDocument } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { PEER_HEADER } from './config'
import { ask, type Ask, openWorld, type World } from './test-support'
import type { FixItem } from '@/lib/model/fix'

const patchOf = (line: string): string => `--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+${line}\n`
const WITH_SECRET = patchOf(`const t = "ghp_${'a1B2'.repeat(9)}"`)

let world: World
let reviewer: string
let agent: string
let execution: string
beforeAll(async () => {
  world = await openWorld()
  reviewer = await world.cookie('reviewer')
  agent = await world.key(['ingest'])
  const { text } = new Transcript({ sessionId: '0a0a0a0a-0000-4000-8000-0000000000f1' })
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

let serial = 0
async function propose(patch = patchOf(`line ${(serial += 1)}`), query = ''): Promise<FixItem> {
  const task = `task-${(serial += 1)}`
  const answer = await ask(ofExecution.POST, `${links.api.executionFixes(execution)}?task=${task}${query}`, {
    method: 'POST',
    key: agent,
    params: { id: execution },
    body: patch,
  })
  if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`)
  return proposedFix.parse(await answer.json()).fix
}
const post = (id: string, body: object = {}, how: Ask = { cookie: reviewer }): Promise<Response> =>
  ask(linksRoute.POST, links.api.ofFix(id, 'links'), { method: 'POST', params: { id }, body, ...how })
const make = async (id: string, body: object = {}): Promise<{ token: string; link: FixLink }> => {
  const { url, ...link } = madeFixLink.parse(await (await post(id, body)).json())
  return { token: /\/shared\/([\w-]{43})\.patch$/.exec(url)![1]!, link }
}
const open = (token: string, how: Ask = {}): Promise<Response> =>
  ask(sharedRoute.GET, `/shared/${token}.patch`, { params: { token }, ...how })
const list = async (id: string): Promise<FixLink[]> =>
  page(fixLink).parse(
    await (
      await ask(linksRoute.GET, links.api.ofFix(id, 'links'), { params: { id }, cookie: reviewer })
    ).json(),
  ).items
const revoke = (id: string, link: string, how: Ask = { cookie: reviewer }): Promise<Response> =>
  ask(linkRoute.DELETE, links.api.ofFixLink(id, link), { method: 'DELETE', params: { id, link }, ...how })
const refusal = async (answer: Promise<Response>): Promise<[number, string]> => {
  const response = await answer
  return [response.status, problemDocument.parse(await response.json()).detail ?? '']
}
const audit = async (id: string): Promise<string[]> =>
  (
    await world.db.sql<
      { entry: string }[]
    >`select action || ' ' || split_part(actor, ':', 1) as entry from audit_log where subject = ${id} order by seq`
  ).map(({ entry }) => entry)

describe('a share link', () => {
  test('downloads the patch until it is revoked; each download is counted and in the audit log', async () => {
    const patch = patchOf('shared')
    const { id } = await propose(patch)
    const { token, link } = await make(id, { hours: 2 })
    expect(Math.round((Date.parse(link.expiresAt) - Date.now()) / 60_000)).toBe(120)
    const answer = await open(token)
    expect(await answer.text()).toBe(patch)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect((await open(token, { headers: { range: 'bytes=0-3' } })).status).toBe(206)
    // These hand out no bytes.
    for (const how of [
      { method: 'HEAD' },
      { headers: { range: 'bytes=9999-' } },
      { headers: { 'if-none-match': answer.headers.get('etag')! } },
    ] as Ask[])
      await open(token, how)
    const [listed] = await list(id)
    expect(listed).toMatchObject({ id: link.id, state: 'open', downloads: 2, createdBy: 'Someone' })
    expect(Date.parse(listed!.lastDownloadAt!)).toBeGreaterThan(0)

    expect(fixLink.parse(await (await revoke(id, link.id)).json())).toMatchObject({
      state: 'revoked',
      revokedBy: 'Someone',
    })
    expect(await refusal(open(token))).toEqual([404, expect.stringMatching(/was revoked/)])
    expect((await revoke(id, link.id)).status).toBe(200)
    expect(await audit(id)).toEqual([
      'fix.propose key',
      'fix.share person',
      'fix.share-download link',
      'fix.share-download link',
      'fix.share-revoke person',
    ])
  })

  test('is stored as a digest, and no answer but the first has its token', async () => {
    const { id } = await propose()
    const { token } = await make(id)
    expect(JSON.stringify(await list(id))).not.toContain(token)
    const [row] = await world.db.sql<
      { n: number }[]
    >`select count(*)::int as n from fix_links l where l::text like ${`%${token}%`}`
    expect(row!.n).toBe(0)
    const [noted] = await world.db.sql<
      { n: number }[]
    >`select count(*)::int as n from audit_log where detail::text like ${`%${token}%`}`
    expect(noted!.n).toBe(0)
  })

  test('opens nothing when it was made up, cut short, or signed by 0.1.0', async () => {
    const { id } = await propose()
    const { token } = await make(id)
    const signed = `${Buffer.from(JSON.stringify([world.project.id, id, 9_999_999_999])).toString('base64url')}.${'A'.repeat(43)}`
    const wrong = [token.slice(0, -1), `${token}x`, '', '.', signed]
    // Each from an address of its own: one that tries too many is slowed down.
    for (const [n, one] of wrong.entries())
      expect(await refusal(open(one, { headers: { [PEER_HEADER]: `192.0.2.${100 + n}` } }))).toEqual([
        404,
        expect.stringMatching(/not valid/),
      ])
  })

  test('ends by itself', async () => {
    const { id } = await propose()
    const { token, link } = await make(id)
    await world.db.sql`update fix_links set expires_at = now() where id = ${link.id}`
    expect(await refusal(open(token))).toEqual([404, expect.stringMatching(/has expired/)])
    expect((await list(id))[0]!.state).toBe('expired')
  })

  test('ends with the fix: rejected, superseded or expired', async () => {
    const rejected = await propose()
    const { token } = await make(rejected.id)
    const review = { version: rejected.version, sha256: rejected.sha256, to: 'rejected', comment: 'No.' }
    const done = await ask(reviewsRoute.POST, links.api.ofFix(rejected.id, 'reviews'), {
      method: 'POST',
      params: { id: rejected.id },
      cookie: reviewer,
      body: review,
    })
    expect(done.status).toBe(200)
    expect(await refusal(open(token))).toEqual([404, expect.stringMatching(/no longer offered/)])
    expect((await list(rejected.id))[0]!.state).toBe('fix-closed')
    expect(await refusal(post(rejected.id))).toEqual([409, expect.stringMatching(/“rejected”/)])
    expect(await (await post(rejected.id)).json()).toMatchObject({ type: '/problems/fix-closed' })

    const old = await propose()
    const { token: oldToken } = await make(old.id)
    const next = await ask(
      ofExecution.POST,
      `${links.api.executionFixes(execution)}?task=${old.task}&supersedes=${old.id}`,
      { method: 'POST', key: agent, params: { id: execution }, body: patchOf('newer') },
    )
    expect(next.status).toBe(201)
    expect((await open(oldToken)).status).toBe(404)

    // Its time is over, whether or not the job has noted that yet.
    const late = await propose()
    const { token: lateToken } = await make(late.id)
    await world.db.sql`update fix_standing set expires_at = now() where fix_id = ${late.id}`
    expect((await open(lateToken)).status).toBe(404)
    expect((await post(late.id)).status).toBe(409)
  })

  test('is for people only, and for reviewers among them', async () => {
    const { id } = await propose()
    const { link } = await make(id)
    const key = await world.key(['write', 'read'])
    const local = await world.key(['admin'])
    for (const answer of [
      post(id, {}, { key }),
      post(id, {}, { key: local }),
      revoke(id, link.id, { key }),
      ask(linksRoute.GET, links.api.ofFix(id, 'links'), { params: { id }, key }),
    ])
      expect(await refusal(answer)).toEqual([403, 'API keys can’t manage share links. Sign in.'])
    const operator = await world.cookie('operator')
    expect((await post(id, {}, { cookie: operator })).status).toBe(403)
    expect((await revoke(id, link.id, { cookie: operator })).status).toBe(403)
    const stranger = await world.cookie('admin', {
      project: await ensureProject(world.db.sql, {
        slug: 'elsewhere',
        name: 'Elsewhere',
      }),
    })
    expect((await revoke(id, link.id, { cookie: stranger })).status).toBe(404)
    const other = await propose()
    expect((await revoke(other.id, link.id)).status).toBe(404)
    expect((await list(id))[0]!.state).toBe('open')
  })

  test('lasts a week at most', async () => {
    const { id } = await propose()
    expect((await post(id, { hours: 168 })).status).toBe(201)
    for (const hours of [169, 2_160, 0, -1, 1.5])
      expect((await refusal(post(id, { hours })))[0], String(hours)).toBe(400)
  })

  test('of a patch with a secret is acknowledged and lasts a day at most', async () => {
    const { id } = await propose(WITH_SECRET)
    expect(await refusal(post(id, { hours: 1 }))).toEqual([
      400,
      expect.stringMatching(/^acknowledgeSecret: /),
    ])
    expect(await refusal(post(id, { hours: 25, acknowledgeSecret: true }))).toEqual([
      400,
      expect.stringMatching(/^hours: .* at most 24 hours/),
    ])
    const { token } = await make(id, { hours: 24, acknowledgeSecret: true })
    expect(await (await open(token)).text()).toBe(WITH_SECRET)
  })

  test('ends when a secret is found after it was made', async () => {
    const { id } = await propose()
    const { token } = await make(id)
    await world.db.sql`update fix_standing set secrets = null where fix_id = ${id}`
    expect(await refusal(open(token))).toEqual([404, expect.stringMatching(/a secret was found/)])
  })
})
