import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useRecords } from '../testing/record-fixture'
import { agent, documentIn, linesOf, recordsIn } from '../testing/record-run'
import { until } from '../testing/run-cli'
import { FORWARDED } from './run-child'

const at = useRecords()
const { start, record, bodies, document } = at
const end = () => document().at(-1)!
const outputs = (channel: string) =>
  document().filter((line) => line.type === 'record.output' && line.channel === channel)

/** Peak of the resident memory as Linux counts it; null where it does not. */
function peakMbOf(pid: number): number | null {
  try {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return line ? Number(line[1]) / 1024 : null
  } catch {
    return null
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('an agent that hangs', () => {
  test('is stopped when its time is up, and its output until then is there', async () => {
    const run = await record(['--timeout', '1'], agent('hang'))
    expect([run.status, linesOf(run.out)[0]?.type, run.err]).toEqual([
      143,
      'system',
      expect.stringMatching(/^inquest: stopped after 1 s; recorded: http/),
    ])
    expect(end()).toMatchObject({
      termination: 'timed_out',
      killReason: 'infra_kill',
      signal: 'SIGTERM',
      exitCode: null,
    })
    expect(document()[0]).toMatchObject({ type: 'record.start', timeoutS: 1 })
  })

  test('with closed pipes is waited for, and ends with its own status', async () => {
    const running = start([], agent('silent', '300'))
    await new Promise((resolve) => running.child.stdout.once('end', resolve))
    expect(running.child.exitCode).toBeNull()
    expect(await running.done).toMatchObject({ status: 4 })
  })

  test('and ignores SIGTERM is killed with all that it started', async () => {
    const run = await record(['--timeout', '1.5', '--kill-after', '0.3'], agent('stubborn'))
    expect(run.status).toBe(137)
    const child = Number(linesOf(run.out)[0]!.child)
    await until(() => !isRunning(child), 10_000, 'the process that it started has ended')
    expect(end()).toMatchObject({ termination: 'timed_out', signal: 'SIGKILL' })
  })

  test('and takes SIGTERM for a good end leaves status 0, unless a time-out is a failure', async () => {
    const polite = agent('polite', '0')
    expect((await record(['--timeout', '1'], polite)).status).toBe(0)
    expect((await record(['--timeout', '1', '--fail-on', 'timeout'], polite)).status).toBe(70)
    expect(end().verdict).toMatchObject({ failed: true, kind: 'timeout', failedOn: 'timeout' })
  })
})

describe('an agent that dies', () => {
  test('by itself: status and standard error are kept', async () => {
    const run = await record([], agent('crash'))
    expect([run.status, run.err]).toEqual([
      1,
      expect.stringMatching(/^TypeError: .*\ninquest: recorded: http/),
    ])
    expect(outputs('stderr').map(({ text }) => text)).toEqual([
      'TypeError: the fake agent met what it did not expect\n',
    ])
    expect(end()).toMatchObject({ exitCode: 1, signal: null, verdict: { kind: 'exit_code' } })
  })

  test('by a signal: the status is 128 and its number, and our line begins a line', async () => {
    const run = await record([], agent('killed'))
    expect([run.status, run.err]).toEqual([
      137,
      expect.stringMatching(/^no line end\ninquest: recorded: http/),
    ])
    expect(end()).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      termination: 'natural_exit',
      killReason: 'natural_exit',
    })
  })

  test.each([
    ['nowhere-to-be-found', 127, 'ENOENT'],
    ['/', 126, 'EACCES'],
  ])('before it began: %s', async (command, status, code) => {
    const run = await record([], [command])
    expect([run.status, run.out.length, run.err]).toEqual([
      status,
      0,
      expect.stringContaining(`${command} could not be started (${code}); recorded: http`),
    ])
    expect(end()).toMatchObject({ exitCode: status, killReason: 'not_applicable', stdoutBytes: 0 })
  })
})

describe('a signal to the recorder', () => {
  test.each(FORWARDED)('%s reaches the agent, and its status is the agent’s', async (signal) => {
    const running = start([], agent('polite', '9'))
    await until(() => running.written().out.toString() === 'ready\n', 20_000, 'the agent is ready')
    running.child.kill(signal)
    const run = await running.done
    expect([run.status, run.out.toString()]).toEqual([9, `ready\n${signal}\n`])
    expect(end()).toMatchObject({ exitCode: 9, termination: 'natural_exit' })
  })

  test('that the agent does not catch ends it, and shows in the status', async () => {
    const running = start([], agent('hang'))
    await until(() => running.written().out.length > 0, 20_000, 'the agent is at work')
    running.child.kill('SIGINT')
    expect((await running.done).status).toBe(128 + constants.signals.SIGINT)
    expect(end()).toMatchObject({ signal: 'SIGINT' })
  })
})

describe('output', () => {
  test('cut inside of characters, and bytes that are not text, pass as they are and are kept as they are', async () => {
    const run = await record([], agent('torn'))
    expect(
      run.out.equals(Buffer.concat([Buffer.from('grüße 🙂\n'), Buffer.from('grü').subarray(0, 3)])),
    ).toBe(true)
    const bytesOf = (channel: string): Buffer =>
      Buffer.concat(
        outputs(channel).map(({ text, base64 }) =>
          text === undefined ? Buffer.from(String(base64), 'base64') : Buffer.from(String(text)),
        ),
      )
    expect(bytesOf('stdout').equals(run.out)).toBe(true)
    expect(bytesOf('stderr').equals(Buffer.from([0x66, 0xff, 0xfe, 0x0a]))).toBe(true)
  })

  test('of 200 MB passes whole, and does not have to fit into memory', { timeout: 300_000 }, async () => {
    await at.server.stop()
    const running = start(['--fail-on', 'agent-signal'], agent('flood', '200'))
    running.child.stdout.removeAllListeners('data')
    const hash = createHash('sha256')
    let bytes = 0
    running.child.stdout.on('data', (chunk: Buffer) => {
      hash.update(chunk)
      bytes += chunk.length
    })
    let peakMb = 0
    const timer = setInterval(() => (peakMb = Math.max(peakMb, peakMbOf(running.child.pid!) ?? 0)), 100)
    const run = await running.done
    clearInterval(timer)
    expect([run.status, run.err, bytes > 200_000_000]).toEqual([
      0,
      expect.stringMatching(/it is in the spool/),
      true,
    ])
    const [folder] = recordsIn(at.spool())
    const sha256 = hash.digest('hex')
    expect(documentIn(folder!).at(-1)).toMatchObject({
      stdoutBytes: bytes,
      stdoutSha256: sha256,
      channelConfirmation: 'channel_a',
    })
    expect(
      createHash('sha256')
        .update(readFileSync(join(folder!, 'stdout')))
        .digest('hex'),
    ).toBe(sha256)
    expect(peakMb).toBeLessThan(300)
    await at.server.restart()
  })

  test('is sent in parts', async () => {
    const run = await record([], agent('flood', '5'))
    expect(bodies('claude-stream').length).toBeGreaterThan(3)
    expect(Buffer.concat(bodies('claude-stream')).equals(run.out)).toBe(true)
  })

  test('that is read slowly slows the agent: no more is taken than fits in between', async () => {
    const running = start([], agent('flood', '20'))
    await new Promise((resolve) => running.child.stdout.once('data', resolve))
    running.child.stdout.pause()
    const kept = (): number => statSync(join(recordsIn(at.spool())[0]!, 'stdout')).size
    let before = -1
    // Until nothing more comes.
    await until(() => before === (before = kept()), 20_000, 'the agent waits', 500)
    expect(before).toBeLessThan(2_000_000)
    running.child.stdout.resume()
    expect((await running.done).status).toBe(0)
  })

  test('that nobody reads any more is told, kept, and does not end the agent', async () => {
    const running = start([], agent('flood', '3'))
    await new Promise((resolve) => running.child.stdout.once('data', resolve))
    running.child.stdout.destroy()
    const run = await running.done
    expect([run.status, run.err]).toEqual([
      0,
      expect.stringMatching(/^inquest: stdout was closed \(EPIPE\)\. .*\ninquest: recorded: http/),
    ])
    expect(Number(end().stdoutBytes)).toBeGreaterThan(3_000_000)
  })

  test('that a process holds open which the agent left behind is not waited for without end', {
    timeout: 60_000,
  }, async () => {
    const run = await record([], agent('leaves'))
    expect([run.status, run.err]).toEqual([
      0,
      expect.stringContaining(
        'a background process kept stdout and stderr open and was not awaited; recorded',
      ),
    ])
    process.kill(Number(run.out.toString()), 'SIGKILL')
  })
})
