import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { hashPassword } from 'better-auth/crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as signInRoute from '@/app/api/auth/[...all]/route'
import { type Listener, listen } from '@/server/serve'
import { readUpSettings } from '@/server/settings'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { ask, openWorld, ORIGIN, type World } from './test-support'

/** The sign-in endpoint behind the real listener, reached over real connections from 127.0.0.1. */
let world: World
let listener: Listener | null = null
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())
// The clock moves only when a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(async () => {
  vi.useRealTimers()
  await listener?.close()
  listener = null
})

const PASSWORD = 'correct horse battery'

async function makePerson(): Promise<string> {
  const id = randomUUID()
  const email = `${id}@example.test`
  await world.db.sql`insert into people (id, name, email) values (${id}, 'Someone', ${email})`
  await world.db.sql`
    insert into accounts (id, account_id, provider_id, person_id, password)
    values (${randomUUID()}, ${id}, 'credential', ${id}, ${await hashPassword(PASSWORD)})`
  return email
}

async function start(env: Record<string, string> = {}): Promise<void> {
  listener = await listen('127.0.0.1', 0, readUpSettings(env).trustedProxies)
  listener.open((request, response) => {
    void answer(request).then(async (given) => {
      response.writeHead(given.status, Object.fromEntries(given.headers))
      response.end(Buffer.from(await given.arrayBuffer()))
    })
  })
}

const answer = async (request: IncomingMessage): Promise<Response> =>
  ask(signInRoute.POST, request.url!, {
    method: 'POST',
    params: { all: ['sign-in', 'email'] },
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: new Uint8Array(await buffer(request)),
  })

const signIn = (email: string, password: string, forwardedFor?: string, cookie?: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${listener!.port}${links.api.signIn()}`, {
    method: 'POST',
    headers: {
      origin: ORIGIN,
      'content-type': 'application/json',
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
      ...(cookie === undefined ? {} : { cookie }),
    },
    body: JSON.stringify({ email, password }),
  })

/** Tries wrong passwords; the address of each is that of `from`. @returns how many were checked, and how many told to wait */
async function attack(email: string, attempts: number, from: (n: number) => string | undefined) {
  const seen = { checked: 0, refused: 0 }
  for (let n = 0; n < attempts; n++) {
    const { status, headers } = await signIn(email, 'wrong wrong wrong', from(n))
    if (status === 401) seen.checked++
    else {
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      seen.refused++
    }
  }
  return seen
}

test('200 wrong passwords from one client of a trusted proxy keep no other client out of the account', async () => {
  const email = await makePerson()
  await start({ INQUEST_TRUSTED_PROXIES: '127.0.0.1' })
  expect(await attack(email, 200, () => '203.0.113.1')).toEqual({
    checked: limits.signInAttemptsFree,
    refused: 200 - limits.signInAttemptsFree,
  })
  expect((await signIn(email, PASSWORD, '203.0.113.2')).status).toBe(200)
  // That client itself has to wait, and not for long.
  const refused = await signIn(email, PASSWORD, '203.0.113.1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  vi.setSystemTime(Date.now() + 1_000)
  expect((await signIn(email, PASSWORD, '203.0.113.1')).status).toBe(200)
})

test('an account that is attacked from many addresses opens at once to another one', async () => {
  const email = await makePerson()
  await start({ INQUEST_TRUSTED_PROXIES: '127.0.0.0/8' })
  expect((await attack(email, 12, (n) => `198.51.100.${n}`)).checked).toBe(12)
  expect((await signIn(email, PASSWORD, '2001:db8::1')).status).toBe(200)
})

describe('clients that share an address, as behind a proxy that the server was not told of', () => {
  const TRUST = { INQUEST_TRUSTED_PROXIES: '127.0.0.1' }
  const deviceOf = (response: Response): string =>
    response.headers
      .getSetCookie()
      .find((one) => one.startsWith('inquest.device='))!
      .split(';')[0]!
  /** One that uses up the attempts of the address that all share. */
  async function hammer(address: string): Promise<void> {
    for (let n = 0; n < limits.signInAttemptsPerAddress; n++)
      await signIn(`${n}@example.test`, 'wrong wrong', address)
    expect(await statuses(10, () => signIn('0@example.test', 'wrong wrong', address))).toEqual(refused(10))
  }
  const statuses = async (count: number, send: (n: number) => Promise<Response>): Promise<number[]> =>
    (await Promise.all(Array.from({ length: count }, (_, n) => send(n)))).map(({ status }) => status)
  const refused = (count: number): number[] => Array<number>(count).fill(429)

  test('a new browser signs in at once with the right password while others hammer the address', async () => {
    const [email, address] = [await makePerson(), '192.0.2.52']
    await start(TRUST)
    await hammer(address)
    const hammering = statuses(60, (n) => signIn(`made-up-${n}@example.test`, 'wrong wrong', address))
    for (let n = 0; n < 3; n++) expect((await signIn(email, PASSWORD, address)).status).toBe(200)
    expect(await hammering).toEqual(Array<number>(60).fill(401))
  })

  test('a mistyped password there costs a wait of a second, and an account is not guessed faster than elsewhere', async () => {
    const [email, address] = [await makePerson(), '192.0.2.53']
    await start(TRUST)
    await hammer(address)
    expect((await signIn(email, 'mistyped mistyped', address)).status).toBe(401)
    const early = await signIn(email, PASSWORD, address)
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, '1'])
    vi.setSystemTime(Date.now() + 1_000)
    expect((await signIn(email, PASSWORD, address)).status).toBe(200)
    expect((await signIn(email, 'wrong wrong wrong', address)).status).toBe(401)
    expect(await statuses(20, () => signIn(email, 'wrong wrong wrong', address))).toEqual(refused(20))
  })

  test('the answer there does not tell whether an account exists', async () => {
    const [email, address] = [await makePerson(), '192.0.2.54']
    await start(TRUST)
    await hammer(address)
    const seen = []
    for (const one of [email, 'nobody@example.test']) {
      const began = performance.now()
      const given = await signIn(one, 'wrong wrong wrong', address)
      expect(performance.now() - began).toBeGreaterThan(limits.signInCrowdedSeconds * 1000 - 50)
      const { requestId: _, ...problem } = (await given.json()) as { requestId: string }
      seen.push([given.status, problem])
      seen.push((await signIn(one, 'wrong wrong wrong', address)).status)
    }
    expect(seen.slice(2)).toEqual(seen.slice(0, 2))
  })

  test('a browser in which an account has signed in before lets it in, whoever hammers from the same address', async () => {
    const [email, address] = [await makePerson(), '192.0.2.50']
    await start(TRUST)
    const first = await signIn(email, PASSWORD, address)
    const set = first.headers.getSetCookie().find((one) => one.startsWith('inquest.device='))!
    expect(set).toMatch(/; Path=\/api\/auth\/sign-in\/email; HttpOnly; SameSite=Lax$/)
    await hammer(address)
    await signIn(email, 'wrong wrong wrong', address)
    expect((await signIn(email, PASSWORD, address)).status).toBe(429)
    expect((await signIn(email.toUpperCase(), PASSWORD, address, deviceOf(first))).status).toBe(200)
    expect((await signIn(email, PASSWORD, address, `a=b; ${deviceOf(first)}; c=d`)).status).toBe(200)
  })

  test('the cookie is of one account, cannot be made up, and has the attempts of one client', async () => {
    const [email, other, address] = [await makePerson(), await makePerson(), '192.0.2.51']
    await start(TRUST)
    const device = deviceOf(await signIn(email, PASSWORD, address))
    await hammer(address)
    for (const one of [email, other]) await signIn(one, 'wrong wrong wrong', address)
    expect((await signIn(other, PASSWORD, address, device)).status).toBe(429)
    const made = `${device.slice(0, -4)}AAAA`
    for (const one of [made, 'inquest.device=', 'inquest.device=x.y', 'inquest.device'])
      expect((await signIn(email, PASSWORD, address, one)).status).toBe(429)
    const seen: number[] = []
    for (let n = 0; n < limits.signInAttemptsFree + 2; n++)
      seen.push((await signIn(email, 'wrong wrong wrong', address, device)).status)
    expect(seen).toEqual([...Array<number>(limits.signInAttemptsFree).fill(401), 429, 429])
  })
})

test('a client that invents X-Forwarded-For gets no more attempts than its own address has', async () => {
  await start()
  const direct = await attack(await makePerson(), 12, (n) => `192.0.2.${n}`)
  expect(direct.checked).toBe(limits.signInAttemptsFree)
  // Not even behind a trusted proxy, which writes the real address at the end.
  await listener!.close()
  await start({ INQUEST_TRUSTED_PROXIES: '127.0.0.1' })
  const proxied = await attack(await makePerson(), 12, (n) => `192.0.2.${n}, 203.0.113.9`)
  expect(proxied.checked).toBe(limits.signInAttemptsFree)
})

test('the account is read from the same body as the password is', async () => {
  const email = await makePerson()
  await start()
  const form = `{"email":"nobody@example.test","password":"&email=${email}&password=${PASSWORD}&x="}`
  const answer = await fetch(`http://127.0.0.1:${listener!.port}${links.api.signIn()}`, {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
  })
  expect(answer.status).toBe(401)
})

test('a peer header of the client is overwritten', async () => {
  listener = await listen('127.0.0.1', 0)
  const heard = once(listener.server, 'request') as Promise<[IncomingMessage]>
  listener.open((_request, response) => void response.end())
  await fetch(`http://127.0.0.1:${listener.port}/`, { headers: { 'x-inquest-peer': '192.0.2.1' } })
  expect((await heard)[0].headers['x-inquest-peer']).toBe('127.0.0.1')
})
