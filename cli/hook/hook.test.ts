import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '@/lib/limits'
import { makeFolder, runCli, serverEnv } from '../testing/run-cli'
import { followSpool } from './follow-spool'
import { startTestServer, testToken } from '../testing/test-server'
import type { TestServer } from '../testing/test-server'

const program = resolve(import.meta.dirname, '../../bin/inquest.cjs')
let server: TestServer
let folder: ReturnType<typeof makeFolder>

beforeEach(async () => {
  server = await startTestServer()
  folder = makeFolder()
  mkdirSync(join(folder.path, 'work'))
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

interface HookRun {
  code: number | null
  err: string
  out: string
  ms: number
}

/** Runs the hook as an agent does: a process of its own, in the folder the agent works in. */
function hook(
  input: string | Uint8Array,
  { env = {}, keepOpen = false }: { env?: Record<string, string>; keepOpen?: boolean } = {},
): Promise<HookRun> {
  const started = performance.now()
  const child = spawn(process.execPath, [program, 'hook'], {
    cwd: join(folder.path, 'work'),
    env: {
      PATH: process.env.PATH,
      ...serverEnv(server.url, folder.path),
      ...env,
    } as unknown as NodeJS.ProcessEnv,
  })
  let err = ''
  let out = ''
  child.stderr.on('data', (chunk) => (err += chunk))
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stdin.on('error', () => {})
  child.stdin.write(input)
  if (!keepOpen) child.stdin.end()
  return new Promise((done) =>
    child.on('close', (code) => done({ code, err, out, ms: performance.now() - started })),
  )
}

/** Where frames wait for the server that `INQUEST_URL` names. */
const spool = (): string =>
  join(folder.path, 'state', 'spool', 'for', encodeURIComponent(new URL(server.url).host))
/** Where they wait for the server of this machine. */
const ownSpool = (): string => join(folder.path, 'state', 'spool')
const waiting = (where = spool()): string[] => readdirSync(where).filter((name) => name.endsWith('.frame'))
const frame = (extra: object = {}): string =>
  JSON.stringify({ session_id: 's1', hook_event_name: 'PostToolUse', tool_name: 'Bash', ...extra })
const received = (): Record<string, unknown>[] => [...server.frames].map((line) => JSON.parse(line))

/** Makes the waiting frames old enough to be sent by somebody else. */
function age(): void {
  for (const name of waiting())
    renameSync(join(spool(), name), join(spool(), `${String(Date.now() - 60_000)}${name.slice(13)}`))
}

test('a frame reaches the server with its source and time, the spool is empty again, and nothing is said', async () => {
  const run = await hook(frame())
  expect([run.code, run.err, run.out]).toEqual([0, '', ''])
  expect(received()).toEqual([
    {
      session_id: 's1',
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ])
  expect(server.requests[0]!.headers['inquest-source']).toBeTruthy()
  expect(waiting()).toEqual([])
})

test('the folder the agent works in stays as it was', async () => {
  await hook(frame())
  await server.stop()
  await hook(frame())
  expect(readdirSync(join(folder.path, 'work'))).toEqual([])
  await server.restart()
})

describe('while the server is away', () => {
  test('the frame waits, for its owner only, without secrets and mail addresses; the next hook takes it along', async () => {
    await server.stop()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    expect(
      (await hook(frame({ tool_input: { command: `curl -H "token ${secret}" someone@example.org` } }))).code,
    ).toBe(0)
    expect(waiting().length).toBe(1)
    const path = join(spool(), waiting()[0]!)
    expect([statSync(path).mode & 0o777, statSync(spool()).mode & 0o777]).toEqual([0o600, 0o700])
    expect(readFileSync(path, 'utf8')).not.toMatch(/a1B2|someone@/)
    await server.restart()
    age()
    await hook(frame({ n: 2 }))
    expect(received().length).toBe(2)
    expect(waiting()).toEqual([])
  })

  test('a frame that another hook may be sending just now is left to it', async () => {
    await server.stop()
    await hook(frame({ n: 1 }))
    await server.restart()
    await hook(frame({ n: 2 }))
    expect(received().map((one) => one.n)).toEqual([2])
    expect(waiting().length).toBe(1)
  })

  test('a server that takes the connection and never answers costs one hook half a second, and the next ones nothing', async () => {
    server.intercept = () => true
    const bare = await hook('')
    const first = await hook(frame({ n: 1 }))
    const second = await hook(frame({ n: 2 }))
    expect([first.code, second.code, waiting().length]).toEqual([0, 0, 2])
    expect(first.ms - bare.ms).toBeLessThan(1_500)
    expect(server.requests.length).toBe(1)
  })

  test('no server known at all: the frame waits, and the agent is told where to look', async () => {
    const run = await hook(frame(), { env: { INQUEST_URL: '', INQUEST_TOKEN: '' } })
    expect([run.code, run.err]).toEqual([0, expect.stringContaining('No server is configured')])
    expect(waiting(ownSpool()).length).toBe(1)
  })

  test('import and doctor send what waits', async () => {
    await server.stop()
    await hook(frame({ n: 1 }))
    age()
    await server.restart()
    const env = serverEnv(server.url, folder.path)
    const doctor = await runCli(['doctor', '--json'], env)
    expect(
      JSON.parse(doctor.out).findings.find((one: { about: string }) => one.about === 'spool').says,
    ).toMatch(/^1 frame sent just now/)
    expect(received().map((one) => one.n)).toEqual([1])
  })
})

describe('with a server of this machine', () => {
  const here = { INQUEST_URL: '', INQUEST_TOKEN: '' }
  const known = (): void =>
    void chmodSync(
      folder.put('state/server.json', JSON.stringify({ url: server.url, token: testToken, pid: 1 })),
      0o600,
    )

  test('the hook leaves the frame in the spool and speaks to nobody; the server fetches it', async () => {
    known()
    const run = await hook(frame(), { env: here })
    expect([run.code, run.err, run.out, server.requests.length, waiting(ownSpool()).length]).toEqual([
      0,
      '',
      '',
      0,
      1,
    ])
    const end = followSpool(
      { url: server.url, token: testToken },
      { INQUEST_STATE: join(folder.path, 'state'), INQUEST_URL: 'http://elsewhere.example' },
      () => {},
    )
    await expect.poll(() => received().length, { timeout: 5_000 }).toBe(1)
    await expect.poll(() => waiting(ownSpool()), { timeout: 5_000 }).toEqual([])
    await hook(frame({ n: 2 }), { env: here })
    await expect.poll(() => received().map((one) => one.n), { timeout: 5_000 }).toEqual([undefined, 2])
    // Taken by the server is not yet gone from the spool: ended in between, it would wait there for the next time.
    await expect.poll(() => waiting(ownSpool()), { timeout: 5_000 }).toEqual([])
    await end()
    await hook(frame({ n: 3 }), { env: here })
    expect(waiting(ownSpool()).length).toBe(1)
  })

  test('frames for a server that the environment names are not fetched by it', async () => {
    await server.stop()
    await hook(frame({ n: 'far' }))
    await server.restart()
    await hook(frame({ n: 'near' }), { env: here })
    const end = followSpool(
      { url: server.url, token: testToken },
      { INQUEST_STATE: join(folder.path, 'state') },
      () => {},
    )
    await expect.poll(() => received().map((one) => one.n), { timeout: 5_000 }).toEqual(['near'])
    await end()
    expect(waiting().length).toBe(1)
  })

  test('a server that cannot take the frames now is asked again', async () => {
    known()
    server.intercept = (request, response) => {
      if (request.method !== 'POST') return false
      response.writeHead(503).end('{}')
      return true
    }
    await hook(frame(), { env: here })
    const end = followSpool(
      { url: server.url, token: testToken },
      { INQUEST_STATE: join(folder.path, 'state') },
      () => {},
    )
    await expect.poll(() => server.requests.length, { timeout: 5_000 }).toBeGreaterThan(0)
    expect(waiting(ownSpool()).length).toBe(1)
    server.intercept = () => false
    await expect.poll(() => received().length, { timeout: 5_000 }).toBe(1)
    await end()
  })
})

describe('odd input ends with status 0 and is kept', () => {
  test.each([
    ['not JSON', 'warning: no frame\n'],
    ['torn JSON', '{"session_id": "s1", "tool'],
    ['wrong types', '{"session_id": 7, "hook_event_name": []}'],
    ['a list', '[{"session_id":"s1"}]'],
  ])('%s', async (_, text) => {
    expect((await hook(text)).code).toBe(0)
    expect([...server.frames].length).toBe(1)
    expect([...server.frames][0]).toContain(text.trim().slice(0, 20))
  })

  test('bytes that are not text', async () => {
    expect((await hook(Buffer.from([0, 1, 2, 0xff, 0xfe, 0x80]))).code).toBe(0)
    expect(server.requests[0]!.body.subarray(0, 6)).toEqual(Buffer.from([0, 1, 2, 0xff, 0xfe, 0x80]))
  })

  test('a frame of 8 MB', async () => {
    expect((await hook(frame({ tool_response: 'r'.repeat(8_000_000) }))).code).toBe(0)
    expect(
      received().concat(waiting().map((name) => JSON.parse(readFileSync(join(spool(), name), 'utf8'))))[0]!
        .tool_response,
    ).toHaveLength(8_000_000)
  })

  test('what Agent Receipts would lose is kept, and doctor says so', async () => {
    const call = { hook_event_name: 'PostToolUseFailure', tool_use_id: 't', error: 'x' }
    for (const extra of [
      { is_interrupt: 'true' },
      { agent_id: 'a/b' },
      { tool_input: 'x'.repeat(1_100_000) },
      { agent_id: 'a/b' },
      {},
    ])
      expect(await hook(frame({ ...call, ...extra }))).toMatchObject({ code: 0, err: '', out: '' })
    await hook(frame({ hook_event_name: 'Stop', tool_name: undefined }))
    for (const none of ['null', '{"hook_event_name":7,"session_id":[]}'])
      expect(await hook(none)).toMatchObject({ code: 0, err: '', out: '' })
    expect(
      received().concat(waiting().map((name) => JSON.parse(readFileSync(join(spool(), name), 'utf8'))))
        .length,
    ).toBe(8)
    const doctor = await runCli(['doctor', '--json'], serverEnv(server.url, folder.path))
    const { says } = JSON.parse(doctor.out).findings.find(
      (one: { about: string }) => one.about === 'odd frames',
    )
    expect(says).toMatch(
      /^6 frames since 2\S+ that are not valid frames, or that Agent Receipts would have dropped. All were kept: 2 × agent_id contains a slash or a NUL; 1 × a field has the wrong type/,
    )
    for (const why of [
      'the frame is longer than 1052672 bytes',
      'event or session ID is not a string',
      'no event name or session ID',
    ])
      expect(says).toContain(`1 × ${why}`)
    const notes = join(folder.path, 'state', 'odd-frames.jsonl')
    expect(statSync(notes).mode & 0o777).toBe(0o600)
    expect(readFileSync(notes, 'utf8')).not.toContain('xxx')
  })

  test('nothing at all is no frame', async () => {
    expect((await hook('')).code).toBe(0)
    expect(server.requests).toEqual([])
  })

  test('an agent that keeps standard input open is not waited for', async () => {
    const run = await hook(frame(), { keepOpen: true })
    expect(run.code).toBe(0)
    expect(run.ms).toBeLessThan(6_000)
    expect(received()[0]).toMatchObject({ session_id: 's1' })
  })

  test('a frame that the server refuses for good is set aside, and doctor says so', async () => {
    server.intercept = (request, response) => {
      if (request.method !== 'POST') return false
      response.writeHead(422).end('{}')
      return true
    }
    await hook(frame())
    expect(waiting()).toEqual([])
    expect(readdirSync(join(spool(), 'refused')).length).toBe(1)
    const doctor = await runCli(['doctor'], serverEnv(server.url, folder.path))
    expect(doctor.out).toMatch(/refused frames: 1 frame rejected by the server/)
  })

  test("a wrong key is not the frame's fault: it waits", async () => {
    await hook(frame(), { env: { INQUEST_TOKEN: `${testToken}-wrong` } })
    expect(waiting().length).toBe(1)
  })

  test('a state folder that cannot be written: the frame goes straight to the server, and the trouble is told', async () => {
    const run = await hook(frame(), { env: { INQUEST_STATE: folder.put('a-file', '') } })
    expect([run.code, run.err, received().length]).toEqual([
      0,
      expect.stringContaining('could not write the frame to the spool'),
      1,
    ])
  })
})

describe('a server that refuses the key', () => {
  const state = (): string => join(folder.path, 'state')
  const log = (): string => readFileSync(join(state(), 'inquest.log'), 'utf8')
  const wrong = { INQUEST_TOKEN: 'revoked-key-1' }
  const refusedIn = async (env: Record<string, string>) => {
    const doctor = await runCli(['doctor', '--json'], { ...serverEnv(server.url, folder.path), ...env })
    const { findings } = JSON.parse(doctor.out) as {
      findings: { about: string; state: string; todo?: string }[]
    }
    const about = (name: string) => findings.find((one) => one.about === name)
    return { code: doctor.code, refused: about('refused key'), spool: about('spool') }
  }

  test('the hook says so and what to do, the next ones say it and do not ask, doctor and the log name it', async () => {
    for (const n of [1, 2]) {
      const run = await hook(frame({ n }), { env: wrong })
      expect([run.code, run.out]).toEqual([0, ''])
      expect(run.err).toMatch(
        /^inquest hook: http:\S+ rejected the key \(Authentication required\); frames and records wait in the spool since 2\S+\. Set INQUEST_TOKEN to a key that can ingest .*`inquest doctor`\.\n$/,
      )
    }
    expect([server.requests.length, waiting().length]).toEqual([1, 2])
    expect(
      log()
        .split('\n')
        .filter((line) => line.includes('rejected the key')).length,
    ).toBe(1)
    expect(log()).not.toContain('revoked-key-1')
    expect(await refusedIn(wrong)).toMatchObject({
      code: 1,
      refused: { state: 'bad', todo: expect.stringContaining('INQUEST_TOKEN') },
      spool: { todo: 'The server rejected the key. They will be sent once it accepts one.' },
    })
    age()
    expect((await refusedIn({})).refused).toBeUndefined()
    expect([received().length, waiting()]).toEqual([2, []])
    expect(log()).toContain('accepts the key again')
  })

  test('the next start of a server says what waits for another one', async () => {
    await hook(frame(), { env: wrong })
    const said: string[] = []
    const end = followSpool({ url: server.url, token: testToken }, { INQUEST_STATE: state() }, (line) =>
      said.push(line),
    )
    await end()
    expect(said).toEqual([expect.stringMatching(/^1 frame and 0 records wait: http\S+ rejected the key/)])
  })

  test('a server that does not take its own key says so once, and is not asked again at once', async () => {
    await hook(frame(), { env: { INQUEST_URL: '', INQUEST_TOKEN: '' } })
    const said: string[] = []
    const end = followSpool({ url: server.url, token: 'expired' }, { INQUEST_STATE: state() }, (line) =>
      said.push(line),
    )
    await expect.poll(() => said.length, { timeout: 30_000 }).toBe(1)
    await end()
    expect(said[0]).toContain('The server on this machine rejected the key')
    expect(said[0]).toContain('Restart the server on this machine')
    expect(server.requests.length).toBe(1)
  })

  test('of two servers with one state folder, the one that server.json names fetches', async () => {
    chmodSync(
      folder.put('state/server.json', JSON.stringify({ url: server.url, token: testToken, pid: 1 })),
      0o600,
    )
    await hook(frame(), { env: { INQUEST_URL: '', INQUEST_TOKEN: '' } })
    const other = await startTestServer()
    other.token = 'another'
    const ends = [
      followSpool({ url: other.url, token: 'another' }, { INQUEST_STATE: state() }, () => {}),
      followSpool({ url: server.url, token: testToken }, { INQUEST_STATE: state() }, () => {}),
    ]
    await expect.poll(() => received().length, { timeout: 30_000 }).toBe(1)
    await Promise.all(ends.map((end) => end()))
    await other.stop()
    expect(other.requests).toEqual([])
  })
})

describe('a full spool', () => {
  test('drops the oldest frames; the next frame that is sent tells the server and the agent', async () => {
    mkdirSync(spool(), { recursive: true })
    for (let n = 0; n < limits.spoolFramesMax; n++)
      writeFileSync(join(spool(), `${1_000_000_000_000 + n}-1-a.frame`), '{}')
    writeFileSync(join(ownSpool(), 'written'), '.'.repeat(255))
    await server.stop()
    const run = await hook(frame({ n: 'newest' }))
    expect(run.code).toBe(0)
    const left = waiting().length
    expect(left).toBe(limits.spoolFramesMax * 0.9)
    await server.restart()
    const next = await hook(frame({ n: 'sent' }))
    expect(next.code).toBe(0)
    expect(waiting().some((name) => name.startsWith('1000000000000'))).toBe(false)
    const doctor = await runCli(['doctor', '--json'], serverEnv(server.url, folder.path))
    const { says } = JSON.parse(doctor.out).findings.find((one: { about: string }) => one.about === 'dropped')
    expect(says).toMatch(/^the spool was full and dropped 2,001 frames \(4\.\d kB\) since 2/)
    expect(received().filter((one) => 'inquest_spool_dropped' in one)).toEqual([
      expect.objectContaining({
        inquest_spool_dropped: expect.objectContaining({ frames: 2_001, records: 0 }),
      }),
    ])
  })

  // Writing fails with EFBIG instead of ENOSPC, and otherwise as it does on a full disk.
  test('a disk that is full costs the frame at most, never the agent its step', async () => {
    const full = async (env: Record<string, string>): Promise<HookRun> => {
      mkdirSync(spool(), { recursive: true })
      const child = spawn('bash', ['-c', 'ulimit -f 0; exec "$0" "$1" hook', process.execPath, program], {
        cwd: join(folder.path, 'work'),
        env: {
          PATH: process.env.PATH,
          ...serverEnv(server.url, folder.path),
          ...env,
        } as unknown as NodeJS.ProcessEnv,
      })
      let err = ''
      child.stderr.on('data', (chunk) => (err += chunk))
      child.stdin.end(frame())
      return new Promise((done) => child.on('close', (code) => done({ code, err, out: '', ms: 0 })))
    }
    const sent = await full({})
    expect([sent.code, received().length]).toEqual([0, 1])
    expect(sent.err).toContain('could not write the frame to the spool')
    await server.stop()
    const lost = await full({})
    expect([lost.code, readdirSync(spool())]).toEqual([0, []])
    expect(lost.err).toContain('the frame is lost')
  })
})
