import { execSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '@/cli/settings'
import { scratchRoot } from '@/db/testing/scratch-root'
import { testDb } from '@/db/testing/test-db'
import { Transcript } from '@/db/seed/transcript'
import { freezeDatabase, type Inquest, killDatabase, startInquest } from '@/e2e/support/server'
import { ingestAnswer } from '@/lib/api/ingest-schemas'

/** The real program, as `npm start` runs it. A first start of the run builds the pages, which takes its minute. */
const START_MS = 600_000

let folder: string
const running: Inquest[] = []
beforeAll(async () => {
  folder = await mkdtemp(path.join(scratchRoot(), 'inquest-up-'))
  await chmod(folder, 0o755) // run as root, the database has an account of its own, which must get through
})
afterAll(async () => {
  await Promise.all(running.filter((one) => one.child.exitCode === null).map((one) => one.stop()))
  await Promise.all(running.map((one) => killDatabase(one.dataDir)))
  await rm(folder, { recursive: true, force: true })
})

const start = async (name: string, env: Record<string, string> = {}): Promise<Inquest> => {
  const started = await startInquest(path.join(folder, name), env, START_MS)
  running.push(started)
  return started
}
const call = (server: Inquest, where: string, init: RequestInit = {}): Promise<Response> =>
  fetch(server.url + where, {
    ...init,
    headers: { authorization: `Bearer ${server.token}`, ...init.headers },
  })
const executions = async (server: Inquest): Promise<string[]> =>
  (
    (await (await call(server, '/api/v1/executions')).json()) as { items: { externalId: string }[] }
  ).items.map((item) => item.externalId)
const session = (n: number): Transcript =>
  new Transcript({ sessionId: `5e550000-0000-4000-8000-${String(n).padStart(12, '0')}` })
    .user('Go')
    .says('Done.')
const send = async (server: Inquest, body: BodyInit) =>
  ingestAnswer.parse(
    await (await call(server, '/api/v1/ingest/claude-transcript', { method: 'POST', body })).json(),
  )
const redeem = (server: Inquest, body: object): Promise<Response> =>
  fetch(`${server.url}/api/v1/one-time-links/${new URL(server.link).searchParams.get('link')}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })

/** Runs the program to its end, for starts that should fail. */
const runToEnd = (env: Record<string, string>): Promise<{ code: number | null; told: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['bin/inquest.cjs', 'up'], {
      cwd: path.resolve(import.meta.dirname, '..'),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let told = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (told += chunk.toString()))
    child.once('exit', (code) => resolve({ code, told }))
  })

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** The database of the data folder: its pid file is there while it runs, and removed by it when it stops in order. */
const databaseRuns = (server: Inquest): boolean =>
  existsSync(path.join(server.dataDir, 'pg', 'data', 'postmaster.pid'))

describe("a server of one's own", () => {
  let server: Inquest
  test('starts from nothing and lets the first admin in', { timeout: START_MS }, async () => {
    server = await start('own')
    const command = `node ${path.resolve(import.meta.dirname, '../bin/inquest.cjs')} user link`
    expect(server.output()).toContain(`Create the first admin account with a link from: ${command}\n`)
    // As a shell reads it, also where the file may not be run by itself.
    expect(execSync(`${command} --help`, { encoding: 'utf8' })).toContain('Usage: inquest user link')
    // Whoever reads the log of a service is no admin for that.
    expect(server.output()).not.toMatch(/[?&]link=/)
    expect(server.output()).not.toContain('next.config')
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    const answer = await redeem(server, {
      name: 'Ada',
      email: 'ada@example.test',
      password: 'correct horse battery',
    })
    expect(answer.status).toBe(200)
    expect(
      (
        await fetch(`${server.url}/api/v1/executions`, {
          headers: { cookie: answer.headers.getSetCookie()[0]!.split(';')[0]! },
        })
      ).status,
    ).toBe(200)
  })

  test('gives each page a nonce of its own, and all its scripts carry it', async () => {
    const pages = await Promise.all(
      [1, 2].map(async () => {
        const response = await fetch(`${server.url}/sign-in`)
        return { policy: response.headers.get('content-security-policy') ?? '', html: await response.text() }
      }),
    )
    const nonces = pages.map(({ policy, html }) => {
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
      const scripts = html.match(/<script\b[^>]*>/g) ?? []
      expect(scripts.length).toBeGreaterThan(3)
      expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([])
      return nonce
    })
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test('takes a body of 64 MB whole', { timeout: 120_000 }, async () => {
    const line = (n: number): string =>
      session(2)
        .user(`${n} ${randomBytes(40_000).toString('base64')}`)
        .lines.at(-1)!
        .replaceAll('-3"', `-3-${n}"`)
    const lines: string[] = []
    for (let size = 0, n = 0; size < 64 * 1024 * 1024; n++) {
      lines.push(line(n))
      size += lines.at(-1)!.length + 1
    }
    const body = Buffer.from(lines.map((one) => `${one}\n`).join(''))
    expect(body.length).toBeGreaterThan(64 * 1024 * 1024)
    const answer = await send(server, body)
    expect(answer.originalSha256).toBe(createHash('sha256').update(body).digest('hex'))
    expect(answer).toMatchObject({ accepted: lines.length, oddTotal: 0, nextOffset: body.length })
  })

  test('does not start twice on the same data, nor on a taken port, and says why', {
    timeout: 60_000,
  }, async () => {
    const again = await runToEnd({
      INQUEST_DATA: server.dataDir,
      INQUEST_STATE: path.join(folder, 'again'),
      PORT: String(await freePort()),
    })
    expect(again.code).toBe(1)
    expect(again.told).toContain(`(process ${server.child.pid})`)
    const taken = await runToEnd({
      INQUEST_DATA: path.join(folder, 'elsewhere'),
      INQUEST_STATE: path.join(folder, 'again'),
      PORT: new URL(server.url).port,
    })
    expect(taken.code).toBe(1)
    expect(taken.told).toMatch(/Port \d+ on 127\.0\.0\.1 is in use/)
    expect(taken.told).not.toMatch(/\n\s+at /)
    expect(existsSync(path.join(folder, 'again', 'server.json'))).toBe(false)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  test('stops in good order at Ctrl-C: streams end, the database stops, nothing is left behind', {
    timeout: 60_000,
  }, async () => {
    await send(server, session(1).text)
    expect(databaseRuns(server)).toBe(true)
    const stream = (await call(server, '/api/v1/live')).text()
    const started = Date.now()
    expect(await server.stop()).toBe(0)
    expect(Date.now() - started).toBeLessThan(15_000)
    expect(await stream).toContain('retry:')
    expect(databaseRuns(server)).toBe(false)
    expect(existsSync(path.join(server.stateDir, 'server.json'))).toBe(false)
  })

  test('starts again with its data; it prints no link, and the old local key is forgotten', {
    timeout: START_MS,
  }, async () => {
    const before = server.token
    server = await start('own')
    expect(server.output()).not.toMatch(/first admin|[?&]link=/)
    expect(server.output()).toMatch(
      /Forgot your password\? Get a link: node \/\S+\/inquest\.cjs user link EMAIL/,
    )
    expect(server.link).toBe('')
    expect(await executions(server)).toContain(session(1).options.sessionId)
    expect(
      (await call(server, '/api/v1/executions', { headers: { authorization: `Bearer ${before}` } })).status,
    ).toBe(401)
  })

  test('survives kill -9: what was acknowledged is there, the lock and the database it left behind are taken over', {
    timeout: START_MS,
  }, async () => {
    await send(server, session(3).text)
    const before = server.token
    await server.kill()
    expect(databaseRuns(server)).toBe(true)
    server = await start('own')
    expect(await executions(server)).toContain(session(3).options.sessionId)
    expect(
      (await call(server, '/api/v1/executions', { headers: { authorization: `Bearer ${before}` } })).status,
    ).toBe(401)
    expect(await send(server, session(3).text)).toMatchObject({ accepted: 0, duplicates: 2 })
    expect(await server.stop()).toBe(0)
    expect(databaseRuns(server)).toBe(false)
  })

  test('stops in good order while its database hangs, and prints no stack of a connection that ends with it', {
    timeout: START_MS,
  }, async () => {
    server = await start('own')
    await send(server, session(4).text)
    await freezeDatabase(server.dataDir)
    expect(await server.stop()).toBe(0)
    expect(databaseRuns(server)).toBe(false)
    expect(server.output()).not.toMatch(/uncaught|^ {4}at /m)
  })

  test('stops in good order when nobody reads what it says any more, as after the end of its terminal', {
    timeout: START_MS,
  }, async () => {
    server = await start('own')
    server.child.stdout!.destroy()
    server.child.stderr!.destroy()
    const ended = new Promise((resolve) =>
      server.child.once('exit', (code, signal) => resolve(code ?? signal)),
    )
    server.child.kill('SIGTERM')
    const hangs = setTimeout(() => server.child.kill('SIGKILL'), 30_000)
    expect(await ended).toBe(0)
    clearTimeout(hangs)
    expect(databaseRuns(server)).toBe(false)
  })
})

describe('an existing database', () => {
  test('is used instead, by a second server too, and left running', { timeout: START_MS }, async () => {
    const db = await testDb()
    const server = await start('named', { DATABASE_URL: db.url })
    expect(existsSync(path.join(server.dataDir, 'pg'))).toBe(false)
    await send(server, session(4).text)
    expect(await executions(server)).toEqual([session(4).options.sessionId])
    const second = await start('named', { DATABASE_URL: db.url })
    expect(await executions(second)).toEqual([session(4).options.sessionId])
    expect((await call(server, '/api/v1/executions')).status).toBe(200)
    expect(await second.stop()).toBe(0)
    expect((await call(server, '/api/v1/executions')).status).toBe(200)
    expect(readSettings({ INQUEST_STATE: server.stateDir }).token).toBe(server.token)
    expect(await server.stop()).toBe(0)
    expect((await db.sql`select count(*)::int as n from executions`)[0]!.n).toBe(1)
    expect((await db.sql`select count(*)::int as n from api_keys`)[0]!.n).toBe(0)
    await db.close()
  })

  test('that does not answer is told in a sentence, without its password', { timeout: 60_000 }, async () => {
    const url = `postgres://someone:hidden@127.0.0.1:${await freePort()}/none`
    const { code, told } = await runToEnd({
      DATABASE_URL: url,
      INQUEST_DATA: path.join(folder, 'none'),
      INQUEST_STATE: path.join(folder, 'none'),
      PORT: String(await freePort()),
    })
    expect(code).toBe(1)
    expect(told).toMatch(/The database at 127\.0\.0\.1:\d+ did not answer/)
    expect(told).not.toContain('hidden')
    expect(told).not.toMatch(/\n\s+at /)
  })
})
