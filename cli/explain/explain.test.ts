import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeFolder, runCli, transcript } from '../testing/run-cli'
import { executionFile, failedCall, RESULT } from '../testing/execution-file'

let folder: ReturnType<typeof makeFolder>
beforeEach(() => (folder = makeFolder()))
afterEach(() => folder.remove())

const env = (more: Record<string, string> = {}) => ({ HOME: folder.path, ...more })
const explain = (args: string[], more: Record<string, string> = {}) => runCli(['explain', ...args], env(more))
const put = (records: unknown, name = 'claude-execution-output.json'): string =>
  folder.put(name, typeof records === 'string' ? records : JSON.stringify(records, null, 2))

describe('the file of claude-code-action', () => {
  test('a limit: cause, verdict, next step and the decisive line of the failing call', async () => {
    const file = put(executionFile([failedCall('npm test', 'Exit code 1\n2 tests failed')], RESULT.maxTurns))
    const { code, out, err } = await explain([file])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('✗ The run hit its turn limit after 3 turns: Reached maximum number of turns (3)\n')
    expect(out).toContain("Would a retry help? Retrying won't help\n")
    expect(out).toContain('What to do next\n  Raise the limit or split the task')
    expect(out).toContain('    | Exit code 1\n    > 2 tests failed\n')
    expect(out).toContain("Afterwards: not retried\n  Identical retry: won't help. A check fails until")
    expect((await explain(['--markdown', file])).out).toContain("Identical retry: won't help")
  })

  test('a model request that failed behind the subtype success', async () => {
    const { out } = await explain([put(executionFile([], RESULT.apiError))])
    expect(out).toContain('✗ Model request failed with HTTP 529: API Error: 529 Overloaded\n')
    expect(out).toContain('Retrying may help')
  })

  test('no result record: the run broke off, and what had failed before', async () => {
    const file = put(executionFile([failedCall('npm test', 'Exit code 1\n2 tests failed')], null))
    const { code, out } = await explain([file])
    expect(code).toBe(0)
    expect(out).toContain('✗ The agent’s run broke off: its file has no result record\n')
    expect(out).toContain(
      'Possible reasons:\n  - The agent’s process died.\n  - The stream ended without a result.',
    )
    expect(out).toContain('Unclear if a retry would help')
    expect(out).toContain('2 tests failed')
  })

  test('an empty list is one line and status 0', async () => {
    const { code, out } = await explain([put('[]')])
    expect([code, out.trim().split('\n')]).toEqual([
      0,
      [
        expect.stringMatching(
          /The agent failed before it sent a message.*could not be started.*Read the end of the step’s log/,
        ),
      ],
    ])
  })

  test('a result without subtype and error flag says how the run went on, and not how it ended', async () => {
    const { code, out } = await explain([put(executionFile([], { type: 'result', num_turns: 1 }))])
    expect(code).toBe(0)
    expect(out).toContain('The run ended, but its result record does not say how')
    expect(out).not.toMatch(/^Failed/m)
  })

  test('two steps of a job leave two files, and each is explained by itself', async () => {
    const first = put(executionFile([], RESULT.success, 'one'), 'a.json')
    const second = put(executionFile([], RESULT.maxTurns, 'two'), 'b.json')
    const { files } = JSON.parse((await explain(['--json', first, second])).out)
    expect(
      files.map(({ executions }: { executions: { id: string; outcome: string }[] }) =>
        executions.map(({ id, outcome }) => [id, outcome]),
      ),
    ).toEqual([[['one', 'succeeded']], [['two', 'failed']]])
  })
})

describe('the conclusion of the step', () => {
  const green = () => put(executionFile([], RESULT.success))

  test('a green file of a failed step: that it is so, and what the reason may be', async () => {
    const { code, out } = await explain(['--conclusion', 'failure', green()])
    expect(code).toBe(0)
    expect(out).toContain('✗ The CI step failed, although the agent reported success\n')
    expect(out).toContain('The agent took 3 turns.')
    expect(out).toContain('--max-turns')
    expect(out).toContain('--json-schema')
  })

  test('comes from the environment too, and the option stands above it', async () => {
    const failed = { INQUEST_STEP_CONCLUSION: 'failed' }
    expect((await explain([green()], failed)).out).toContain('although the agent reported success')
    expect((await explain(['--conclusion', 'success', green()], failed)).out).not.toContain('step')
    expect((await explain(['--conclusion', '', green()], failed)).out).not.toContain('although')
  })

  test('another word is no command line', async () => {
    expect((await explain(['--conclusion', 'maybe', green()])).code).toBe(2)
    expect(await explain([green()], { INQUEST_STEP_CONCLUSION: 'maybe' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('must be failure'),
    })
  })

  test.each([
    ['failure', 'failed before the agent started'],
    ['cancelled', 'cancelled, timed out or lost its runner'],
    ['success', 'found nothing to do'],
  ])('a missing file after %s is one line and status 0', async (conclusion, says) => {
    const { code, out, err } = await explain(['--conclusion', conclusion, join(folder.path, 'none.json')])
    expect([code, err, out.trim().split('\n')]).toEqual([0, '', [expect.stringContaining(says)]])
  })

  test('a step that has no output gives an empty name, which is no file', async () => {
    const { code, out } = await explain([''])
    expect([code, out]).toEqual([0, expect.stringContaining('(no file named): There is no file')])
  })
})

describe('the status', () => {
  test('is 0 whatever failed; with --exit-code 1 where something needs attention', async () => {
    const [bad, good] = [
      put(executionFile([], RESULT.maxTurns), 'a.json'),
      put(executionFile([], RESULT.success), 'b.json'),
    ]
    expect((await explain([bad, good])).code).toBe(0)
    expect((await explain(['--exit-code', good, bad])).code).toBe(1)
    expect((await explain(['--exit-code', good])).code).toBe(0)
    expect((await explain(['--exit-code', '--conclusion', 'failure', good])).code).toBe(1)
  })

  test('is 2 where a file cannot be read, and the others are explained all the same', async () => {
    const files = [
      folder.path,
      folder.put('image.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0xff, 0xfe])),
      folder.put('a.gz', Buffer.from([0x1f, 0x8b, 8, 0])),
      folder.put('other.json', '{"a":1}'),
      folder.put('empty.json', ''),
      put(executionFile([], RESULT.maxTurns)),
    ]
    const { code, out } = await explain(files)
    expect(code).toBe(2)
    for (const says of [
      'It is a folder.',
      'image.png: not read. Not an agent file: it contains bytes that are not text.',
      'No reader for this format: it starts like a gzip file.',
      'JSON of an unknown kind, with the keys a',
      'the file is empty',
      'hit its turn limit',
    ])
      expect(out.replace(/\s+/g, ' ')).toContain(says)
  })

  test('a missing file is 2 with --exit-code', async () => {
    expect((await explain(['--exit-code', join(folder.path, 'none.json')])).code).toBe(2)
  })

  test('no file at all is no command line', async () => {
    expect((await explain([])).code).toBe(2)
  })
})

describe('torn files', () => {
  const whole = () =>
    JSON.stringify(
      executionFile([failedCall('npm test', 'Exit code 1\n2 tests failed')], RESULT.maxTurns),
      null,
      2,
    )

  test('are read as far as they go, wherever they end', async () => {
    const text = whole()
    for (const end of [3, 60, Math.floor(text.length / 2), text.length - 3]) {
      const { code, out } = await explain([put(text.slice(0, end))])
      expect([0, 2], `${end} characters`).toContain(code)
      if (end > 1000) expect(out).toContain('The file is cut off')
    }
  })

  test('say what failed before the tear', async () => {
    const text = whole()
    const { out } = await explain([put(text.slice(0, text.indexOf('"subtype": "error_max_turns"')))])
    expect(out).toContain('2 tests failed')
    expect(out).toContain('The file is cut off: its last record is incomplete.')
    expect(out).not.toContain('no result record')
  })
})

describe('other files', () => {
  test('a transcript, lines of a stream, a pipe', async () => {
    const lines = transcript('11111111-0000-4000-8000-000000000001', 4)
    const { code, out } = await explain(['--json', folder.put('session.jsonl', lines)])
    expect([code, JSON.parse(out).files[0]]).toMatchObject([
      0,
      { status: 'explained', kind: 'claude-transcript', records: 4, torn: false },
    ])
    const stream = executionFile([], RESULT.maxTurns)
      .map((one) => JSON.stringify(one))
      .join('\n')
    expect((await explain([folder.put('stream.jsonl', `${stream}\n`)])).out).toContain('hit its turn limit')
  })

  const samples = resolve(import.meta.dirname, '../../../shared/samples')
  test.runIf(existsSync(samples))('the samples of claude-code-action', async () => {
    const sample = (name: string): string => join(samples, 'more-agents/constructed', name)
    const { code, out } = await explain([
      '--json',
      sample('claude-execution-output-api-error.json'),
      sample('claude-execution-output-empty.json'),
      sample('claude-execution-output-max-turns.json'),
      sample('claude-execution-output-no-result.json'),
      join(samples, 'claude-code/stream-json/action-sample-turns.json'),
    ])
    expect(code).toBe(0)
    const { files } = JSON.parse(out)
    expect(
      files.map(
        (file: {
          status: string
          step: { rule: string } | null
          executions: { outcome: string; counts: object }[]
        }) => [
          file.status,
          file.step?.rule ?? null,
          ...file.executions.map(({ outcome, counts }) => [outcome, counts]),
        ],
      ),
    ).toMatchObject([
      ['explained', null, ['retriable', { calls: 0 }]],
      ['empty_list', 'no_messages'],
      ['explained', null, ['failed', { calls: 3, failedCalls: 1, callsWithoutResult: 1 }]],
      ['explained', null, ['unknown', { calls: 3, failedCalls: 1, callsWithoutResult: 1 }]],
      // Its result has neither `subtype` nor `is_error`.
      ['explained', null, ['unknown', { failedCalls: 0 }]],
    ])
  })
})

test('of a list in one line that is cut off, everything before the cut is read', async () => {
  const whole = JSON.stringify(
    executionFile([failedCall('npm test', 'Exit code 1\n2 tests failed')], RESULT.maxTurns),
  )
  const { files } = JSON.parse(
    (
      await explain([
        '--json',
        put(executionFile([], RESULT.success), 'whole.json'),
        folder.put('cut.json', whole.slice(0, -9)),
      ])
    ).out,
  )
  expect(files[1]).toMatchObject({ torn: true, executions: [{ counts: { failedCalls: 1 } }] })
})

test('a pipe that nobody writes to is not waited for', async () => {
  const pipe = join(folder.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  const { code, out } = await explain([pipe])
  expect([code, out.includes('not a regular file')]).toEqual([2, true])
})

test('what a recorded command wrote last, its decisive line marked, also when it is only standard output', async () => {
  const recorded = (...outputs: [channel: string, text: string][]): string =>
    [
      {
        ...{ type: 'record.start', version: 1, recordId: 'r', executionKey: 'r', command: ['make', 'check'] },
        ...{ startedAt: '2026-11-02T08:00:00.000Z', labels: {}, contract: { marker: '', expect: [] } },
      },
      ...outputs.map(([channel, text]) => ({
        type: 'record.output',
        channel,
        at: '2026-11-02T08:00:01.000Z',
        text,
      })),
      {
        ...{ type: 'record.end', endedAt: '2026-11-02T08:00:09.000Z', exitCode: 3, signal: null },
        ...{ termination: 'natural_exit', stdoutBytes: 9, stdoutKind: null, verdict: null },
      },
    ]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('')
  const file = folder.put(
    'record.jsonl',
    recorded(['stdout', 'building\n'], ['stderr', 'error TS2345: wrong type\n1 error\n']),
  )
  const { out } = await explain([file])
  expect(out).toMatch(
    /Standard output\n\s+\| building\n\n\s+Standard error\n\s+> error TS2345: wrong type\n\s+\| 1 error/,
  )
  expect((await explain(['--markdown', file])).out).toContain('> error TS2345: wrong type')
  const only = folder.put('only.jsonl', recorded(['stdout', 'cannot find config.yaml\n']))
  const { files } = JSON.parse((await explain(['--json', only])).out)
  expect(files[0].executions[0].output).toEqual([
    {
      name: 'stdout',
      cut: false,
      chunks: [{ before: 0, lines: [{ text: 'cannot find config.yaml', decisive: true }] }],
    },
  ])
})

test('the document is described member by member', async () => {
  const file = put(executionFile([failedCall('npm test', 'Exit code 1\n2 tests failed')], RESULT.maxTurns))
  const document = JSON.parse((await explain(['--json', file])).out)
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/explain.md'), 'utf8')
  const members = (value: unknown): string[] =>
    Array.isArray(value)
      ? value.flatMap(members)
      : typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, one]) => [key, ...members(one)])
        : []
  const missing = [...new Set(members(document))].filter((key) => !page.includes(`\`${key}\``))
  expect(missing).toEqual([])
})
