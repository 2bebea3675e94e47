import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { firstDifference } from './difference'
import { readCases } from './read-cases'
import { findFiles, runFile } from './run-files'
import type { Suite } from './suite'
import { suites } from './suites'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'inquest-conformance-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function written(path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const EMPTY = {
  subtype: 'empty_output',
  is_error: true,
  result: '',
  session_id: '',
  errors: [],
  token_usage: null,
  assistant_messages: [],
  tool_uses: [],
  jsonl_context_exhausted: false,
  session_complete: false,
  context_exhausted: false,
  needs_retry: false,
  retry_reason: 'none',
  agent_result_kind: 'text',
}
const right = { id: 'right', input: { stdout: ' ' }, expected: EMPTY }
const wrong = { id: 'wrong', input: { stdout: ' ' }, expected: { ...EMPTY, retry_reason: 'resume' } }
const lines = (...cases: object[]): string => cases.map((one) => `${JSON.stringify(one)}\n`).join('')

/** The program as it is called. */
function conformance(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/tsx'),
    ['scripts/conformance.ts', ...args],
    { cwd: root, encoding: 'utf8' },
  )
  return { status, out: stdout, err: stderr }
}

describe('the program', () => {
  const good = dirname(written('good/content-state/parse.jsonl', lines(right)))
  const bad = dirname(dirname(written('bad/deep/content-state/parse.jsonl', lines(right, wrong, right))))

  test('ends with 0 when all cases pass', () => {
    expect(conformance(good)).toMatchObject({
      status: 0,
      out: `content-state/parse: 1 passed, 0 failed (${good}/parse.jsonl)\ncontent-state/parse      1 product      0 reference\nall suites               1 product      0 reference\n1 passed, 0 failed\n`,
    })
  })

  test('finds a wrong expectation, says where, and ends with 1', () => {
    const { status, out } = conformance(good, bad)
    expect(status).toBe(1)
    expect(out).toContain('  wrong /retry_reason: expected "resume", got "none"\n')
    expect(out.trimEnd().split('\n').at(-1)).toBe('3 passed, 1 failed')
  })

  const asJson = {
    files: [
      {
        file: join(bad, 'content-state/parse.jsonl'),
        suite: 'content-state/parse',
        passed: 2,
        failed: 1,
        failing: ['wrong'],
      },
    ],
    passed: 2,
    failed: 1,
  }

  test('tells it as JSON, the same status beside it', () => {
    const { status, out } = conformance('--json', bad)
    expect([status, JSON.parse(out)]).toEqual([1, asJson])
  })

  test('writes that into a file, beside its lines', () => {
    const output = join(folder, 'told.json')
    const { status, out } = conformance('--output', output, bad)
    expect([status, JSON.parse(readFileSync(output, 'utf8'))]).toEqual([1, asJson])
    expect(out).toContain('2 passed, 1 failed\n')
  })

  test.each([
    ['no folder', [], 'usage'],
    ['a folder that is not there', [join(folder, 'nowhere')], 'ENOENT'],
    ['a folder without any case', [dirname(written('none/x.txt', ''))], 'no file of a known suite'],
    ['an option that it does not know', ['--fast', good], 'usage'],
    [
      'a file that cannot be read',
      [written('broken/content-state/parse.jsonl', `${lines(right)}{`)],
      'parse.jsonl: line 2 is no JSON',
    ],
  ])('ends with 2 on %s', (_, args, words) => {
    const { status, err } = conformance(...args)
    expect([status, err]).toEqual([2, expect.stringContaining(words)])
    // What is wrong is said in a line, not as a trace of ours.
    expect(err).not.toContain('    at ')
  })
})

describe('cases that name their operation', () => {
  const handle = (id: string, is: boolean, rest: object = {}): object => ({
    id,
    op: 'is_dispatch_handle',
    input: { text: '{"execution_id":566828338853903576,"status":"started"}' },
    expected: { handle: is },
    ...rest,
  })
  const [a, b] = [{ smoke: 'one.py#a' }, { smoke: 'one.py#b' }]
  const diagnosis = dirname(
    written(
      'named/diagnosis/wait.jsonl',
      lines(
        handle('right', true, a),
        handle('right', true, b),
        handle('wrong', false, b),
        handle('plain', true),
        { ...handle('odd', true), op: 'x' },
      ),
    ),
  )

  test('tell the checks of the source that they stand for; one that is not known has failed', () => {
    const { status, out } = conformance(diagnosis)
    expect([status, out.split('\n').slice(1)]).toEqual([
      1,
      [
        '  wrong /handle: expected false, got true',
        '  odd no operation x',
        'one.py  1 of 2 checks, not b',
        'diagnosis/wait      5 product      0 reference',
        'all suites          5 product      0 reference',
        '3 passed, 2 failed',
        '',
      ],
    ])
    expect(JSON.parse(conformance('--json', diagnosis).out)).toMatchObject({
      files: [{ suite: 'diagnosis/wait', checks: { 'one.py#a': true, 'one.py#b': false } }],
    })
  })
})

describe('files', () => {
  test('are found by their suite, each once and in the order of their names', () => {
    const paths = [
      'files/b/content-state/e2e.jsonl',
      'files/a/content-state/e2e.jsonl',
      'files/a/failure-signal/cases.jsonl',
      'files/a/other.jsonl',
    ].map((path) => written(path, ''))
    const found = findFiles([join(folder, 'files'), paths[0]!], suites)
    expect(found.map(({ file, suite }) => [file.slice(folder.length), suite.name])).toEqual([
      ['/files/a/content-state/e2e.jsonl', 'content-state/e2e'],
      ['/files/a/failure-signal/cases.jsonl', 'failure-signal'],
      ['/files/b/content-state/e2e.jsonl', 'content-state/e2e'],
    ])
  })

  test('name all failing cases, and show the first few', async () => {
    const suite: Suite = {
      name: 's',
      recognises: () => true,
      *run() {
        for (let i = 0; i < 9; i++) yield { id: String(i), difference: i === 0 ? null : 'x' }
      },
    }
    expect(await runFile('f', suite)).toMatchObject({
      passed: 1,
      failed: 8,
      failing: [...'12345678'],
      differences: [...'12345'].map((id) => ({ id })),
    })
  })

  test('hold integers that a number cannot', () => {
    expect(
      readCases(written('long.jsonl', '{"a":9007199254740993,"b":[1.5,true,"x"]}\n\n{"a":1}\n')),
    ).toEqual([{ a: 9007199254740993n, b: [1.5, true, 'x'] }, { a: 1 }])
  })

  test('a case that throws has failed', () => {
    const file = written('thrown/content-state/parse.jsonl', lines({ id: 'a' }, right))
    const [first, second] = [...(suites[0]!.run(file) as Iterable<{ id: string; difference: string | null }>)]
    expect([first, second]).toEqual([
      { id: 'a', difference: expect.stringContaining('threw') },
      { id: 'right', difference: null },
    ])
  })
})

describe('the first difference', () => {
  test.each<[unknown, unknown, string | null]>([
    [{ a: 1, b: undefined }, { a: 1 }, null],
    [0, -0, null],
    [NaN, NaN, null],
    [{ a: [1, { 'b/~': 2 }] }, { a: [1, { 'b/~': 3 }] }, '/a/1/b~1~0: expected 2, got 3'],
    [[1], [1, 2], '/1: expected nothing, got 2'],
    [{ a: 1 }, {}, '/a: expected 1, got nothing'],
    [{}, { a: null }, '/a: expected nothing, got null'],
    [1, '1', '/: expected 1, got "1"'],
    [[], {}, '/: expected [], got {}'],
    [null, [], '/: expected null, got []'],
    [1n, 1, '/: expected "1n", got 1'],
  ])('%o and %o: %s', (expected, got, difference) => expect(firstDifference(expected, got)).toBe(difference))
})
