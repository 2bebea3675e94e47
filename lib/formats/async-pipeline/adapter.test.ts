import { describe, expect, test } from 'vitest'
import { adapterOf } from '../adapters'
import { detectFormat } from '../detect'
import type { NormalRecord } from '../../model/normal-form'
import { parsePart } from '../parse-part'
import { peekPart } from '../peek-part'
import { noise } from '../../text/redaction/secret-samples.fixture'
import { bundleRun, type FolderFile } from './bundle'
import { NOT_COMPARED, RUN_SECRET } from './hide'
import { bundleOf, filesOfRun, recordedRuns, SAMPLE_SECRET } from '@/db/testing/recorded-runs'

const adapter = adapterOf('async-pipeline')
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

async function read(bytes: Uint8Array, redact = true) {
  const { sessionId } = await peekPart('async-pipeline', bytes, null)
  const part = await parsePart({
    adapter,
    bytes,
    offset: 0,
    context: adapter.start({ sessionId }),
    redact,
    final: true,
  })
  return { ...part, text: textOf(part.kept), sessionId }
}
const run = (index: number): string => recordedRuns()[index]!
const tasksOf = (records: readonly NormalRecord[]) => records.flatMap(({ facts }) => facts.pipelineTask ?? [])
const only = <T>(list: readonly T[]): T => {
  expect(list).toHaveLength(1)
  return list[0]!
}

describe('the recorded runs', () => {
  test.each(recordedRuns())(
    '%s: nothing in it is odd, and each record says which run it belongs to',
    async (id) => {
      const { records, sessionId } = await read(bundleOf(id))
      expect(sessionId).toBe(id)
      expect(records.filter((record) => record.oddReason !== undefined)).toEqual([])
      expect(new Set(records.map((record) => record.executionKey))).toEqual(new Set([id]))
      expect(new Set(records.map((record) => record.offset)).size).toBe(records.length)
    },
  )

  test.each(recordedRuns())(
    '%s: the secret is hidden in all of it, and the records that hold none are as they were',
    async (id) => {
      const before = textOf(bundleOf(id))
      const { text, records, marks } = await read(bundleOf(id))
      expect(text + JSON.stringify(records)).not.toContain(SAMPLE_SECRET)
      expect(marks.filter((mark) => mark.rule === RUN_SECRET).length).toBe(
        before.split(SAMPLE_SECRET).length - 1,
      )
      expect(text.replaceAll(`[redacted:${RUN_SECRET}]`, SAMPLE_SECRET)).toBe(before)
    },
  )

  test('a failed task tells its error, exit code, attempts, context and log, each where it stands', async () => {
    const { records, text, kept } = await read(bundleOf(run(2)))
    const failed = only(tasksOf(records).filter((task) => task.status === 'failed'))
    expect(failed).toMatchObject({
      id: 'test',
      ordinal: 1,
      attempts: 3,
      cacheHit: false,
      error: { failure: 'command', exitCode: 3 },
    })
    const record = records.find((one) => one.facts.pipelineTask === failed)!
    const { span } = failed.error!
    expect(textOf(kept.subarray(record.keptStart + span.start, record.keptStart + span.end))).toMatch(
      /^"Command failed with exit code 3: .*\|\| exit 3"$/,
    )
    expect(span.jsonPointer).toBe('/json/tasks/1/error')
    const log = only(records.flatMap(({ facts }) => (facts.taskLog?.stem === 'test' ? [facts.taskLog] : [])))
    expect(log.attempts.map((one) => one.number)).toEqual([1, 2, 3])
    const pack = only(records.flatMap(({ facts }) => facts.contextPack ?? []))
    expect(pack).toMatchObject({
      task: 'test',
      reproduce: 'async-pipeline run-task test',
      claims: ['readme.sum'],
      inputDiff: { added: ['src/new.txt'], changed: ['src/a.txt'], removed: [], leftOut: 0 },
    })
    expect(text).toContain('# Pipeline: demo')
  })

  test('the other failures are told by their words', async () => {
    const failures = await Promise.all(
      [6, 7, 8, 9, 10].map(async (i) =>
        tasksOf((await read(bundleOf(run(i)))).records).find((task) => task.status === 'failed'),
      ),
    )
    expect(
      failures.map((task) => task && [task.id, task.error?.failure, task.error?.exitCode, task.attempts]),
    ).toEqual([
      undefined,
      ['slow', 'timeout', 124, 1],
      ['nope', 'agent_profile', null, 0],
      ['long', 'command', 7, 1],
      ['lint', 'secret', null, 0],
    ])
  })

  test('a tail of 4096 units is kept whole, however many bytes it is', async () => {
    const { records } = await read(bundleOf(run(9)))
    const { logTail } = only(records.flatMap(({ facts }) => facts.contextPack ?? []))
    expect([logTail!.length, new TextEncoder().encode(logTail!).length]).toEqual([4096, 6554])
  })

  test('an exchange names its profile and how it ended', async () => {
    const { records } = await read(bundleOf(run(4)))
    expect(only(records.flatMap(({ facts }) => facts.exchange ?? []))).toMatchObject({
      task: 'propose',
      profile: 'mock',
      model: 'mock-1',
      response: { code: 0, timedOut: false },
    })
  })
})

describe('what a run does not clean', () => {
  const record = (error: string, id = 'build') =>
    JSON.stringify({
      schemaVersion: 1,
      id: '2026-06-14T10-43-12-345Z-1a2b3c4d',
      pipelineName: 'p',
      jobId: 'j',
      status: 'failed',
      tasks: [{ id, status: 'failed', attempts: 1, error }],
    })
  const folder = (error: string, ...beside: FolderFile[]) =>
    bundleRun('2026-06-14T10-43-12-345Z-1a2b3c4d', [
      { path: 'execution.json', bytes: bytesOf(record(error)) },
      ...beside,
    ])
  const log = (text: string, stem = 'build'): FolderFile => ({
    path: `logs/${stem}.log`,
    bytes: bytesOf(text),
  })

  test.each([
    ['a record by itself', bytesOf(record('Command failed with exit code 9: curl hunter2-hunter2'))],
    [
      'a record that breaks off',
      bytesOf(record('Command failed with exit code 9: curl hunter2-hunter2').slice(0, -3)),
    ],
    [
      'a record that breaks off inside of the command',
      bytesOf(`{\n"tasks": [{"error": "Command failed with exit code 9: curl hunter2-hunter2`),
    ],
    ['a folder without log and context', folder('Command failed with exit code 9: curl hunter2-hunter2')],
    [
      'a log that says something else',
      folder(
        'Command failed with exit code 9: curl hunter2-hunter2',
        log('[attempt 1] Command failed with exit code 9: wget [redacted]\n'),
      ),
    ],
    [
      'a prompt without its transcript',
      bundleRun('r', [{ path: 'agents/build.prompt.txt', bytes: bytesOf('use hunter2-hunter2') }]),
    ],
    [
      'a prompt in a bundle with its keys the other way round',
      bytesOf('[\n{"text":"use hunter2-hunter2","file":"agents/a.prompt.txt","asyncPipelineRun":"r"}\n]'),
    ],
  ])('%s: nothing shows what is secret, so all of it is hidden', async (_, bytes) => {
    const { text, records, marks } = await read(bytes)
    expect(text + JSON.stringify(records)).not.toContain('hunter2')
    expect(only(marks).rule).toBe(NOT_COMPARED)
    if (!text.includes('prompt'))
      expect(text).toContain('Command failed with exit code 9: [redacted:not-compared]')
  })

  test('a log shows what is secret when there is no context, a command of several lines too', async () => {
    const error = 'Command failed with exit code 9: first "hunter2-hunter2"\nsecond'
    const { text } = await read(
      folder(
        error,
        log(
          'said hunter2-hunter2?\n[attempt 1] Command failed with exit code 9: first "[redacted]"\nsecond\n',
        ),
      ),
    )
    expect(text).not.toContain('hunter2')
    expect(text).toContain(String.raw`first \"[redacted:run-secret]\"\nsecond`)
  })

  test('a command in which nothing was taken out stays as it is', async () => {
    const { text, marks } = await read(
      folder(
        'Command failed with exit code 9: make all',
        log('[attempt 1] Command failed with exit code 9: make all\n'),
      ),
    )
    expect(marks).toEqual([])
    expect(text).toContain('make all')
  })

  test('a secret that holds the text between two of its places is hidden whole', async () => {
    const { text } = await read(
      folder(
        'Command failed with exit code 1: a se cret-1 other-2 z',
        log('[attempt 1] Command failed with exit code 1: a [redacted] [redacted] z\nse cret-1\n'),
      ),
    )
    expect(text).not.toMatch(/cret-1|other-2/)
  })

  test('a patch stays as it is, whatever stands in it; a log beside it does not', async () => {
    const key = `AWS_SECRET_ACCESS_KEY=${noise(40)}`
    const files = [
      { path: 'fixes/build.patch', bytes: bytesOf('+line\n') },
      log(`${key}\nhunter2-hunter2\n[attempt 1] Command failed with exit code 9: curl [redacted]\n`),
    ]
    const bytes = folder('Command failed with exit code 9: curl hunter2-hunter2', ...files)
    const before = await read(bytes)
    expect(before.records.find((record) => record.facts.patchFile)!.facts.patchFile).toMatchObject({
      origin: 'fixes-dir',
      of: 'build',
      fileName: 'build.patch',
      size: 6,
    })
    const { text } = await read(
      bytesOf(textOf(bytes).replace(/"base64":"[^"]*"/, `"base64":"${key} hunter2-hunter2"`)),
    )
    expect(text).toContain(`"base64":"${key} hunter2-hunter2"`)
    expect([text.split(noise(40)).length, text.split('hunter2-hunter2').length]).toEqual([2, 2])
  })

  test('a secret in a long log is found wherever it stands', async () => {
    const long = 'x'.repeat(300_000)
    const { text } = await read(
      folder(
        'Command failed with exit code 9: curl hunter2-hunter2',
        log(`${long}hunter2-hunter2${long}\n[attempt 1] Command failed with exit code 9: curl [redacted]\n`),
      ),
    )
    expect(text).not.toContain('hunter2')
  })

  test('without redaction all stays', async () => {
    const bytes = folder('Command failed with exit code 9: curl hunter2-hunter2')
    expect((await read(bytes, false)).text).toBe(textOf(bytes))
  })
})

describe('odd input', () => {
  test.each([
    ['empty', new Uint8Array()],
    ['not JSON', bytesOf('hello')],
    ['torn in the middle', bundleOf(run(2)).subarray(0, 1500)],
    ['binary', Uint8Array.from({ length: 4096 }, (_, i) => (i * 37) % 256)],
    ['a list of numbers', bytesOf('[1,2,3]')],
    [
      'wrong types',
      bytesOf('{"pipelineName":"x","tasks":[1,{"id":7},{"id":"a","attempts":"x","error":{}}]}'),
    ],
    ['deep', bytesOf(`{"pipelineName":"x","tasks":${'['.repeat(600)}${']'.repeat(600)}}`)],
  ])('%s: never throws, and what is not understood is told', async (_, bytes) => {
    const { records } = await read(bytes)
    for (const record of records) expect(record.executionKey).not.toBe('')
    if (bytes.length > 0) expect(records.some((record) => record.oddReason !== undefined)).toBe(true)
  })

  test('a pack of another run says nothing about this one', async () => {
    const files = filesOfRun(run(2)).map((file) =>
      file.path.startsWith('context/')
        ? { ...file, bytes: bytesOf(textOf(file.bytes).replace(run(2), run(3))) }
        : file,
    )
    const { records } = await read(bundleRun(run(2), files))
    const odd = only(records.filter((record) => record.oddReason !== undefined))
    expect([odd.type, odd.facts, odd.executionKey]).toEqual(['context pack', {}, run(2)])
  })

  test('what is no UTF-8 stands as text with the digest of what it was', async () => {
    const { records, text } = await read(
      bundleRun('r', [{ path: 'logs/a.log', bytes: Uint8Array.from([0x61, 0xff, 0x0a]) }]),
    )
    expect(only(records).facts.taskLog).toMatchObject({ stem: 'a', chars: 3 })
    expect(text).toMatch(/"sha256":"[0-9a-f]{64}"/)
  })

  test('each is known for what it is from its first bytes', () => {
    for (const bytes of [
      bundleOf(run(2)),
      filesOfRun(run(2)).find((file) => file.path === 'execution.json')!.bytes,
      filesOfRun(run(2)).find((file) => file.path === 'context/test.json')!.bytes,
    ])
      expect(detectFormat({ head: bytes.subarray(0, 4096) })).toEqual({
        status: 'supported',
        kind: 'async-pipeline',
      })
  })
})
