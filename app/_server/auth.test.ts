import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as betterAuth from '@/app/api/auth/[...all]/route'
import * as firstLinkRoute from '@/app/api/v1/first-admin-link/route'
import * as keyRoute from '@/app/api/v1/keys/[id]/route'
import * as keys from '@/app/api/v1/keys/route'
import * as linkRoute from '@/app/api/v1/one-time-links/[token]/route'
import * as personLinkRoute from '@/app/api/v1/people/[id]/link/route'
import * as personRoute from '@/app/api/v1/people/[id]/route'
import * as people from '@/app/api/v1/people/route'
import * as sharedPatchRoute from '@/app/api/v1/shared-patches/[token]/route'
import * as sourceRoute from '@/app/api/v1/sources/[id]/route'
import * as sources from '@/app/api/v1/sources/route'
import { keepLocalKey } from '@/db/people/keys'
import { verifyAuditLog } from '@/db/audit'
import {
  firstAdminLink,
  keyItem,
  madeKey,
  oneTimeLink,
  personItem,
  personLink,
  sourceItem,
} from '@/lib/api/admin-schemas'
import { page, problemDocument } from '@/lib/api/schemas'
import { hashKey, hashToken, keyFrom } from '@/lib/auth/tokens'
import { limits } from '@/lib/limits'
import { PEER_HEADER } from './config'
import { ask, type Ask, openWorld, ORIGIN, type World } from './test-support'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
const signIn = (
  email: string,
  password: string,
  headers: Record<string, string> = { origin: ORIGIN },
): Promise<Response> =>
  ask(betterAuth.POST, '/api/auth/sign-in/email', {
    method: 'POST',
    params: { all: ['sign-in', 'email'] },
    headers,
    body: { email, password },
  })
const open = (token: string, body?: object): Promise<Response> =>
  ask(body ? linkRoute.POST : linkRoute.GET, `/api/v1/one-time-links/${token}`, {
    method: body ? 'POST' : 'GET',
    params: { token },
    body,
  })
const reads = async (cookie: string): Promise<number> =>
  (await ask(sources.GET, '/api/v1/sources', { cookie })).status
const personLinkToken = async (id: string): Promise<string> =>
  tokenOf(
    personLink.parse(
      await (
        await ask(personLinkRoute.POST, `/api/v1/people/${id}/link`, {
          method: 'POST',
          params: { id },
          cookie: adminCookie,
        })
      ).json(),
    ).link,
  )
const tokenOf = (link: string): string => new URL(link).searchParams.get('link')!
const slugOf = async (response: Response): Promise<string> =>
  problemDocument.parse(await response.json()).type.replace('/problems/', '')

const admin = { name: 'Ada', email: 'Ada@Example.test', password: 'correct horse battery' }
let adminCookie = ''

describe('the first start', () => {
  test('makes the first admin by the newest of the links, which the local key alone gets, and once', async () => {
    const made = (how: Ask) =>
      ask(firstLinkRoute.POST, '/api/v1/first-admin-link', { method: 'POST', ...how })
    expect((await made({})).status).toBe(401)
    expect((await made({ key: await world.key(['admin']) })).status).toBe(403)
    const key = keyFrom(randomBytes(32))
    await keepLocalKey(world.db.sql, {
      id: randomUUID(),
      hash: hashKey(key),
      start: key.slice(0, 8),
      minutes: 5,
    })
    const earlier = tokenOf(firstAdminLink.parse(await (await made({ key })).json()).link)
    const token = tokenOf(firstAdminLink.parse(await (await made({ key })).json()).link)
    expect((await open(earlier)).status).toBe(404)
    const about = oneTimeLink.parse(await (await open(token)).json())
    expect(about).toMatchObject({ purpose: 'first-admin', asksFor: ['name', 'email', 'password'] })
    expect(await slugOf(await open(token, { name: 'Ada' }))).toBe('bad-request')

    const redeemed = await open(token, admin)
    expect(redeemed.status).toBe(200)
    adminCookie = cookieOf(redeemed)
    expect(await reads(adminCookie)).toBe(200)
    expect((await open(token)).status).toBe(404)
    expect((await open(token, admin)).status).toBe(404)
    expect(await slugOf(await made({ key }))).toBe('in-use')
  })

  test('lets one of two in who come with the same link at once', async () => {
    const [{ id }] = (await world.db.sql`select id from people where email = 'ada@example.test'`) as [
      { id: string },
    ]
    const token = await personLinkToken(id)
    const { password } = admin
    const answers = await Promise.all([1, 2, 3].map(() => open(token, { password })))
    expect(answers.map((one) => one.status).sort()).toEqual([200, 404, 404])
    adminCookie = cookieOf(answers.find((one) => one.status === 200)!)
  })

  test('is over once there is an admin: neither a link for the first one opens, nor one that 0.1.0 printed', async () => {
    const [{ id }] = (await world.db.sql`select id from people where email = 'ada@example.test'`) as [
      { id: string },
    ]
    await world.db.sql`
      insert into one_time_links (id, token_hash, purpose, person_id, expires_at)
      values (${randomUUID()}, ${hashToken('old')}, 'first-admin', null, now() + interval '1 hour'),
        (${randomUUID()}, ${hashToken('printed')}, 'sign-in', ${id}, now() + interval '1 hour')`
    for (const token of ['old', 'printed']) expect((await open(token, admin)).status, token).toBe(404)
  })

  test('keeps only digests of links and keys', async () => {
    const [{ id }] = (await world.db.sql`select id from people where email = 'ada@example.test'`) as [
      { id: string },
    ]
    const token = await personLinkToken(id)
    const [row] = await world.db
      .sql`select count(*)::int as n from one_time_links where token_hash = ${token} or detail::text like ${`%${token}%`}`
    expect(row!.n).toBe(0)
  })
})

describe('signing in', () => {
  test('works with mail and password, sets a cookie scripts cannot read, and ends with signing out', async () => {
    const response = await signIn(admin.email, admin.password)
    expect(response.status).toBe(200)
    const [set] = response.headers.getSetCookie()
    expect(set).toMatch(/^inquest\.session_token=/)
    expect(set).toMatch(/HttpOnly/i)
    expect(set).toMatch(/SameSite=Lax/i)
    expect(set).not.toMatch(/Secure/i) // the public address is plain http here
    const cookie = cookieOf(response)
    expect(await reads(cookie)).toBe(200)
    const out = await ask(betterAuth.POST, '/api/auth/sign-out', {
      method: 'POST',
      params: { all: ['sign-out'] },
      cookie,
      body: {},
    })
    expect(out.status).toBe(200)
    expect(await reads(cookie)).toBe(401)
  })

  test('over https marks the cookie Secure', async () => {
    process.env.INQUEST_PUBLIC_URL = 'https://inquest.example'
    const response = await signIn(admin.email, admin.password, { origin: 'https://inquest.example' })
    delete process.env.INQUEST_PUBLIC_URL
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Secure-inquest\.session_token=.*Secure/i)
  })

  test('answers a wrong password, an unknown mail and another site the same way each time', async () => {
    expect(await slugOf(await signIn(admin.email, 'wrong wrong wrong'))).toBe('not-signed-in')
    expect(await slugOf(await signIn('nobody@example.test', 'wrong wrong wrong'))).toBe('not-signed-in')
    expect(await slugOf(await signIn(admin.email, admin.password, { origin: 'https://evil.example' }))).toBe(
      'wrong-origin',
    )
  })

  describe('that fails', () => {
    // Their clock does not move, so that no wait ends within a test.
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
    afterEach(() => void vi.useRealTimers())

    test('is slowed down for one account from one address, and from no other', async () => {
      const email = `${randomUUID()}@example.test`
      const from = (address: string): Promise<Response> =>
        signIn(email, 'wrong wrong wrong', { origin: ORIGIN, [PEER_HEADER]: address })
      const answers = await Promise.all(Array.from({ length: 20 }, () => from('10.0.0.1')))
      const statuses = answers.map((one) => one.status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(limits.signInAttemptsFree)
      const refused = answers.find((one) => one.status !== 401)!
      expect(await slugOf(refused)).toBe('too-many-requests')
      expect(refused.headers.get('retry-after')).toBe(String(limits.signInDelaySecondsMin))
      expect((await from('10.9.9.9')).status).toBe(401)
    })

    test('is slowed down for one address, whatever the account, also without one', async () => {
      const attempt = (body: object): Promise<Response> =>
        ask(betterAuth.POST, '/api/auth/sign-in/email', {
          method: 'POST',
          params: { all: ['sign-in', 'email'] },
          headers: { origin: ORIGIN, [PEER_HEADER]: '192.0.2.7' },
          body,
        })
      const wrong = (n: number): Promise<Response> =>
        attempt({ email: `no mail address ${n}`, password: 'x' })
      await Promise.all(Array.from({ length: limits.signInAttemptsPerAddress }, (_, n) => wrong(n)))
      for (const again of [() => wrong(1_000), () => attempt({})]) {
        const began = performance.now()
        expect((await again()).status).toBe(400)
        expect(performance.now() - began).toBeGreaterThan(limits.signInCrowdedSeconds * 1000 - 50)
        const refused = await again()
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
      }
    })

    describe('while a password is changed', () => {
      const change = (currentPassword: string, address: string, newPassword = 'another long password') =>
        ask(betterAuth.POST, '/api/auth/change-password', {
          method: 'POST',
          params: { all: ['change-password'] },
          cookie: adminCookie,
          headers: { origin: ORIGIN, [PEER_HEADER]: address },
          body: { currentPassword, newPassword },
        })
      const statuses = async (count: number, send: () => Promise<Response>): Promise<number[]> =>
        (await Promise.all(Array.from({ length: count }, send))).map(({ status }) => status).sort()
      const five = Array<number>(limits.signInAttemptsFree).fill(400)

      test('counts with the attempts to sign in, for the account and the address', async () => {
        const address = '192.0.2.20'
        const answers = await statuses(20, () => change('wrong wrong wrong', address))
        expect(answers).toEqual([...five, ...Array<number>(15).fill(429)])
        const refused = await signIn(admin.email, admin.password, { origin: ORIGIN, [PEER_HEADER]: address })
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
        // Others are not kept out, and nor is the right password elsewhere.
        expect((await change(admin.password, '192.0.2.21', admin.password)).status).toBe(200)
        vi.setSystemTime(Date.now() + 1_000)
        expect((await change(admin.password, address, admin.password)).status).toBe(200)
        expect(await statuses(5, () => change('wrong wrong wrong', address))).toEqual(five)
      })

      test('the attempts to sign in count there, too', async () => {
        const headers = { origin: ORIGIN, [PEER_HEADER]: '192.0.2.22' }
        await statuses(5, () => signIn(admin.email, 'wrong wrong wrong', headers))
        expect((await change(admin.password, '192.0.2.22', admin.password)).status).toBe(429)
      })

      test('a new password that is too short costs no attempt, and nor does a request without a session', async () => {
        for (let n = 0; n < 8; n++)
          expect((await change(admin.password, '192.0.2.23', 'short')).status).toBe(400)
        expect((await change(admin.password, '192.0.2.23', admin.password)).status).toBe(200)
        const cookie = adminCookie
        adminCookie = ''
        const without = await statuses(20, () => change('wrong wrong wrong', '192.0.2.23'))
        adminCookie = cookie
        expect(without).toEqual(Array<number>(20).fill(401))
        expect(
          (await signIn(admin.email, admin.password, { origin: ORIGIN, [PEER_HEADER]: '192.0.2.23' })).status,
        ).toBe(200)
      })

      test('from a crowded address the new password is the one that was given', async () => {
        const address = '192.0.2.24'
        await Promise.all(
          Array.from({ length: limits.signInAttemptsPerAddress }, (_, n) =>
            signIn(`${n}-${address}@example.test`, 'wrong wrong', { origin: ORIGIN, [PEER_HEADER]: address }),
          ),
        )
        expect((await change(admin.password, address, 'another long password')).status).toBe(200)
        expect(
          (await signIn(admin.email, '', { origin: ORIGIN, [PEER_HEADER]: '192.0.2.25' })).status,
        ).not.toBe(200)
        expect((await change('another long password', '192.0.2.25', admin.password)).status).toBe(200)
      })
    })

    test('share links that do not open are slowed down for their address, and so is asking about one-time links', async () => {
      const get = (route: typeof linkRoute.GET, path: string, address: string): Promise<Response> =>
        ask(route, `${path}/x`, {
          params: { token: randomUUID() },
          headers: { [PEER_HEADER]: address },
        })
      for (const [address, route, path] of [
        ['192.0.2.26', linkRoute.GET, '/api/v1/one-time-links'],
        ['192.0.2.27', sharedPatchRoute.GET, '/api/v1/shared-patches'],
      ] as const) {
        const answers = await Promise.all(Array.from({ length: 8 }, () => get(route, path, address)))
        expect(answers.filter(({ status }) => status === 404)).toHaveLength(limits.signInAttemptsFree)
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(3)
      }
    })

    test('with one-time links that do not open is slowed down for their address; one that opens is not', async () => {
      const headers = { origin: ORIGIN, [PEER_HEADER]: '192.0.2.8' }
      const redeem = (token: string): Promise<Response> =>
        ask(linkRoute.POST, `/api/v1/one-time-links/${token}`, {
          method: 'POST',
          params: { token },
          headers,
          body: { password: admin.password },
        })
      const statuses = await Promise.all(Array.from({ length: 8 }, () => redeem(randomUUID())))
      expect(statuses.filter((one) => one.status === 404)).toHaveLength(limits.signInAttemptsFree)
      const refused = statuses.find((one) => one.status === 429)!
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const [ada] = await world.db.sql<
        { id: string }[]
      >`select id from people where email = 'ada@example.test'`
      const opened = await redeem(await personLinkToken(ada!.id))
      expect(opened.status).toBe(200)
      adminCookie = cookieOf(opened)
    })
  })

  test('is the only way in: signing up and the key addresses of the library do not exist', async () => {
    for (const all of [
      ['sign-up', 'email'],
      ['api-key', 'create'],
      ['api-key', 'list'],
      ['update-user'],
      ['delete-user'],
      ['set-password'],
      ['verify-password'],
      ['change-email'],
      ['reset-password'],
      ['request-password-reset'],
    ]) {
      const response = await ask(betterAuth.POST, `/api/auth/${all.join('/')}`, {
        method: 'POST',
        params: { all },
        cookie: adminCookie,
        body: { name: 'x', email: 'x@example.test', password: 'x'.repeat(12) },
      })
      expect(response.status, all.join('/')).toBe(404)
    }
  })
})

describe('a request that changes something with a cookie', () => {
  const post = (headers: Record<string, string>): Promise<Response> =>
    ask(sources.POST, '/api/v1/sources', {
      method: 'POST',
      cookie: adminCookie,
      headers,
      body: { kind: 'claude-code', name: randomUUID() },
    })

  test('must come from our own pages', async () => {
    expect((await post({})).status).toBe(201)
    expect((await post({ origin: 'http://localhost:4790' })).status).toBe(201)
    expect(await slugOf(await post({ origin: 'http://localhost:9999' }))).toBe('wrong-origin')
    expect(await slugOf(await post({ origin: 'null' }))).toBe('wrong-origin')
    const bare = (extra: Record<string, string>): Promise<Response> =>
      ask(sources.POST, '/api/v1/sources', {
        method: 'POST',
        headers: { cookie: adminCookie, ...extra },
        body: { kind: 'claude-code', name: randomUUID() },
      })
    expect(await slugOf(await bare({}))).toBe('wrong-origin')
    expect((await bare({ 'sec-fetch-site': 'same-origin' })).status).toBe(201)
    expect(await slugOf(await bare({ 'sec-fetch-site': 'same-site' }))).toBe('wrong-origin')
  })

  test('needs no origin with a key, and then the cookie does not count', async () => {
    const key = await world.key(['read'])
    const response = await ask(sources.POST, '/api/v1/sources', {
      method: 'POST',
      key,
      headers: { cookie: adminCookie },
      body: { kind: 'claude-code', name: 'x' },
    })
    expect(await slugOf(response)).toBe('not-allowed')
  })
})

describe('keys', () => {
  test('are shown once, work within their project and scopes, and end when they are revoked', async () => {
    const response = await ask(keys.POST, '/api/v1/keys', {
      method: 'POST',
      cookie: adminCookie,
      body: { name: 'CI', scopes: ['read'], expiresInDays: 30 },
    })
    expect(response.status).toBe(201)
    const made = madeKey.parse(await response.json())
    expect(made.key).toMatch(/^inq_.{40,}$/)
    expect(Date.parse(made.expiresAt!) - Date.now()).toBeGreaterThan(29 * 86_400_000)
    expect((await ask(sources.GET, '/api/v1/sources', { key: made.key })).status).toBe(200)

    const listed = page(keyItem).parse(
      await (await ask(keys.GET, '/api/v1/keys', { cookie: adminCookie })).json(),
    )
    const item = listed.items.find((one) => one.id === made.id)!
    expect(item).toMatchObject({
      name: 'CI',
      scopes: ['read'],
      createdBy: 'Ada',
      start: made.key.slice(0, 8),
    })
    expect(JSON.stringify(listed)).not.toContain(made.key)
    expect((await world.db.sql`select 1 from api_keys where key = ${made.key}`).length).toBe(0)

    expect(
      (
        await ask(keyRoute.DELETE, `/api/v1/keys/${made.id}`, {
          method: 'DELETE',
          params: { id: made.id },
          cookie: adminCookie,
        })
      ).status,
    ).toBe(200)
    expect((await ask(sources.GET, '/api/v1/sources', { key: made.key })).status).toBe(401)
    expect(
      (
        await ask(keyRoute.DELETE, `/api/v1/keys/${made.id}`, {
          method: 'DELETE',
          params: { id: made.id },
          cookie: adminCookie,
        })
      ).status,
    ).toBe(404)
  })

  test('that have expired or are switched off open nothing', async () => {
    const key = await world.key(['read'])
    await world.db.sql`
      update api_keys set expires_at = now() - interval '1 second'
      where id = (select key_id from api_key_grants order by created_at desc limit 1)`
    expect((await ask(sources.GET, '/api/v1/sources', { key })).status).toBe(401)
    const other = await world.key(['read'])
    await world.db
      .sql`update api_keys set enabled = false where id = (select key_id from api_key_grants order by created_at desc limit 1)`
    expect((await ask(sources.GET, '/api/v1/sources', { key: other })).status).toBe(401)
  })

  test('cannot be given the scope of the local command line', async () => {
    const response = await ask(keys.POST, '/api/v1/keys', {
      method: 'POST',
      cookie: adminCookie,
      body: { name: 'x', scopes: ['admin'] },
    })
    expect(await slugOf(response)).toBe('bad-request')
  })

  test('see nothing of other projects', async () => {
    const [other] = await world.db.sql<
      { id: string }[]
    >`insert into projects (id, slug, name) values (${randomUUID()}, 'other', 'Other') returning id`
    const key = await world.key(['read'], { id: other!.id, slug: 'other', name: 'Other' })
    expect(await (await ask(sources.GET, '/api/v1/sources', { key })).json()).toEqual({
      items: [],
      nextCursor: null,
    })
    expect(await slugOf(await ask(sources.GET, '/api/v1/sources?project=default', { key }))).toBe('not-found')
  })
})

describe('people', () => {
  const body = { email: 'Bo@example.test', name: 'Bo', role: 'operator', project: 'default' }
  let id = ''

  test('are invited by a link, choose a password, and hold the role they were given', async () => {
    const response = await ask(people.POST, '/api/v1/people', { method: 'POST', cookie: adminCookie, body })
    expect(response.status).toBe(201)
    const invitation = personLink.parse(await response.json())
    id = invitation.personId
    const token = tokenOf(invitation.link)
    expect(oneTimeLink.parse(await (await open(token)).json())).toMatchObject({
      purpose: 'invite',
      email: 'bo@example.test',
      name: 'Bo',
      asksFor: ['name', 'password'],
    })
    expect(await slugOf(await open(token, { password: 'short' }))).toBe('bad-request')
    const cookie = cookieOf(await open(token, { name: 'Bo B.', password: 'another long password' }))
    expect(await reads(cookie)).toBe(200)
    expect((await ask(people.GET, '/api/v1/people', { cookie })).status).toBe(403)
    expect((await signIn('bo@example.test', 'another long password')).status).toBe(200)
    const listed = page(personItem).parse(
      await (await ask(people.GET, '/api/v1/people?project=default', { cookie: adminCookie })).json(),
    )
    expect(listed.items.find((one) => one.id === id)).toMatchObject({
      name: 'Bo B.',
      roles: [{ project: 'default', role: 'operator' }],
      invited: false,
      globalAdmin: false,
    })
    expect(
      await slugOf(await ask(people.POST, '/api/v1/people', { method: 'POST', cookie: adminCookie, body })),
    ).toBe('in-use')
  })

  test('get a new password by a link, which ends their sessions', async () => {
    const before = cookieOf(await signIn('bo@example.test', 'another long password'))
    const response = await ask(personLinkRoute.POST, `/api/v1/people/${id}/link`, {
      method: 'POST',
      params: { id },
      cookie: adminCookie,
    })
    const token = tokenOf(personLink.parse(await response.json()).link)
    expect((await open(token, { password: 'a third long password' })).status).toBe(200)
    expect(await reads(before)).toBe(401)
    expect((await signIn('bo@example.test', 'another long password')).status).toBe(401)
    expect((await signIn('bo@example.test', 'a third long password')).status).toBe(200)
  })

  test("of one project's admin: roles there, but no accounts", async () => {
    const cookie = await world.cookie('admin')
    const patch = (change: object): Promise<Response> =>
      ask(personRoute.PATCH, `/api/v1/people/${id}`, {
        method: 'PATCH',
        params: { id },
        cookie,
        body: change,
      })
    expect((await patch({ role: 'reviewer' })).status).toBe(200)
    expect(await slugOf(await patch({ globalAdmin: true }))).toBe('not-allowed')
    expect(await slugOf(await patch({ role: 'owner' }))).toBe('bad-request')
    expect(await slugOf(await patch({ role: 'viewer', project: 'other' }))).toBe('not-found')
    expect(
      (await ask(personRoute.DELETE, `/api/v1/people/${id}`, { method: 'DELETE', params: { id }, cookie }))
        .status,
    ).toBe(403)
    expect(
      (
        await ask(personLinkRoute.POST, `/api/v1/people/${id}/link`, {
          method: 'POST',
          params: { id },
          cookie,
        })
      ).status,
    ).toBe(403)
  })

  test('who are removed are out at once; the last admin of everything stays', async () => {
    const cookie = cookieOf(await signIn('bo@example.test', 'a third long password'))
    const remove = (who: string): Promise<Response> =>
      ask(personRoute.DELETE, `/api/v1/people/${who}`, {
        method: 'DELETE',
        params: { id: who },
        cookie: adminCookie,
      })
    expect((await remove(id)).status).toBe(200)
    expect(await reads(cookie)).toBe(401)
    const [ada] = await world.db.sql<{ id: string }[]>`select id from people where email = 'ada@example.test'`
    expect(await slugOf(await remove(ada!.id))).toBe('in-use')
    expect((await remove(randomUUID())).status).toBe(404)
  })
})

test('sources are made, changed and removed, but not from under received data', async () => {
  const made = sourceItem.parse(
    await (
      await ask(sources.POST, '/api/v1/sources', {
        method: 'POST',
        cookie: adminCookie,
        body: { kind: 'claude-code', name: 'laptop', project: 'default' },
      })
    ).json(),
  )
  const at = { params: { id: made.id }, cookie: adminCookie }
  expect(
    (
      await ask(sourceRoute.PATCH, `/api/v1/sources/${made.id}`, {
        ...at,
        method: 'PATCH',
        body: { redact: false },
      })
    ).status,
  ).toBe(200)
  const listed = page(sourceItem).parse(
    await (await ask(sources.GET, '/api/v1/sources', { cookie: adminCookie })).json(),
  )
  expect(listed.items.find((one) => one.id === made.id)).toEqual({ ...made, redact: false })
  await world.db.sql`
    insert into streams (project_id, id, source_id, stream_id, kind, channel)
    values (${world.project.id}, ${randomUUID()}, ${made.id}, 's', 'claude-transcript', 'transcript')`
  expect(
    await slugOf(await ask(sourceRoute.DELETE, `/api/v1/sources/${made.id}`, { ...at, method: 'DELETE' })),
  ).toBe('in-use')
  await world.db.sql`delete from streams where source_id = ${made.id}`
  expect(
    (await ask(sourceRoute.DELETE, `/api/v1/sources/${made.id}`, { ...at, method: 'DELETE' })).status,
  ).toBe(200)
})

test('each of these actions is an entry of the audit log, and the log holds together', async () => {
  const rows = await world.db.sql<
    { action: string; actor: string }[]
  >`select action, actor from audit_log where project_id = ${world.project.id} order by seq`
  const actions = new Set(rows.map((row) => row.action))
  for (const action of [
    'person.first-admin',
    'source.create',
    'key.create',
    'key.revoke',
    'person.invite',
    'person.link',
    'person.role',
    'person.remove',
    'source.change',
    'source.remove',
  ]) {
    expect(actions).toContain(action)
  }
  expect(rows.every((row) => /^(person|key):[0-9a-f-]{36}$|^system$/.test(row.actor))).toBe(true)
  expect(await verifyAuditLog(world.db.sql, world.project.id)).toMatchObject({
    valid: true,
    entries: rows.length,
  })
})
