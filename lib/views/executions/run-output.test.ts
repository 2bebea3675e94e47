import { expect, test } from 'vitest'
import type { RunFact } from '../../model/run-facts'
import { readRunOutput } from './run-output'

const run = (more: Partial<RunFact>): RunFact => ({
  ...{ recordId: 'r', command: ['make'], cwd: null, startedAt: null, endedAt: null, exitCode: 1 },
  ...{ signal: null, termination: null, channelConfirmation: null, killReason: null, marker: '' },
  ...{ patterns: [], chain: null, ci: null, stderrTail: '', verdict: null },
  stdout: { bytes: 0, sha256: null, kind: null, sentBytes: null },
  span: { start: 0, end: 0, path: [] } as never,
  ...more,
})
const numbered = (name: string, n: number): string =>
  Array.from({ length: n }, (_, i) => `${name} ${i + 1}\n`).join('')
const shown = (fact: RunFact) =>
  readRunOutput(fact, null, null)!.streams.map(({ name, chunks }) => [
    name,
    chunks.map(({ before, lines }) => [
      before,
      lines.length,
      lines.find(({ decisive }) => decisive)?.text ?? null,
    ]),
  ])

test('nothing was written: there is nothing to show', () => {
  expect(readRunOutput(run({ stderrTail: ' \n' }), null, null)).toBeNull()
})

test('20 lines of each stream are shown, and the most error-like line of both is marked', () => {
  const stdoutTail = `${numbered('step', 30)}src/a.ts(3,1): error TS2345: wrong type\nFound 1 error.\n`
  expect(shown(run({ stdoutTail, stderrTail: numbered('note', 4) }))).toEqual([
    ['stdout', [[12, 20, 'src/a.ts(3,1): error TS2345: wrong type']]],
    ['stderr', [[0, 4, null]]],
  ])
})

test('only standard output was written', () => {
  expect(shown(run({ stdoutTail: 'cannot find config.yaml\nbye\n' }))).toEqual([
    ['stdout', [[0, 2, 'cannot find config.yaml']]],
  ])
})

test('a decisive line before the end is shown with the lines around it', () => {
  const stderrTail = `${numbered('step', 20)}TypeError: x is not a function\n${numbered('after', 60)}`
  expect(shown(run({ stderrTail }))).toEqual([
    [
      'stderr',
      [
        [18, 5, 'TypeError: x is not a function'],
        [43, 15, null],
      ],
    ],
  ])
})

test('a stream of which only the end is kept says so', () => {
  const streams = readRunOutput(run({ stderrTail: 'x'.repeat(2_000), stdoutTail: 'y' }), null, null)!.streams
  expect(streams.map(({ name, cut }) => [name, cut])).toEqual([
    ['stdout', false],
    ['stderr', true],
  ])
})

test('where no line looks like an error, the last of standard error is the decisive one', () => {
  expect(shown(run({ stdoutTail: 'one\ntwo', stderrTail: 'three\nfour' }))).toEqual([
    ['stdout', [[0, 2, null]]],
    ['stderr', [[0, 2, 'four']]],
  ])
  expect(shown(run({ stdoutTail: 'one\ntwo' }))).toEqual([['stdout', [[0, 2, null]]]])
})

test('what the process wrote does nothing on a screen, and a long line is cut', () => {
  const { streams } = readRunOutput(
    run({ stderrTail: `\u001b[31mred\u001b[0m\u202etxt\n${'x'.repeat(900)}` }),
    null,
    null,
  )!
  const [red, long] = streams[0]!.chunks[0]!.lines
  expect(red!.text).not.toMatch(/[\u001b\u202e]/)
  expect(long!.text.length).toBeLessThanOrEqual(301)
})

test('a broken contract: each pattern beside the answer, a missing marker alone', () => {
  const kept = {
    contentState: 'contract_violation',
    whatIf: null,
    trace: [],
    evidence: { patterns: ['^OK$', 'done'] },
  }
  const trace = [{ inputs: { missing: ['^OK$'] } }] as never
  const output = readRunOutput(
    run({ patterns: ['^OK$', 'done'] }),
    { ...kept, trace },
    { result: 'not ok\ndone' },
  )
  expect(output).toMatchObject({
    expected: [
      { what: 'pattern', text: '^OK$', state: 'missing' },
      { what: 'pattern', text: 'done', state: 'found' },
    ],
    streams: [{ name: 'answer', chunks: [{ lines: [{ text: 'not ok' }, { text: 'done' }] }] }],
  })
  const absent = { ...kept, contentState: 'absent' }
  expect(readRunOutput(run({ marker: 'DONE', stderrTail: 'x' }), absent, { result: 'hello' })).toMatchObject({
    expected: [{ what: 'marker', text: 'DONE', state: 'missing' }],
    streams: [{ name: 'answer' }, { name: 'stderr' }],
  })
  expect(
    readRunOutput(run({ stderrTail: 'x' }), { ...kept, contentState: 'complete' }, { result: 'a' }),
  ).toMatchObject({
    expected: [],
    streams: [{ name: 'stderr' }],
  })
})
