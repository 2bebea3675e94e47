import { chmodSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { followSpool } from '../hook/follow-spool'
import { useRecords } from '../testing/record-fixture'
import { agent, documentIn, linesOf, recordsIn } from '../testing/record-run'
import { runCli, serverEnv, until } from '../testing/run-cli'
import { testToken } from '../testing/test-server'

const SESSION = '0b0b0b0b-0000-4000-8000-00000000000a'
/** Found by its `server.json`, as a server of this machine is. */
const here = { INQUEST_URL: '', INQUEST_TOKEN: '' }

const at = useRecords()
const { start, record, bodies, document } = at
const state = (): string => join(at.folder.path, 'state')
const spool = (): string => join(state(), 'spool')
const waiting = (): string[] => recordsIn(spool())
const known = (): void =>
  void chmodSync(
    at.folder.put('state/server.json', JSON.stringify({ url: at.server.url, token: testToken, pid: 1 })),
    0o600,
  )
const sentOutput = (): string => Buffer.concat(bodies('claude-stream')).toString()

describe('while the server is away', () => {
  test('the record waits, for its owner only, and the line says so and where it will be found', async () => {
    known()
    await at.server.stop()
    const run = await record([], agent('result'), here)
    expect([run.status, run.err]).toEqual([
      0,
      `inquest: recorded, but not sent (${at.server.url} did not answer: connection refused); it is in the spool: ${at.server.url}/x/${SESSION}\n`,
    ])
    const [folder] = waiting()
    expect(readdirSync(folder!).sort()).toEqual(['record.ndjson', 'send.json', 'stdout'])
    expect(readdirSync(folder!).map((name) => statSync(join(folder!, name)).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600,
    ])
    expect([folder!, join(folder!, '..')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700])
    expect(readFileSync(join(folder!, 'stdout')).equals(run.out)).toBe(true)
    await at.server.restart()
  })

  test('secrets and mail addresses do not stay behind, neither in what was printed nor in the command', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    for (const command of [
      agent('result', `{"result":"${secret}"}`),
      ['sh', '-c', `echo ${secret}; echo someone@example.org >&2`],
    ])
      await record([], command, here)
    const kept = waiting().flatMap((folder) =>
      readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
    )
    expect(kept.length).toBeGreaterThan(4)
    expect(kept.join('')).not.toMatch(/a1B2|someone@/)
    expect(kept.join('')).toContain('[redacted:')
    for (const folder of waiting()) {
      const { stdoutBytes, stdoutSentBytes } = documentIn(folder).at(-1) as unknown as Record<string, number>
      const pieces = documentIn(folder).filter(({ channel }) => channel === 'stdout')
      const output = join(folder, 'stdout')
      expect(stdoutSentBytes).toBe(
        pieces.length > 0 ? Buffer.byteLength(String(pieces[0]!.text)) : statSync(output).size,
      )
      expect(stdoutSentBytes).not.toBe(stdoutBytes)
    }
  })

  test('no server is known at all: the line says so in a few words', async () => {
    expect((await record([], ['true'], here)).err).toBe(
      'inquest: recorded, but not sent (No server is configured); it is in the spool\n',
    )
  })

  test('a server that the environment names gets a spool of its own', async () => {
    await record([], ['true'], { INQUEST_TOKEN: 'wrong' })
    expect([recordsIn(at.spool()).length, waiting().length]).toEqual([1, 0])
  })

  test('one that goes in the middle leaves all of it to wait, and what came twice counts once', async () => {
    known()
    let parts = 0
    at.server.intercept = (request, response) => {
      if (request.method !== 'POST' || (parts += 1) < 3) return false
      response.destroy()
      return true
    }
    const run = await record([], agent('flood', '5'), here)
    expect([run.status, run.err]).toEqual([0, expect.stringContaining('it is in the spool')])
    at.server.intercept = () => false
    await record([], ['true'], here)
    expect(waiting()).toEqual([])
    expect([...at.server.streams.values()].some(({ bytes }) => bytes.equals(run.out))).toBe(true)
  })

  test('Ctrl-C while it is being sent leaves it to wait, with the status of the run', async () => {
    at.server.intercept = ({ method }) => method === 'POST'
    const running = start([], agent('crash'))
    await until(() => at.server.requests.some(({ method }) => method === 'POST'), 20_000, 'it is being sent')
    running.child.kill('SIGINT')
    const run = await running.done
    expect([run.status, run.err]).toEqual([
      1,
      expect.stringContaining('recorded, but not sent (it was interrupted)'),
    ])
    expect(recordsIn(at.spool()).length).toBe(1)
  })
})

describe('what waits is sent', () => {
  const leaveOne = async (all = 1): Promise<void> => {
    await record([], agent('result'), here)
    expect(waiting().length).toBe(all)
    known()
  }

  test('by the next record', async () => {
    await leaveOne()
    await record([], ['true'], here)
    expect(waiting()).toEqual([])
    expect(document().filter(({ type }) => type === 'record.start').length).toBe(2)
    expect(linesOf(sentOutput()).at(-1)).toMatchObject({ type: 'result' })
  })

  test('and doctor tells of what waits for a server that is not the current one', async () => {
    known()
    await record([], agent('result'), { INQUEST_URL: 'http://127.0.0.1:9', INQUEST_TOKEN: 'none' })
    const doctor = async (env: Record<string, string>): Promise<string> =>
      (await runCli(['doctor'], { ...serverEnv(at.server.url, at.folder.path), ...env })).out
    expect(await doctor(here)).toContain(
      'spool of 127.0.0.1:9: 1 record waiting for that server, which is not the current one',
    )
    const there = await doctor({ INQUEST_URL: 'http://127.0.0.1:9', INQUEST_TOKEN: 'none' })
    expect(there).not.toContain('not the current one')
    expect(there).toContain('1 record waits in ')
  })

  test('by doctor, which tells how many', async () => {
    await leaveOne()
    const doctor = await runCli(['doctor', '--json'], {
      ...serverEnv(at.server.url, at.folder.path),
      ...here,
    })
    expect(
      JSON.parse(doctor.out).findings.find((one: { about: string }) => one.about === 'records').says,
    ).toBe('1 record sent just now; none waits')
    expect(waiting()).toEqual([])
  })

  test('with hook frames that wait, and one that cannot be read keeps no other back', async () => {
    at.folder.put('state/spool/1000000000000-1-a.frame', '{"session_id":"s","hook_event_name":"Stop"}')
    const odd = (name: string, content: string): void => {
      const path = at.folder.put(`state/spool/records/${name}`, content)
      for (const old of [path, dirname(path), dirname(dirname(path))]) utimesSync(old, 1, 1)
    }
    odd('1000000000000-00000000-0000-4000-8000-000000000000/stdout', 'printed, and nobody knows by what')
    odd('1000000000000-00000000-0000-4000-8000-000000000001/stdout/no-file', '')
    odd('1000000000000-00000000-0000-4000-8000-000000000001/start.json', '{"start":{"contract":{}}}')
    await leaveOne(3)
    await record([], ['true'], here)
    expect([at.server.frames.size, waiting().length, readdirSync(join(spool(), 'refused')).length]).toEqual([
      1, 1, 1,
    ])
    expect(document().filter(({ type }) => type === 'record.start').length).toBe(2)
  })

  test('by an import', async () => {
    await leaveOne()
    const run = await runCli(
      ['import', at.folder.put('in/a.jsonl', '{"type":"result","subtype":"success","session_id":"s"}\n')],
      { ...serverEnv(at.server.url, at.folder.path), ...here },
    )
    expect(run.out).toContain('Sent 1 record from the spool.')
    expect(waiting()).toEqual([])
  })

  test('by the server of this machine, as soon as it is there', async () => {
    await leaveOne()
    const stop = followSpool({ url: at.server.url, token: testToken }, { INQUEST_STATE: state() }, () => {})
    await expect.poll(() => waiting(), { timeout: 10_000 }).toEqual([])
    await stop()
    expect(document().at(-1)).toMatchObject({ type: 'record.end', sessionId: SESSION })
  })

  test('a record that is still being made is left alone', async () => {
    known()
    const running = start([], agent('polite', '0'), here)
    await until(() => running.written().out.length > 0, 20_000, 'it is at work')
    await runCli(['doctor'], { ...serverEnv(at.server.url, at.folder.path), ...here })
    expect([waiting().length, bodies('record').length]).toEqual([1, 0])
    running.child.kill('SIGTERM')
    await running.done
    expect([waiting().length, document().filter(({ type }) => type === 'record.end').length]).toEqual([0, 1])
  })

  test('one that the server refuses for good is set aside, redacted, and doctor says so', async () => {
    at.server.intercept = (request, response) => {
      if (request.method !== 'POST') return false
      response.writeHead(422, { 'content-type': 'application/json' }).end('{"title":"No"}')
      return true
    }
    const run = await record([], ['sh', '-c', 'echo someone@example.org'])
    expect(run.err).toBe('inquest: the server rejected the record (No); it was set aside\n')
    const refused = join(at.spool(), 'refused')
    const [name] = readdirSync(refused)
    expect(recordsIn(at.spool())).toEqual([])
    expect(readFileSync(join(refused, name!, 'record.ndjson'), 'utf8')).not.toContain('someone@')
    const doctor = await runCli(['doctor'], serverEnv(at.server.url, at.folder.path))
    expect(doctor.out).toContain(`refused records: 1 record rejected by the server, in ${refused}`)
  })
})

describe('a recorder that is killed', () => {
  test('loses nothing that was printed; the next one sends it, without an end', async () => {
    known()
    const running = start(['--marker', 'DONE'], agent('hang'), here)
    await until(() => running.written().out.length > 0, 20_000, 'it has printed')
    running.child.kill('SIGKILL')
    const { out } = await running.done
    await record([], ['true'], here)
    expect(waiting()).toEqual([])
    expect(sentOutput()).toBe(out.toString())
    const lines = document()
    const mine = lines.slice(lines.findIndex((line) => line.executionKey === SESSION))
    expect(mine).toMatchObject([
      { type: 'record.start', executionKey: SESSION, contract: { marker: 'DONE' } },
    ])
  })

  test('leaves nothing unredacted once somebody looked, though no server was there', async () => {
    await at.server.stop()
    known()
    const running = start([], ['sh', '-c', 'echo someone@example.org; echo ready; sleep 60'], here)
    await until(() => running.written().out.includes('ready'), 20_000, 'it has printed')
    running.child.kill('SIGKILL')
    await running.done
    const stop = followSpool({ url: at.server.url, token: testToken }, { INQUEST_STATE: state() }, () => {})
    const kept = (): string =>
      waiting()
        .flatMap((folder) => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')))
        .join('')
    await expect.poll(kept, { timeout: 10_000 }).toContain('[redacted:mail]')
    await stop()
    expect(kept()).not.toContain('someone@')
    await at.server.restart()
  })
})

describe('a disk that does not take it', () => {
  test('a spool that cannot be made: the record lies among temporary files until it is sent', async () => {
    const before = temporary()
    const run = await record([], agent('result'), { INQUEST_STATE: at.folder.put('a-file', '') })
    expect([run.status, run.err, linesOf(sentOutput()).length, temporary()]).toEqual([
      0,
      expect.stringMatching(/^inquest: recorded: /),
      3,
      before,
    ])
  })

  test('and stays there when there is no server, which is told', async () => {
    const run = await record([], agent('result'), {
      ...here,
      INQUEST_STATE: at.folder.put('a-file', ''),
      TMPDIR: at.folder.path,
    })
    const [, folder] = /it is in (\S+)\n/.exec(run.err)!
    expect(documentIn(folder!).length).toBe(2)
  })

  test('nowhere at all: output and status are the command’s, and what was to be judged did not pass', async () => {
    const nowhere = { INQUEST_STATE: at.folder.put('a-file', ''), TMPDIR: '/dev/null' }
    const run = await record([], agent('result'), nowhere)
    expect([run.status, linesOf(run.out).length, run.err]).toEqual([
      0,
      3,
      expect.stringMatching(/^inquest: the run could not be recorded \(.*\)\n$/),
    ])
    expect((await record(['--fail-on', 'agent-signal'], agent('result'), nowhere)).status).toBe(70)
    expect((await record(['--fail-on', 'agent-signal'], agent('crash'), nowhere)).status).toBe(1)
  })
})

const temporary = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('inquest-record-'))
