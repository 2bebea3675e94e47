import { describe, expect, test } from 'vitest'
import { readContract } from './contract-reader'
import { factsOf, gatherer } from './gather-facts'
import { EMPTY_RUN, MARKER, messageLine, resultLine } from './testing/arbitrary-evidence'
import type { Contract, VerdictFacts } from './verdict-facts'
import { parseStdout } from './testing/whole-output'

const PROCESS = { exitCode: 0, termination: 'natural_exit', channel: 'unmonitored' }

describe('the facts of a session', () => {
  test.each<[string, object, Partial<Contract>, Partial<VerdictFacts>]>([
    [
      'a marker among words',
      { result: 'a M' },
      { marker: 'M' },
      { markerSet: true, markerInResult: true, markerInText: true, onlyMarker: false },
    ],
    [
      'a marker alone',
      { result: ' M\nM ' },
      { marker: 'M' },
      { markerInText: true, onlyMarker: true, blank: false },
    ],
    [
      'a marker with white space that is at the end',
      { result: 'a M\n' },
      { marker: 'M\n' },
      { markerInResult: true, markerInText: false },
    ],
    [
      'no marker agreed on',
      { result: '' },
      {},
      { markerSet: false, markerInResult: false, onlyMarker: false, blank: true },
    ],
    [
      'nothing, with a marker agreed on',
      { result: ' ' },
      { marker: 'M' },
      { markerInResult: false, onlyMarker: true, blank: true },
    ],
    [
      'patterns in the text without the white space around it',
      { result: '\n a\n' },
      { patterns: ['^a', 'b'] },
      {
        patterns: [
          { pattern: '^a', state: 'found' },
          { pattern: 'b', state: 'missing' },
        ],
      },
    ],
    ['an error by its truth', { is_error: 'false' }, {}, { isError: true }],
    [
      'signs that do not count',
      { result: 'prompt is too long' },
      {},
      { exhaustion: null, exhaustionSigns: ['result'] },
    ],
  ])('%s', (_, record, contract, expected) => {
    const { session } = parseStdout(resultLine(record))
    expect(factsOf(session, PROCESS, readContract({ marker: '', patterns: [], ...contract }))).toMatchObject(
      expected,
    )
  })
})

describe('the way of an attempt', () => {
  const wayOf = (termination: string, stdout: string, patterns: string[] = []) =>
    gatherer(EMPTY_RUN, parseStdout(stdout))(
      { ...PROCESS, termination },
      readContract({ marker: MARKER, patterns }),
    ).facts.way

  test.each<[string, string, string, object]>([
    [
      'natural_exit',
      'its session',
      resultLine({}),
      { kind: 'session', verdict: { termination: 'natural_exit', subtype: 'success' } },
    ],
    [
      'timed_out',
      'a success is doubted',
      resultLine({}),
      { kind: 'session', verdict: { exitCode: -1, subtype: 'timeout', isError: true } },
    ],
    [
      'timed_out',
      'anything else is not',
      resultLine({ subtype: 'error_max_turns' }),
      { kind: 'session', verdict: { exitCode: -1, subtype: 'error_max_turns', isError: false } },
    ],
    [
      'timed_out',
      'nothing printed',
      ' ',
      { kind: 'session', verdict: { subtype: 'timeout', isError: true } },
    ],
    [
      'stale',
      'as if it had completed, without its patterns',
      resultLine({}),
      { kind: 'stale', verdict: { termination: 'completed', patterns: [] } },
    ],
    ['stale', 'an error has not', resultLine({ is_error: 1 }), { kind: 'stale', verdict: null }],
    ['stale', 'no text has not', resultLine({ result: '' }), { kind: 'stale', verdict: null }],
    [
      'idle_stall',
      'not looked at',
      '{"type":"assistant","message":{"content":[{"text":null}]}}',
      { kind: 'idle_stall' },
    ],
    [
      'stale',
      'where the source raises',
      '{"type":"assistant","message":{"content":[{"text":null}]}}',
      { kind: 'crashed' },
    ],
  ])('%s: %s', (termination, _, stdout, way) => expect(wayOf(termination, stdout, ['x'])).toMatchObject(way))
})

test('paths and calls are those of the output, not of what was put together out of it', () => {
  const stdout = messageLine('plan_path = /elsewhere', MARKER) + resultLine({ result: '' })
  const { facts, session } = gatherer({ ...EMPTY_RUN, cwd: '/w' }, parseStdout(stdout))(
    PROCESS,
    readContract({ marker: MARKER, patterns: [] }),
  )
  expect(session!.result).toContain('/elsewhere')
  expect(facts.gates).toMatchObject({
    contaminated: { token: 'plan_path', path: '/elsewhere' },
    writeCount: 0,
    earlierInARow: null,
  })
})
