import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useRecords } from '../testing/record-fixture'
import { agent, linesOf, recordsIn } from '../testing/record-run'
import { until } from '../testing/run-cli'

const SESSION = '0b0b0b0b-0000-4000-8000-00000000000a'
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const at = useRecords()
const { start, record, bodies, document } = at

describe('a run of an agent', () => {
  test('its output passes untouched, and output and record reach the server as one execution', async () => {
    const run = await record(
      ['--marker', 'DONE', '--expect', 'do.*'],
      agent('result', '{"result":"all\\nDONE"}'),
    )
    expect([run.status, run.err]).toEqual([0, expect.stringMatching(/^inquest: recorded: http:\S+\n$/)])
    expect(linesOf(run.out).map(({ type }) => type)).toEqual(['system', 'assistant', 'result'])
    expect(Buffer.concat(bodies('claude-stream')).equals(run.out)).toBe(true)
    expect(document()[0]).toMatchObject({
      type: 'record.start',
      version: 1,
      executionKey: SESSION,
      cwd: expect.stringMatching(/work$/),
      contract: { marker: 'DONE', expect: ['do.*'] },
      chain: null,
      ci: null,
      labels: {},
      timeoutS: null,
    })
    expect(document().at(-1)).toEqual({
      type: 'record.end',
      endedAt: expect.any(String),
      exitCode: 0,
      signal: null,
      termination: 'natural_exit',
      channelConfirmation: 'channel_a',
      killReason: 'natural_exit',
      stdoutBytes: run.out.length,
      stdoutSha256: sha256(run.out),
      stderrBytes: 0,
      stdoutKind: 'claude-stream',
      sessionId: SESSION,
      verdict: { failed: false, kind: 'none', reason: null, text: null, failedOn: null },
    })
    expect(recordsIn(at.spool())).toEqual([])
    expect(readdirSync(join(at.folder.path, 'work'))).toEqual([])
  })

  test('with --json the last line of standard error is a document', async () => {
    const run = await record(['--json'], agent('result'))
    expect(JSON.parse(run.err)).toMatchObject({
      executionKey: SESSION,
      record: 'sent',
      status: 0,
      exitCode: 0,
      verdict: { failed: false },
    })
  })

  test('what sending waits for is told on standard error once it takes long', async () => {
    let held = true
    const running = start([], agent('result'))
    at.server.intercept = ({ path }, response) => {
      if (!held || !path.includes('/ingest/claude-stream')) return false
      void until(() => running.written().err !== '', 20_000, 'a word on standard error').then(() => {
        held = false
        response.writeHead(503).end()
      })
      return true
    }
    const run = await running.done
    expect([run.status, run.err]).toEqual([
      0,
      expect.stringMatching(
        /^inquest: sending [\d.]+ k?B … 0 %\n(?:inquest: .*\n)*inquest: recorded: http:\S+\n$/,
      ),
    ])
    expect(linesOf(run.out).map(({ type }) => type)).toEqual(['system', 'assistant', 'result'])
  })

  test('standard input is handed to it', async () => {
    const running = start([], agent('echo'))
    running.child.stdin.end('one\ntwo')
    expect((await running.done).out.toString()).toBe('one\ntwo')
  })

  test('what it prints is there at once', async () => {
    const running = start([], agent('steps'))
    for (const wanted of ['step\n', 'step\nstep\n']) {
      running.child.stdin.write('go')
      await until(() => running.written().out.toString() === wanted, 20_000, 'the step')
    }
    running.child.stdin.end()
    expect((await running.done).status).toBe(0)
  })

  test('a marker that is not alone on a line confirms no channel', async () => {
    await record(['--marker', 'DONE'], agent('result', '{"result":"it is DONE"}'))
    expect(document().at(-1)).toMatchObject({ channelConfirmation: 'unmonitored' })
  })

  test('a command that is no agent is recorded with all it printed, as an execution of its own', async () => {
    const run = await record([], ['sh', '-c', 'echo out; sleep 0.01; echo err >&2; exit 3'])
    expect([run.status, run.out.toString(), run.err]).toEqual([
      3,
      'out\n',
      expect.stringMatching(/^err\ninquest: recorded: http/),
    ])
    const [first, ...rest] = document()
    expect(first).toMatchObject({ executionKey: `record-${String(first!.recordId)}` })
    expect(rest).toMatchObject([
      { type: 'record.output', channel: 'stdout', text: 'out\n' },
      { type: 'record.output', channel: 'stderr', text: 'err\n' },
      {
        type: 'record.end',
        exitCode: 3,
        stdoutKind: null,
        stdoutBytes: 4,
        stderrBytes: 4,
        verdict: { kind: 'exit_code' },
      },
    ])
    expect(bodies('claude-stream')).toEqual([])
  })
})

describe('what the environment says', () => {
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_RUN_ID: '7',
    GITHUB_RUN_ATTEMPT: '2',
    GITHUB_JOB: 'agent',
    GITHUB_REF_TYPE: 'branch',
    GITHUB_REF_NAME: 'main',
  }

  test('a run of CI is named, and its attempts are counted by what it says of the run', async () => {
    await record([], agent('result'), github)
    expect(document()[0]).toMatchObject({
      labels: { repository: 'acme/shop', branch: 'main' },
      chain: null,
      ci: {
        provider: 'github',
        path: 'acme/shop',
        run: '7',
        attempt: 2,
        job: 'agent',
        branch: 'main',
        commit: null,
        url: null,
      },
    })
  })

  test.each<[string, string[], Record<string, string>, object | null]>([
    [
      'the command line names the chain',
      ['--chain', 'order-7', '--attempt=3'],
      github,
      { key: 'order-7', attempt: 3 },
    ],
    [
      'the environment names it',
      [],
      { ...github, INQUEST_CHAIN: 'order-8', INQUEST_ATTEMPT: '4' },
      { key: 'order-8', attempt: 4 },
    ],
    ['a chain whose attempts the CI counts', ['--chain', 'order-7'], github, { key: 'order-7', attempt: 2 }],
    [
      'a number of the job of the CI run',
      ['--attempt', '5'],
      github,
      { key: 'ci/github/acme%2Fshop/7/agent', attempt: 5 },
    ],
    ['a chain without a number', ['--chain', 'order-7'], {}, { key: 'order-7', attempt: null }],
    ['a number without a chain', ['--attempt', '2'], {}, null],
    [
      'an attempt that is none',
      [],
      { INQUEST_CHAIN: 'x', INQUEST_ATTEMPT: 'two' },
      { key: 'x', attempt: null },
    ],
    ['an empty chain', [], { INQUEST_CHAIN: '' }, null],
  ])('%s', async (_, options, env, chain) => {
    await record(options, ['true'], env)
    expect(document()[0]!.chain).toEqual(chain)
  })

  test('source and project go with it', async () => {
    await record(['--source', 'runner 7', '--project', 'shop'], agent('result'))
    expect(
      at.server.requests
        .filter(({ method }) => method === 'POST')
        .map(({ path, headers }) => [path.split('?')[1], headers['inquest-source']]),
    ).toEqual([
      ['project=shop', 'runner%207'],
      ['project=shop', 'runner%207'],
    ])
  })
})

describe('a command line that cannot be read ends with status 2, and nothing is started', () => {
  test.each([
    [['--fail-on', 'agent-signal,luck', '--', 'sh', '-c', 'echo started']],
    [['--fail-on', '', '--', 'sh', '-c', 'echo started']],
    [['--timeout', '0', '--', 'sh', '-c', 'echo started']],
    [['--timeout', 'soon', '--', 'sh', '-c', 'echo started']],
    [['--attempt', '0', '--', 'sh', '-c', 'echo started']],
    [['--nonsense', '--', 'sh', '-c', 'echo started']],
    [['sh', '-c', 'echo started']],
    [['--marker', '--']],
    [['--']],
  ])('%j', async (words) => {
    const run = await at.run(words)
    expect([run.status, run.out.toString(), run.err]).toEqual([
      2,
      '',
      expect.stringMatching(/^inquest record: .+\n/),
    ])
    expect(at.server.requests).toEqual([])
  })
})
