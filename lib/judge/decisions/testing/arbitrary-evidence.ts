import fc from 'fast-check'
import type { Decided } from '../decide'
import { CURRENT_POLICY, type Policy } from '../policies'
import { CHANNELS, CLI_SUBTYPES, TERMINATIONS } from '../vocabulary'
import { judgeAttempt } from './whole-output'
import type { RunEvidence } from './whole-output'

export const MARKER = '%%UP%%'

const text = fc
  .array(
    fc.constantFrom(
      'word',
      MARKER,
      `\n${MARKER}\n`,
      'plan_path = /w/plan.md',
      '**plan_path** = /w/plan.md',
      ' ',
      '\n',
      'Prompt is too long',
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(' '))

const block = fc.oneof(
  text.map((one) => ({ type: 'text', text: one })),
  fc
    .record({
      name: fc.constantFrom('Write', 'Edit', 'Bash', 'Skill'),
      file_path: fc.constantFrom('/w/plan.md', '/elsewhere/x', 'plan.md'),
    })
    .map(({ name, file_path }) => ({ type: 'tool_use', id: 't', name, input: { file_path } })),
)

const message = fc
  .array(block, { maxLength: 3 })
  .map((content) => ({ type: 'assistant', message: { content } }))
const flat = fc.constant({
  type: 'assistant',
  output_tokens: 0,
  content: [{ type: 'text', text: 'Prompt is too long' }],
})
const result = fc.record({
  type: fc.constant('result'),
  subtype: fc.oneof(fc.constant('success'), fc.constantFrom(...CLI_SUBTYPES)),
  is_error: fc.boolean(),
  result: text,
  errors: fc.constantFrom([], [], ['prompt is too long'], [1]),
  session_id: fc.constant('s'),
})

/** Output that has something of everything that the rules look at. */
export const arbitraryStdout = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.array(fc.oneof({ weight: 5, arbitrary: message }, flat), { maxLength: 3 }),
        fc.option(result, { freq: 5 }),
      )
      .map(([records, last]) =>
        [...records, ...(last === null ? [] : [last])]
          .map((record) => `${JSON.stringify(record)}\n`)
          .join(''),
      ),
  },
  fc.constantFrom('', ' \n', 'not JSON', `words ${MARKER}`),
)

export const arbitraryEvidence: fc.Arbitrary<RunEvidence> = fc.record({
  stdout: arbitraryStdout,
  exitCode: fc.constantFrom(0, 0, 1, -9),
  termination: fc.oneof(fc.constant('natural_exit'), fc.constantFrom(...TERMINATIONS)),
  channel: fc.constantFrom(...CHANNELS),
  marker: fc.constantFrom('', MARKER, MARKER),
  patterns: fc.subarray(['plan_path\\s*=\\s*/.+', 'word', '^word', 'nowhere\\s*=\\s*/.+'], { maxLength: 2 }),
  stderr: fc.constant(''),
  killReason: fc.constant('natural_exit'),
  transportSessionId: fc.constant(''),
  channelBSessionId: fc.constant(''),
  command: fc.constantFrom('', '/go'),
  history: fc.option(
    fc.array(fc.boolean(), { maxLength: 4 }).map((earlier) =>
      earlier.map((needsRetry) => ({
        command: '/go',
        exitCode: 0,
        subtype: '',
        needsRetry,
        retryReason: 'resume',
        stderr: '',
      })),
    ),
  ),
  maxConsecutiveRetries: fc.nat({ max: 3 }),
  cwd: fc.constantFrom('', '/w'),
  writeExpectation: fc.constantFrom(
    null,
    { mode: 'always', expectedWhen: [] },
    { mode: 'conditional', expectedWhen: ['plan_path'] },
  ),
})

/** One that printed nothing and has no input. */
export const EMPTY_RUN: RunEvidence = {
  stdout: '',
  exitCode: 0,
  termination: 'natural_exit',
  channel: 'unmonitored',
  marker: '',
  patterns: [],
  stderr: '',
  killReason: 'natural_exit',
  transportSessionId: '',
  channelBSessionId: '',
  command: '',
  history: null,
  maxConsecutiveRetries: 3,
  cwd: '',
  writeExpectation: null,
}

/** The line of a result record that reads success. */
export const resultLine = (over: object): string =>
  `${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'done', ...over })}\n`

/** The line of a message that says something. */
export const messageLine = (...texts: string[]): string =>
  `${JSON.stringify({ type: 'assistant', message: { content: texts.map((one) => ({ type: 'text', text: one })) } })}\n`

export function decidedOn(evidence: RunEvidence, policy: Policy = CURRENT_POLICY): Decided {
  const run = judgeAttempt(evidence, policy)
  if ('unjudged' in run) throw new Error(run.unjudged)
  return run.decided
}
