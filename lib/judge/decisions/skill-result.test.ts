import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../limits'
import type { HistoryRecord } from './budget'
import { decide } from './decide'
import { gatherWhatIf } from './gather-what-if'
import { createStdoutParser } from './parse-stdout'
import { CURRENT_POLICY, POLICIES } from './policies'
import { judgeParsed, type SkillResult } from './skill-result'
import { arbitraryEvidence, EMPTY_RUN, MARKER, messageLine, resultLine } from './testing/arbitrary-evidence'
import { applyChanges, changesOf } from './what-if'
import { judgeAttempt, parseStdout } from './testing/whole-output'
import type { RunEvidence } from './testing/whole-output'

const judge = (evidence: Partial<RunEvidence>) => judgeAttempt({ ...EMPTY_RUN, ...evidence }, CURRENT_POLICY)
const ran = (evidence: Partial<RunEvidence>) => {
  const run = judge(evidence)
  if (!('result' in run)) throw new Error('no result')
  return run
}
const toolLine = (name: string, input: object): string =>
  `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name, input }] } })}\n`

describe('the result that is handed on', () => {
  test.each<[string, Partial<RunEvidence>, Partial<SkillResult>]>([
    [
      'without its markers and the white space around it',
      { stdout: resultLine({ result: ` ${MARKER}a ${MARKER}\n` }), marker: MARKER },
      { result: 'a', success: true, resultKind: 'text' },
    ],
    [
      'cut before the markers go',
      { stdout: resultLine({ result: `${'a'.repeat(5_000)}${MARKER}` }), marker: MARKER },
      { result: `...[truncated 6 chars]...\n${'a'.repeat(4_994)}` },
    ],
    [
      'a notice in its place',
      { stdout: resultLine({ subtype: 'error_max_turns' }) },
      { result: null, resultKind: 'canned_turn_limit', needsRetry: true },
    ],
    [
      'the session of the output before that of the transport',
      { stdout: resultLine({ session_id: 's' }), transportSessionId: 't' },
      { sessionId: 's' },
    ],
    [
      'the session of the transport, never that of channel B',
      { stdout: resultLine({}), transportSessionId: 't', channelBSessionId: 'b' },
      { sessionId: 't' },
    ],
    [
      'out of time with nothing printed, that of channel B too',
      { termination: 'timed_out', exitCode: -9, channelBSessionId: 'b' },
      { sessionId: 'b', exitCode: -1, subtype: 'timeout', isError: true },
    ],
    [
      'out of time, only a success is doubted',
      { termination: 'timed_out', stdout: resultLine({ subtype: 'interrupted' }) },
      { cliSubtype: 'interrupted', isError: false },
    ],
    [
      'silent, but ended: the marker stays',
      {
        termination: 'stale',
        exitCode: -9,
        stdout: resultLine({ result: `a ${MARKER}` }),
        marker: MARKER,
        patterns: ['nowhere'],
        channelBSessionId: 'b',
      },
      {
        subtype: 'recovered_from_stale',
        result: `a ${MARKER}`,
        sessionId: 'b',
        exitCode: -9,
        isError: false,
        cliSubtype: '',
      },
    ],
    [
      'silent',
      { termination: 'stale', exitCode: -9, stdout: 'x', stderr: 'e', transportSessionId: 't' },
      {
        subtype: 'stale',
        isError: false,
        exitCode: -1,
        stderr: '',
        sessionId: 't',
        resultKind: 'canned_stale',
      },
    ],
    [
      'standing still',
      { termination: 'idle_stall', stdout: resultLine({}) },
      {
        subtype: 'idle_stall',
        isError: true,
        exitCode: -1,
        retryReason: 'stale',
        resultKind: 'canned_idle_stall',
        tokenUsage: null,
      },
    ],
    [
      'a path outside makes the kill a natural end',
      { stdout: messageLine('plan_path = /x') + resultLine({}), cwd: '/w', killReason: 'infra_kill' },
      { subtype: 'path_contamination', killReason: 'natural_exit' },
    ],
    [
      'calls that wrote, in the folder and outside',
      {
        stdout:
          toolLine('Write', { file_path: '/x' }) + toolLine('Edit', { file_path: '/w/x' }) + resultLine({}),
        cwd: '/w',
      },
      {
        writeCallCount: 2,
        writePathWarnings: ["Write tool targeted '/x' outside session cwd '/w'"],
        success: true,
      },
    ],
    [
      'a write that was expected, by the final text',
      {
        stdout: resultLine({ result: 'plan done' }),
        writeExpectation: { mode: 'conditional', expectedWhen: ['plan', 'done'] },
      },
      { subtype: 'zero_writes' },
    ],
    [
      'not by part of it',
      {
        stdout: resultLine({ result: 'plan' }),
        writeExpectation: { mode: 'conditional', expectedWhen: ['plan', 'done'] },
      },
      { subtype: 'success' },
    ],
    [
      'nor by no condition',
      { stdout: resultLine({}), writeExpectation: { mode: 'conditional', expectedWhen: [] } },
      { subtype: 'success' },
    ],
    ['the work tree', { stdout: messageLine('worktree_path = /w') + resultLine({}) }, { worktreePath: '/w' }],
  ])('%s', (_, evidence, expected) => expect(ran(evidence).result).toMatchObject(expected))
})

describe('what the history gets', () => {
  const failing = { command: '/go', stderr: 'e'.repeat(600), exitCode: 3, stdout: 'x' }

  test('nothing without one, nothing of a success, nothing of a command without a name', () => {
    expect(ran(failing).appended).toBeNull()
    expect(ran({ stdout: resultLine({}), command: '/go', history: [] }).appended).toEqual([])
    expect(ran({ ...failing, command: '', history: [] }).appended).toEqual([])
  })

  test('the failure, with the verdict in front of the gates', () => {
    const inARow = Array.from(
      { length: 3 },
      (): HistoryRecord => ({
        command: '/go',
        exitCode: 0,
        subtype: '',
        needsRetry: true,
        retryReason: 'resume',
        stderr: '',
      }),
    )
    const { appended, result } = ran({ ...failing, exitCode: 0, history: inARow })
    expect(result.retryReason).toBe('budget_exhausted')
    expect(appended).toEqual([
      {
        command: '/go',
        exitCode: 0,
        subtype: 'unparseable',
        needsRetry: true,
        retryReason: 'empty_output',
        stderr: 'e'.repeat(500),
      },
    ])
  })
})

test('where the source would raise, the run has crashed, and what could be read is there', () => {
  expect(judge({ stdout: messageLine('said') + resultLine({ is_error: true, errors: [1] }) })).toMatchObject({
    crashed: 'peer_parse_exception',
    why: expect.any(String),
    decided: { outcome: 'failed', retryReason: 'none', subtype: 'crashed' },
    session: { assistantMessages: ['said'] },
  })
})

test('output that is longer than we hold is not judged, unless nobody looks at it', () => {
  const parser = createStdoutParser()
  for (let i = 0; i <= limits.stdoutHeldMax / 2 ** 22; i++) parser.push('x'.repeat(2 ** 22))
  const parsed = parser.finish()
  expect(judgeParsed(EMPTY_RUN, parsed, CURRENT_POLICY)).toMatchObject({ unjudged: 'output_too_long' })
  expect(judgeParsed({ ...EMPTY_RUN, termination: 'idle_stall' }, parsed, CURRENT_POLICY)).toMatchObject({
    result: { subtype: 'idle_stall' },
  })
})

describe('it never throws', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(null, '', 0, 1e300, [], {}, [null], [[]], [{ text: null }], MARKER, 'prompt is too long'),
  )
  const record = (keys: string[]) =>
    fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: keys.length, noNullPrototype: true })
  const block = record(['type', 'text', 'name', 'id', 'input']).chain((one) =>
    fc.constantFrom<object>(
      one,
      { ...one, type: 'tool_use' },
      { ...one, type: 'text' },
      { ...one, type: 'tool_use', name: 'Write' },
    ),
  )
  const message = fc
    .tuple(record(['content', 'usage', 'model']), fc.array(block))
    .chain(([one, content]) => fc.constantFrom<object>(one, { ...one, content }))
  const oddRecord = fc.oneof(
    record(['subtype', 'is_error', 'result', 'errors', 'session_id', 'usage', 'type']).map((one) => ({
      ...one,
      type: 'result',
    })),
    message.map((one) => ({ type: 'assistant', message: one })),
    record(['output_tokens', 'content', 'message']).map((one) => ({ ...one, type: 'assistant' })),
  )
  const oddLine = fc.oneof(
    { weight: 4, arbitrary: oddRecord.map((one) => JSON.stringify(one)) },
    fc.string(),
    fc.constantFrom(
      '{"type":"result","result":NaN}',
      '{"type":"result","result":{"1":-Infinity}}',
      `{"type":"result","usage":{"input_tokens":${'9'.repeat(5_000)}}}`,
    ),
  )
  const oddStdout = fc.array(oddLine, { maxLength: 4 }).map((lines) => lines.join('\n'))
  const oddHistory = fc.oneof(
    fc.array(value),
    fc.array(record(['command', 'needsRetry'])),
    value,
  ) as unknown as fc.Arbitrary<RunEvidence['history']>

  test('whatever was printed and remembered', () => {
    fc.assert(
      fc.property(
        arbitraryEvidence,
        oddStdout,
        oddHistory,
        fc.constantFrom(...POLICIES),
        (evidence, stdout, history, policy) => {
          const run = judgeAttempt({ ...evidence, stdout, history, command: '/go' }, policy)
          if ('result' in run) expect(typeof run.result.success).toBe('boolean')
          else expect(run).toHaveProperty('crashed')
          const whatIf = gatherWhatIf({ ...evidence, history, command: '/go' }, parseStdout(stdout))
          for (const change of changesOf(whatIf)) decide(applyChanges(whatIf, [change]), policy)
        },
      ),
      { numRuns: 500 },
    )
  })

  const nested = (depth: number): string => `${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`
  test.each<[string, string, string]>([
    ['deep JSON in a result', `{"type":"result","subtype":"success","result":${nested(100_000)}}`, 'crashed'],
    ['deep JSON on lines and in the whole', `{"type":"result",\n"result":${nested(100_000)}}`, 'crashed'],
    ['brackets without an end', '['.repeat(3_000_000), 'unparseable'],
    ['one long line', resultLine({ result: 'x'.repeat(10_000_000) }), 'missing_completion_marker'],
    ['one long line that is no JSON', 'x'.repeat(10_000_000), 'unparseable'],
    ['quotes without an end', `NaN${'"\\"'.repeat(3_000_000)}`, 'unparseable'],
    [
      'a number of many digits',
      `{"type":"result","subtype":"success","result":${'9'.repeat(10_000_000)}}`,
      'crashed',
    ],
    ['many line ends', '\r\n\u2028'.repeat(2_000_000), 'empty_output'],
    [
      'many errors',
      resultLine({ is_error: true, errors: Array.from({ length: 1_000_000 }, () => 'prompt is too lon') }),
      'missing_completion_marker',
    ],
    ['many markers', resultLine({ result: MARKER.repeat(1_000_000) }), 'adjudicated_failure'],
    [
      'white space that never ends a line',
      messageLine(`worktree_path =${' \n'.repeat(1_000_000)}plan_path${' '.repeat(3_000_000)}`) +
        resultLine({ result: `${MARKER}x` }),
      'success',
    ],
    [
      'paths in a shell',
      toolLine('Bash', { command: '/a '.repeat(2_000_000) + '='.repeat(2_000_000) }) +
        resultLine({ result: `${MARKER}x` }),
      'success',
    ],
  ])('nor hangs: %s', (_, stdout, subtype) => {
    const run = judge({ stdout, marker: MARKER, cwd: '/w', command: '/go', history: [] })
    expect('decided' in run && run.decided.subtype).toBe(subtype)
  })
})

test('the same evidence gives the same result, and is left as it was', () => {
  fc.assert(
    fc.property(arbitraryEvidence, (evidence) => {
      const copy = structuredClone(evidence)
      expect(judgeAttempt(evidence, CURRENT_POLICY)).toEqual(judgeAttempt(copy, CURRENT_POLICY))
      expect(evidence).toEqual(copy)
    }),
  )
})
