import { withoutParts } from './ci-step-line'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesAt, foldAll, foldText, lineOf } from '../claude/testing/fold'
import { detectFormat } from '../detect'
import type { NormalRecord } from '../../model/normal-form'
import { recordDocument } from './adapter'

const start = (more: object = {}) => ({
  type: 'record.start',
  version: 1,
  recordId: 'r-1',
  executionKey: 'session-1',
  command: ['claude', '-p', 'Fix it'],
  cwd: '/srv/shop',
  startedAt: '2026-11-02T08:00:00.000Z',
  labels: {},
  ci: null,
  contract: { marker: '%%DONE%%', expect: ['plan_path\\s*=\\s*/.+'] },
  chain: { key: 'order-7', attempt: 2 },
  ...more,
})
const output = (channel: string, more: object) => ({
  type: 'record.output',
  channel,
  at: '2026-11-02T08:00:01.000Z',
  ...more,
})
const end = (more: object = {}) => ({
  type: 'record.end',
  endedAt: '2026-11-02T08:00:09.000Z',
  exitCode: 0,
  signal: null,
  termination: 'natural_exit',
  channelConfirmation: 'channel_a',
  killReason: 'natural_exit',
  stdoutBytes: 120,
  stdoutSha256: 'ab'.repeat(32),
  stderrBytes: 5,
  stdoutKind: 'claude-stream',
  sessionId: 'session-1',
  verdict: {
    failed: true,
    kind: 'agent_signal',
    reason: 'the tests fail',
    text: 'The agent declared the run failed: the tests fail',
    failedOn: 'agent-signal',
  },
  ...more,
})
const fold = (...values: unknown[]): NormalRecord[] => foldAll(recordDocument, values)

describe('a whole record', () => {
  const records = fold(
    start(),
    output('stderr', { text: 'warning: x\n' }),
    output('stdout', { text: 'said\n' }),
    end(),
  )

  test('is one execution, and every line of it says when', () => {
    expect(records.map((r) => [r.executionKey, r.kind, r.type, r.at])).toEqual([
      ['session-1', 'run_start', 'record.start', '2026-11-02T08:00:00.000Z'],
      ['session-1', 'progress', 'record.output', '2026-11-02T08:00:01.000Z'],
      ['session-1', 'progress', 'record.output', '2026-11-02T08:00:01.000Z'],
      ['session-1', 'run_result', 'record.end', '2026-11-02T08:00:09.000Z'],
    ])
    expect(records.some((r) => r.oddReason)).toBe(false)
  })

  test('tells the run twice: what began, and then all of it', () => {
    const begun = {
      recordId: 'r-1',
      command: ['claude', '-p', 'Fix it'],
      cwd: '/srv/shop',
      startedAt: '2026-11-02T08:00:00.000Z',
      marker: '%%DONE%%',
      patterns: ['plan_path\\s*=\\s*/.+'],
      chain: { key: 'order-7', attempt: 2 },
      ci: null,
    }
    expect(records[0]!.facts).toMatchObject({
      cwd: '/srv/shop',
      run: { ...begun, endedAt: null, exitCode: null, termination: null, verdict: null, stderrTail: '' },
    })
    expect(records[3]!.facts.run).toMatchObject({
      ...begun,
      endedAt: '2026-11-02T08:00:09.000Z',
      exitCode: 0,
      signal: null,
      termination: 'natural_exit',
      channelConfirmation: 'channel_a',
      killReason: 'natural_exit',
      stdout: { bytes: 120, sha256: 'ab'.repeat(32), kind: 'claude-stream', sentBytes: null },
      stderrTail: 'warning: x\n',
      verdict: { failed: true, kind: 'agent_signal', reason: 'the tests fail', failedOn: 'agent-signal' },
    })
  })

  test('says how long the output was that was sent, when something was taken out of it before', () => {
    expect(fold(start(), end({ stdoutSentBytes: 99 })).at(-1)!.facts.run!.stdout).toMatchObject({
      bytes: 120,
      sentBytes: 99,
    })
  })

  test('reads in a list as what happened', () => {
    expect(records.map((r) => r.summary)).toEqual([
      'Recorded: claude -p Fix it',
      'stderr: warning: x',
      'stdout: said',
      {
        id: 'command_ended',
        params: {
          exitCode: 0,
          signal: null,
          limit: null,
          verdict: 'The agent declared the run failed: the tests fail',
        },
      },
    ])
    expect(
      fold(start(), end({ exitCode: null, signal: 'SIGKILL', termination: 'timed_out', verdict: null })).at(
        -1,
      )!.summary,
    ).toMatchObject({ params: { exitCode: null, signal: 'SIGKILL', limit: { seconds: null } } })
  })

  test('holds the limit of time that was set, and none where the recorder did not tell', () => {
    const [begun, ended] = fold(
      start({ timeoutS: 10 }),
      end({ exitCode: null, signal: 'SIGTERM', termination: 'timed_out', verdict: null }),
    )
    expect([begun!.facts.run!.timeoutS, ended!.facts.run!.timeoutS, ended!.summary]).toEqual([
      10,
      10,
      {
        id: 'command_ended',
        params: { exitCode: null, signal: 'SIGTERM', limit: { seconds: 10 }, verdict: null },
      },
    ])
    expect(fold(start(), end()).map(({ facts }) => facts.run!.timeoutS)).toEqual([null, null])
    expect(fold(start({ timeoutS: '10' }), end()).at(-1)!.facts.run!.timeoutS).toBeNull()
  })

  test('holds the tag of the failure signal that its recorder looked for, where the record names one', () => {
    const contract = { marker: '', expect: [], failureTag: 'x-failed' }
    expect(fold(start({ contract }), end()).map(({ facts }) => facts.run!.failureTag)).toEqual([
      'x-failed',
      'x-failed',
    ])
    expect(fold(start(), end())[0]!.facts.run).not.toHaveProperty('failureTag')
    expect(fold(start({ contract: { ...contract, failureTag: 7 } }))[0]!.facts.run).not.toHaveProperty(
      'failureTag',
    )
  })

  test('points at the line it was read from', () => {
    const line = lineOf(start())
    expect(
      JSON.parse(bytesAt(line, recordDocument.read(line, recordDocument.start({})).facts.run!.span)),
    ).toEqual(start())
  })
})

describe('what belongs where', () => {
  test('a record without a session has an execution of its own', () => {
    expect(
      fold(start({ executionKey: 'record-r-1' }), output('stdout', { text: 'x' })).map((r) => r.executionKey),
    ).toEqual(['record-r-1', 'record-r-1'])
    expect(fold(start({ executionKey: null }))[0]!.executionKey).toBe('record-r-1')
  })

  test('repository and branch come from CI, and labels count above it', () => {
    const ci = {
      provider: 'github',
      path: 'a/b',
      run: '1',
      attempt: 2,
      job: 'j',
      branch: 'main',
      commit: '1bf6fcf1d',
      url: '',
      repository: 'a/b',
    }
    const [content] = fold(start({ ci }))
    expect(content!.facts).toMatchObject({
      repository: 'a/b',
      branch: 'main',
      run: { ci: { ...ci, url: null } },
    })
    expect(fold(start({ ci, labels: { branch: 'topic' } }))[0]!.facts).toMatchObject({
      repository: 'a/b',
      branch: 'topic',
    })
  })

  test('the first line names the stream, also to those who only peek', () => {
    expect(recordDocument.peek(start())).toEqual({ sessionId: 'session-1', agentId: null })
    expect(recordDocument.peek(end())).toEqual({ sessionId: null, agentId: null })
    expect(
      detectFormat({
        head: new TextEncoder().encode(`${JSON.stringify(start())}\n${JSON.stringify(end())}\n`),
      }),
    ).toEqual({ status: 'supported', kind: 'record' })
  })
})

describe('standard error', () => {
  const tailOf = (...values: unknown[]): string =>
    fold(start(), ...values, end()).at(-1)!.facts.run!.stderrTail

  test('the last 2,000 characters are kept, over any number of pieces, and standard output is none of it', () => {
    expect(
      tailOf(
        output('stderr', { text: 'a'.repeat(1_500) }),
        output('stdout', { text: 'no' }),
        output('stderr', { text: 'b'.repeat(1_500) }),
      ),
    ).toBe('a'.repeat(500) + 'b'.repeat(1_500))
  })

  test('bytes that are not text are counted in it', () =>
    expect(tailOf(output('stderr', { base64: '//79AA==' }))).toBe('[4 bytes that are not text]\n'))
})

describe('odd documents', () => {
  test('an end without a start is odd, and keeps what it says', () => {
    const [record] = fold(end())
    expect(record).toMatchObject({
      oddReason: 'no_session',
      facts: { run: { recordId: '', exitCode: 0, termination: 'natural_exit' } },
    })
    expect(record!.executionKey).toMatch(/^no-session-[0-9a-f]{16}$/)
  })

  test('wrong types read as missing and are named', () => {
    const [record] = fold(
      start({ command: 'claude', contract: [], chain: { key: 7 }, ci: { attempt: 'two' } }),
    )
    expect(record).toMatchObject({
      oddReason: 'wrong_type',
      facts: {
        run: { command: [], marker: '', patterns: [], chain: null, ci: { provider: null, attempt: null } },
      },
    })
    expect(record!.oddDetail).toEqual({
      id: 'wrong_fields',
      params: { fields: expect.arrayContaining([{ path: '/command', problem: 'not_list' }]) },
    })
  })

  test('a word that a newer recorder says is kept as it came', () => {
    expect(
      fold(start(), end({ termination: 'idle_stall', killReason: 'infra_kill' })).at(-1)!.facts.run,
    ).toMatchObject({ termination: 'idle_stall', killReason: 'infra_kill' })
    expect(fold(start(), { type: 'record.note', at: '2026-11-02T08:00:02Z' }).at(-1)).toMatchObject({
      kind: 'meta',
      oddReason: 'unknown_type',
      at: '2026-11-02T08:00:02.000Z',
    })
  })

  test('any JSON at all is read without an exception', () => {
    const key = fc.constantFrom(
      'type',
      'recordId',
      'executionKey',
      'command',
      'contract',
      'chain',
      'ci',
      'labels',
      'channel',
      'text',
      'base64',
      'verdict',
      'at',
      'exitCode',
    )
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('record.start', 'record.output', 'record.end', 'stderr', '', '\ud800'),
    )
    fc.assert(
      fc.property(fc.array(fc.dictionary(key, value), { maxLength: 5 }), (lines) => {
        expect(foldText(recordDocument, lines.map((one) => JSON.stringify(one)).join('\n'))).toHaveLength(
          lines.length,
        )
      }),
      { numRuns: 500 },
    )
  })
})

describe('the CI run of an execution whose records came as a file', () => {
  const ci = {
    provider: 'github',
    path: 'acme/shop',
    run: '77',
    attempt: 2,
    job: 'agent',
    repository: 'acme/shop',
  }
  const step = (more: object = {}) => ({
    type: 'record.ci',
    version: 1,
    executionKey: 'session-1',
    ci,
    ...more,
  })

  test('is told for the execution that the line names, and says nothing of a process', () => {
    const [record] = fold(step({ conclusion: 'failure' }))
    expect([record!.executionKey, record!.kind, record!.oddReason ?? null]).toEqual([
      'session-1',
      'meta',
      null,
    ])
    expect(record!.facts).toMatchObject({
      ciStep: { ci: { ...ci, branch: null, commit: null, url: null }, conclusion: 'failure' },
      repository: 'acme/shop',
    })
    expect(record!.facts.run).toBeUndefined()
  })

  test('has no conclusion where the job did not say one, and is nothing without a run', () => {
    expect(fold(step())[0]!.facts.ciStep!.conclusion).toBeNull()
    expect(fold(step({ ci: null }))[0]!.facts).toEqual({})
  })

  test('names its session before it is parsed, so that it meets the source of that session', () => {
    expect(recordDocument.peek(step(), '')).toEqual({ sessionId: 'session-1', agentId: null })
  })
})

test('what a sub-agent did is part of its parent, at any depth', () => {
  const parts = Array.from({ length: 20_000 }, (_, n) => `a/agent-${n}/task`)
  expect(withoutParts(['a', ...parts, 'ab', 'b/c'])).toEqual(['a', 'ab', 'b/c'])
})
