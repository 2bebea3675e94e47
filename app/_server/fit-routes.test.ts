import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as proposing from '@/app/api/v1/executions/[id]/fixes/route'
import * as fitRoute from '@/app/api/v1/fixes/[id]/fit/route'
import * as reviewsRoute from '@/app/api/v1/fixes/[id]/reviews/route'
import * as suggestionsRoute from '@/app/api/v1/fixes/[id]/suggestions/route'
import * as one from '@/app/api/v1/mirrors/[id]/route'
import * as all from '@/app/api/v1/mirrors/route'
import { startJobs, type Jobs } from '@/db/jobs/start'
import { Transcript } from '@/db/seed/transcript'
import { makeRepository, numbered, scratchFolder, type TestRepository } from '@/db/testing/repository'
import { listenLive } from '@/db/live-client'
import { offerMirrors } from '@/db/mirrors/offer-mirrors'
import { listUnmirrored } from '@/db/queries/mirrors'
import { verifyAuditLog } from '@/db/audit'
import { ingestBody } from '@/db/writes/ingest'
import { ensureProject } from '@/db/projects'
import { fixFit, mirrorItem, type FixFit } from '@/lib/api/fit-schemas'
import { proposedFix } from '@/lib/api/fix-schemas'
import { page, problemDocument } from '@/lib/api/schemas'
import { links } from '@/lib/links'
import { mirrorRoots } from './config'
import { ask, openWorld, type Ask, type World } from './test-support'
import type { FixItem, FixProposal } from '@/lib/model/fix'

let world: World
let admin: string
let operator: string
let agent: string
let execution: string
let folder: ReturnType<typeof scratchFolder>
let shop: TestRepository
let base: string
let jobs: Jobs | null = null
beforeAll(async () => {
  world = await openWorld()
  admin = await world.cookie('admin', { globalAdmin: true })
  operator = await world.cookie('operator')
  agent = await world.key(['read', 'ingest'])
})
beforeEach(async () => {
  folder = scratchFolder()
  shop = makeRepository(join(folder.path, 'mirrors/shop'))
  for (const name of ['a.txt', 'b.txt']) shop.put(name, numbered(60))
  base = shop.commit()
  vi.stubEnv('INQUEST_MIRRORS', join(folder.path, 'mirrors'))
  const { text } = new Transcript({ sessionId: crypto.randomUUID() })
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
afterEach(async () => {
  await jobs?.stop()
  jobs = null
  await world.db.sql`delete from mirrors`
  folder.remove()
  vi.unstubAllEnvs()
})
afterAll(() => world.close())

const work = async (): Promise<void> =>
  void (jobs = await startJobs(world.db.url, { mirrorRoots: mirrorRoots() }))
const setUp = (body: object, how: Ask = { cookie: admin }) =>
  ask(all.POST, links.api.mirrors(), { method: 'POST', body, ...how })
const problem = async (answer: Promise<Response>): Promise<[number, string]> => {
  const response = await answer
  return [response.status, problemDocument.parse(await response.json()).detail ?? '']
}
const changed = (): Buffer => {
  shop.put('a.txt', numbered(60, { 5: 'five' }))
  shop.put('b.txt', numbered(60, { 10: 'ten', 50: 'fifty' }))
  return shop.patch()
}
async function propose(
  patch: Buffer | string,
  named: Partial<FixProposal['base']> = { repository: 'shop', commit: base },
): Promise<FixItem> {
  const body = new FormData()
  body.set('patch', new Blob([new Uint8Array(Buffer.from(patch))]), 'fix.patch')
  body.set('proposal', JSON.stringify({ base: named }))
  const answer = await ask(proposing.POST, links.api.executionFixes(execution), {
    method: 'POST',
    key: agent,
    params: { id: execution },
    body,
  })
  return proposedFix.parse(await answer.json()).fix
}
const fitOf = async ({ id }: { id: string }, how: Ask = { cookie: operator }): Promise<FixFit> =>
  fixFit.parse(
    await (
      await ask(how.method === 'POST' ? fitRoute.POST : fitRoute.GET, links.api.ofFix(id, 'fit'), {
        params: { id },
        ...how,
      })
    ).json(),
  )
const checked = (fix: FixItem): Promise<FixFit> =>
  vi.waitFor(
    async () => {
      const fit = await fitOf(fix)
      expect(fit.standing).toBe('checked')
      return fit
    },
    { timeout: 20_000, interval: 50 },
  )

describe('a mirror', () => {
  test('is set up and forgotten by an admin, with entries in the audit log', async () => {
    const response = await setUp({ repository: 'shop', path: 'shop' })
    expect(response.status).toBe(201)
    const item = mirrorItem.parse(await response.json())
    expect(item).toMatchObject({
      project: 'default',
      repository: 'shop',
      path: 'shop',
      branch: 'main',
      head: base,
      trouble: null,
    })
    expect(
      page(mirrorItem).parse(await (await ask(all.GET, links.api.mirrors(), { cookie: admin })).json()).items,
    ).toEqual([item])
    expect((await problem(setUp({ repository: 'shop', path: 'shop' })))[0]).toBe(409)
    expect(
      (
        await ask(one.DELETE, links.api.mirror(item.id), {
          method: 'DELETE',
          cookie: admin,
          params: { id: item.id },
        })
      ).status,
    ).toBe(200)
    expect(
      (
        await ask(one.DELETE, links.api.mirror(item.id), {
          method: 'DELETE',
          cookie: admin,
          params: { id: item.id },
        })
      ).status,
    ).toBe(404)
    expect(
      await world.db.sql`select action, detail from audit_log where subject = ${item.id} order by seq`,
    ).toEqual([
      { action: 'mirror.create', detail: { repository: 'shop', path: 'shop', branch: 'main' } },
      { action: 'mirror.remove', detail: { repository: 'shop', path: 'shop' } },
    ])
    expect((await verifyAuditLog(world.db.sql, world.project.id)).valid).toBe(true)
  })

  test('is nobody else’s to set up, to see or to forget', async () => {
    const { id } = mirrorItem.parse(await (await setUp({ repository: 'shop', path: 'shop' })).json())
    const other = await ensureProject(world.db.sql, { slug: 'other', name: 'Other' })
    for (const how of [
      { cookie: operator },
      { cookie: await world.cookie('reviewer') },
      { key: await world.key(['read', 'ingest', 'write']) },
    ]) {
      expect((await setUp({ repository: 'x', path: 'shop' }, how)).status).toBe(403)
      expect((await ask(all.GET, links.api.mirrors(), how)).status).toBe(403)
      expect(
        (await ask(one.DELETE, links.api.mirror(id), { method: 'DELETE', params: { id }, ...how })).status,
      ).toBe(403)
    }
    // A folder of the server's machine is not for an admin of one project to choose.
    const ofOne = await setUp({ repository: 'x', path: 'shop' }, { cookie: await world.cookie('admin') })
    expect(ofOne.status).toBe(403)
    const elsewhere = { cookie: await world.cookie('admin', { project: other }) }
    expect(
      page(mirrorItem).parse(await (await ask(all.GET, links.api.mirrors(), elsewhere)).json()).items,
    ).toEqual([])
    expect(
      (await ask(one.DELETE, links.api.mirror(id), { method: 'DELETE', params: { id }, ...elsewhere }))
        .status,
    ).toBe(404)
  })

  test('that cannot be one is refused in words that help', async () => {
    mkdirSync(join(folder.path, 'mirrors/plain'))
    symlinkSync(folder.path, join(folder.path, 'mirrors/link'))
    expect(await problem(setUp({ repository: 'x', path: 'plain' }))).toEqual([
      400,
      expect.stringMatching(/^path: Not a git repository/),
    ])
    for (const path of ['link', '../mirrors', '/etc', 'a\nb'])
      expect(await problem(setUp({ repository: 'x', path }))).toEqual([
        400,
        expect.stringMatching(/^path: It is outside the folder/),
      ])
    expect(await problem(setUp({ repository: 'x', path: 'nowhere' }))).toEqual([
      400,
      expect.stringMatching(/^path: Not found in the folder/),
    ])
    expect(await problem(setUp({ repository: 'x', path: 'shop', branch: 'dev' }))).toEqual([
      400,
      'branch: It has no branch “dev”; it has main.',
    ])
    expect((await problem(setUp({ repository: 'x', path: 'shop', branch: '--upload-pack=x' })))[1]).toMatch(
      /Not a valid branch name/,
    )
    vi.stubEnv('INQUEST_MIRRORS', '')
    expect((await problem(setUp({ repository: 'x', path: 'shop' })))[1]).toMatch(/INQUEST_MIRRORS/)
    expect(await world.db.sql`select from mirrors`).toHaveLength(0)
  })
})

test('what can be chosen is told: repositories below the folder, and names that open fixes have without a mirror', async () => {
  for (const path of ['plain/deeper', '.hidden/secret', 'a/b/c/d/e'])
    mkdirSync(join(folder.path, 'mirrors', path), { recursive: true })
  makeRepository(join(folder.path, 'mirrors/team/tools.git'), '--bare')
  makeRepository(join(folder.path, 'mirrors/.hidden/secret'))
  symlinkSync(shop.path, join(folder.path, 'mirrors/link'))
  expect(await offerMirrors(join(folder.path, 'mirrors'))).toEqual(['shop', 'team/tools.git'])
  expect(await offerMirrors(null)).toEqual([])
  const names = async () =>
    (await listUnmirrored(world.db.sql, [world.project.id])).filter(
      (name) => name === null || name.startsWith('unmirrored'),
    )
  await propose(changed(), { repository: 'unmirrored', commit: base })
  await propose(`${changed().toString()}\n`, {})
  expect((await names()).sort()).toEqual(['unmirrored', null].sort())
  await setUp({ repository: 'unmirrored', path: 'shop' })
  expect(await names()).toEqual([null])
})

describe('a fix', () => {
  test('is checked when it comes; when the branch moves the check says so, and a new one names the hunk', async () => {
    await work()
    await setUp({ repository: 'shop', path: 'shop' })
    const told: string[][] = []
    const live = await listenLive(world.db.url, { onMessage: ({ executions }) => told.push(executions) })
    const fix = await propose(changed())
    const first = await checked(fix)
    expect(first).toMatchObject({
      outcome: 'fits',
      sha256: fix.sha256,
      repository: 'shop',
      branch: 'main',
      base: { outcome: 'fits', commit: base },
      head: { outcome: 'fits', commit: base },
      headNow: base,
      stale: null,
      mayCheck: true,
    })
    expect(first.gitVersion).toMatch(/^\d/)
    await vi.waitFor(() => expect(told.length).toBeGreaterThanOrEqual(2))
    await live.close()
    shop.put('b.txt', numbered(60, { 50: 'FIFTY' }))
    const head = shop.commit()
    expect(await fitOf(fix)).toMatchObject({ outcome: 'fits', stale: 'head-moved', headNow: head })
    expect(await fitOf(fix, { method: 'POST', cookie: operator })).toMatchObject({
      standing: expect.stringMatching(/waiting|running/),
      outcome: 'fits',
    })
    expect(await checked(fix)).toMatchObject({
      outcome: 'does-not-fit',
      stale: null,
      base: { outcome: 'fits' },
      head: {
        outcome: 'does-not-fit',
        commit: head,
        troublesTotal: 1,
        troubles: [{ name: 'b.txt', hunk: 2, words: 'patch failed: b.txt:47' }],
      },
    })
    shop.git('branch', '-m', 'trunk')
    expect(await fitOf(fix)).toMatchObject({ stale: 'branch-gone', headNow: null })
    await world.db.sql`delete from mirrors`
    expect(await fitOf(fix)).toMatchObject({
      outcome: 'does-not-fit',
      stale: 'mirror-changed',
      mayCheck: false,
    })
  })

  test('made for another repository does not fit, and each of its files is named', async () => {
    await work()
    await setUp({ repository: 'shop', path: 'shop' })
    const tools = makeRepository(join(folder.path, 'tools'))
    tools.put('a.txt', 'quite another file\n')
    tools.put('src/tool.ts', numbered(9))
    const commit = tools.commit()
    tools.put('a.txt', 'changed\n')
    tools.put('src/tool.ts', numbered(9, { 3: 'three' }))
    const fit = await checked(await propose(tools.patch(), { repository: 'shop', commit }))
    expect(fit).toMatchObject({
      outcome: 'does-not-fit',
      base: { outcome: 'base-missing' },
      head: { outcome: 'does-not-fit', commit: base },
    })
    expect(fit.head!.troubles.map(({ name, hunk, kind }) => [name, hunk, kind])).toEqual([
      ['a.txt', 1, 'hunk'],
      ['src/tool.ts', null, 'file-missing'],
    ])
  })

  test('that is reported as applied is seen in a commit only where every touched file is there as the patch makes it', async () => {
    await work()
    const reviewer = await world.cookie('reviewer')
    const report = async (patch: Buffer, named: Partial<FixProposal['base']>, commit: string | null) =>
      reported(await propose(patch, named), commit)
    const reported = async (fix: FixItem, commit: string | null) => {
      const { id, sha256 } = fix
      for (const [version, body] of [
        [1, { to: 'approved', comment: 'Yes.' }],
        [2, { to: 'applied', applied: { how: 'git apply', commit } }],
      ] as const)
        expect(
          (
            await ask(reviewsRoute.POST, links.api.ofFix(id, 'reviews'), {
              method: 'POST',
              cookie: reviewer,
              params: { id },
              body: { version, sha256, ...body },
            })
          ).status,
        ).toBe(200)
      return fix
    }
    const seen = async (fix: FixItem) => (await checked(fix)).applied!
    const change = (five: string): void => {
      shop.put('a.txt', numbered(60, { 5: five }))
      shop.put('new.txt', 'new\n')
      rmSync(join(shop.path, 'b.txt'), { force: true })
    }
    change('five')
    const patch = shop.patch()
    const before = await report(patch, { repository: 'shop', commit: base }, null)
    expect((await fitOf(before)).applied).toMatchObject({ outcome: 'not-checked', why: 'no-mirror' })
    await setUp({ repository: 'shop', path: 'shop' })

    expect(
      await seen(
        await report(Buffer.concat([patch, Buffer.from('\n')]), { repository: 'shop', commit: base }, base),
      ),
    ).toMatchObject({
      outcome: 'not-seen',
      why: null,
      commit: base,
      branch: null,
      othersTotal: 3,
      others: [
        { name: 'a.txt' },
        { name: 'b.txt', promised: null, found: expect.stringMatching(/^100644 /) },
        { name: 'new.txt', found: null },
      ],
    })
    change('five, edited')
    const edited = shop.commit()
    expect(
      await seen(
        await report(
          Buffer.concat([patch, Buffer.from('\n\n')]),
          { repository: 'shop', commit: base },
          edited,
        ),
      ),
    ).toMatchObject({
      outcome: 'not-seen',
      why: null,
      commit: edited,
      othersTotal: 1,
      others: [{ name: 'a.txt' }],
    })
    change('five')
    shop.put('aside.txt', 'aside\n')
    const exact = shop.commit()
    const found = await report(
      Buffer.concat([patch, Buffer.from('\n\n\n')]),
      { repository: 'shop', commit: base },
      exact.slice(0, 10),
    )
    expect(await seen(found)).toEqual({
      outcome: 'seen',
      why: null,
      commit: exact,
      repository: 'shop',
      branch: null,
      others: [],
      othersTotal: 0,
    })
    // Without a commit the branch is looked at; without a base whole ids in the index lines tell.
    shop.git('switch', '-q', '--detach', base)
    change('five')
    const full = shop.patch('--full-index')
    shop.git('switch', '-q', 'main')
    expect(await seen(await report(full, { repository: 'shop' }, null))).toMatchObject({
      outcome: 'seen',
      why: null,
      commit: exact,
      branch: 'main',
    })
    // A suggestion has the index lines of what it was made of: they promise nothing.
    const suggested = await propose(Buffer.concat([full, Buffer.from('\n')]), { repository: 'shop' })
    const suggestion = {
      version: suggested.version,
      sha256: suggested.sha256,
      file: 0,
      start: 5,
      end: 5,
      lines: ['5!'],
      reason: 'As it was.',
    }
    const other = proposedFix.parse(
      await (
        await ask(suggestionsRoute.POST, links.api.ofFix(suggested.id, 'suggestions'), {
          method: 'POST',
          cookie: operator,
          params: { id: suggested.id },
          body: suggestion,
        })
      ).json(),
    ).fix
    expect(await seen(await reported(other, null))).toMatchObject({
      outcome: 'not-checked',
      why: 'no-promise',
    })
    expect(
      await seen(await report(Buffer.concat([patch, Buffer.from('\n\n\n\n')]), { repository: 'shop' }, null)),
    ).toMatchObject({ outcome: 'not-checked', why: 'no-promise' })
    expect(
      await seen(
        await report(
          Buffer.concat([patch, Buffer.from('\n\n\n\n\n')]),
          { repository: 'shop', commit: base },
          '0123456789abcdef',
        ),
      ),
    ).toMatchObject({ outcome: 'not-checked', why: 'commit-missing' })
    // What was seen stays seen, also when the branch goes on and the mirror is set up anew.
    shop.put('a.txt', 'other\n')
    shop.git('reset', '-q', '--hard', base)
    await fitOf(found, { method: 'POST', cookie: operator })
    await vi.waitFor(async () => expect((await fitOf(found)).head?.commit).toBe(base), {
      timeout: 20_000,
      interval: 50,
    })
    expect((await fitOf(found)).applied!.outcome).toBe('seen')
    expect(shop.git('status', '--porcelain')).toBe('')
  }, 90_000)

  test('that was there before its mirror is checked when that is set up; one that names no repository by the mirror for such', async () => {
    await work()
    const [named, nameless] = [await propose(changed()), await propose(`${changed().toString()}\n`, {})]
    expect([(await fitOf(named)).why, (await fitOf(nameless)).why]).toEqual(['no-mirror', 'no-repository'])
    await setUp({ repository: 'shop', path: 'shop' })
    await setUp({ path: 'shop' })
    expect([(await checked(named)).outcome, (await checked(nameless)).outcome]).toEqual(['fits', 'fits'])
    expect((await fitOf(nameless)).base!.outcome).toBe('base-unknown')
  })

  test('that is not safe, or that git refuses, is not given to git', async () => {
    await setUp({ repository: 'shop', path: 'shop' })
    const [climbs, none] = [
      await propose(changed().toString().replaceAll('a.txt', '../a.txt')),
      await propose('no patch at all\n'),
    ]
    expect([(await fitOf(climbs)).why, (await fitOf(none)).why]).toEqual(['unsafe', 'refused'])
    expect(await fitOf(climbs, { method: 'POST', cookie: operator })).toMatchObject({
      standing: 'none',
      mayCheck: false,
    })
  })

  test('names a branch of its own, which counts above that of the mirror', async () => {
    await work()
    await setUp({ repository: 'shop', path: 'shop' })
    expect(
      await checked(await propose(changed(), { repository: 'shop', commit: base, branch: 'gone' })),
    ).toMatchObject({ outcome: 'fits', head: { outcome: 'branch-unknown' } })
    expect(
      await checked(
        await propose(`${changed().toString()}\n`, { repository: 'shop', commit: base, branch: '-x' }),
      ),
    ).toMatchObject({ head: { outcome: 'branch-unknown' } })
  })

  test('waits for a worker that is not there yet, and is checked once when asked for twice', async () => {
    await setUp({ repository: 'shop', path: 'shop' })
    const fix = await propose(changed())
    expect((await fitOf(fix)).standing).toBe('waiting')
    await Promise.all([1, 2].map(() => fitOf(fix, { method: 'POST', cookie: operator })))
    await world.db.sql`update fix_fits set requested_at = now() - interval '1 hour'`
    await work()
    expect((await checked(fix)).outcome).toBe('fits')
  })

  test('is checked on demand by operators and keys that write, and by nobody else', async () => {
    await setUp({ repository: 'shop', path: 'shop' })
    const fix = await propose(changed())
    const post = (how: Ask) =>
      ask(fitRoute.POST, links.api.ofFix(fix.id, 'fit'), { method: 'POST', params: { id: fix.id }, ...how })
    expect((await post({ cookie: await world.cookie('viewer') })).status).toBe(403)
    expect((await post({ key: agent })).status).toBe(403)
    expect((await post({ key: await world.key(['write']) })).status).toBe(202)
    const looks = await fitOf(fix, { cookie: await world.cookie('viewer') })
    expect([looks.mayCheck, looks.whyNotCheck]).toEqual([false, expect.stringMatching(/role operator/)])
    const other = await ensureProject(world.db.sql, { slug: 'third', name: 'Third' })
    expect(
      (
        await ask(fitRoute.GET, links.api.ofFix(fix.id, 'fit'), {
          params: { id: fix.id },
          cookie: await world.cookie('admin', { project: other }),
        })
      ).status,
    ).toBe(404)
  })
})
