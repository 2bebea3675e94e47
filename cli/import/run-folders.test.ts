import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { recordedAsync, recordedRuns } from '@/db/testing/recorded-runs'
import { env, folder, importJson, posts, setUpImport } from '../testing/set-up-import'
import { runCli, startCli, until } from '../testing/run-cli'

setUpImport()

const runs = recordedRuns()
let root: string
beforeEach(() => {
  root = join(folder.path, '.async')
  cpSync(recordedAsync, root, { recursive: true })
})

/** Run and files of each document that was sent. */
const sent = (): { run: string; files: string[] }[] =>
  posts()
    .map(({ body }) => JSON.parse(body.toString()) as { asyncPipelineRun: string; file: string }[])
    .map((files) => ({ run: files[0]!.asyncPipelineRun, files: files.map(({ file }) => file) }))
const runOf = (index: number): string => join(root, 'runs', runs[index]!)

describe('what is named', () => {
  test('a folder of all: each run arrives as one document with its files, and the patch of the cache beside the run that made it', async () => {
    const { code, summary } = await importJson(root)
    expect(code).toBe(0)
    expect(summary['files']).toMatchObject({ sent: runs.length, notTaken: 0 })
    expect(new Set(posts().map((one) => one.path))).toEqual(new Set(['/api/v1/ingest/async-pipeline']))
    const whole = sent().filter(({ files }) => files[0] === 'execution.json')
    expect(whole.map(({ run }) => run).sort()).toEqual(runs)
    expect(whole.find(({ run }) => run === runs[2])!.files).toEqual([
      'execution.json',
      'context/test.json',
      'logs/lint.log',
      'logs/test.log',
      'summary.md',
    ])
    expect(sent().filter(({ files }) => files[0] !== 'execution.json')).toEqual([
      {
        run: runs[4],
        files: [
          expect.stringMatching(/^cache\/tasks\/daaaf64a.*\/outputs\.json$/),
          expect.stringMatching(/outputs\/fix\.patch$/),
        ],
      },
    ])
  })

  test.each([
    ['the folder of the runs', () => join(root, 'runs'), runs.length],
    ['the folder of one run', () => runOf(2), 1],
    ['its record', () => join(runOf(2), 'execution.json'), 1],
    [
      'a run in a folder of another name',
      () => {
        renameSync(runOf(2), join(folder.path, 'copy'))
        return join(folder.path, 'copy')
      },
      1,
    ],
    [
      'all of it under another name',
      () => {
        renameSync(root, join(folder.path, 'dot-async'))
        return folder.path
      },
      runs.length,
    ],
  ])('%s: the runs in it arrive whole', async (_, path, count) => {
    expect((await importJson(path())).code).toBe(0)
    const whole = sent().filter(({ files }) => files[0] === 'execution.json')
    expect(whole.map(({ files }) => files.length > 1)).toEqual(Array.from({ length: count }, () => true))
  })

  test('a context pack alone is taken alone', async () => {
    expect((await importJson(join(runOf(2), 'context/test.json'))).code).toBe(0)
    expect(posts().map(({ body }) => body.toString())).toEqual([
      readFileSync(join(runOf(2), 'context/test.json'), 'utf8'),
    ])
  })
})

test('again: nothing is sent; a run that has gone on is', async () => {
  await importJson(root)
  const before = posts().length
  expect((await importJson(root)).summary['files']).toMatchObject({ sent: 0, known: runs.length })
  expect(posts()).toHaveLength(before)
  writeFileSync(join(runOf(2), 'logs/test.log'), 'more\n')
  expect((await importJson(root)).summary['files']).toMatchObject({ sent: 1, known: runs.length - 1 })
})

test('the words name runs, and not each of their files', async () => {
  const { out, code } = await runCli(['import', runOf(2)], env())
  expect([code, out]).toEqual([0, expect.stringMatching(/^1 file sent/)])
})

test('files of the cache are told in one line, and only where runs lie beside it', async () => {
  const { out, code } = await runCli(['import', root], env())
  expect(code).toBe(0)
  expect(out.split('\n').filter((line) => line.startsWith('left out'))).toEqual([
    expect.stringMatching(
      /^left out: 13 files, from .*cache.* on: pipeline cache: sent with its run where needed$/,
    ),
  ])
  rmSync(join(root, 'runs'), { recursive: true })
  expect((await runCli(['import', root], env())).out).toContain(
    'not recognised: JSON of an unknown kind, with the keys schemaVersion, taskId',
  )
})

test('what a manifest calls an output does not lead out of its folder', async () => {
  const key = 'daaaf64a6240882f6b1d1ff94826e76bf0386b4b88586c7ae760c42703843ce6'
  folder.put('secret.patch', 'not yours')
  const paths = ['../../../../../secret.patch', '/etc/x.patch', 'a/../../b.patch', 'fix.patch']
  writeFileSync(
    join(root, 'cache/tasks', key, 'outputs.json'),
    JSON.stringify({ version: 1, files: paths.map((path) => ({ path })) }),
  )
  await importJson(runOf(4))
  expect(sent().flatMap(({ files }) => files.filter((file) => file.endsWith('.patch')))).toEqual([
    `cache/tasks/${key}/outputs/fix.patch`,
  ])
})

test('a record that is no JSON, an empty one and one that nobody can read do not keep the other runs out', async () => {
  writeFileSync(join(runOf(0), 'execution.json'), '')
  writeFileSync(join(runOf(1), 'execution.json'), Buffer.from([0, 1, 2, 255, 254]))
  writeFileSync(
    join(runOf(2), 'execution.json'),
    readFileSync(join(runOf(2), 'execution.json')).subarray(0, 300),
  )
  await importJson(root)
  expect(new Set(sent().map(({ run }) => run))).toEqual(new Set(runs.slice(2)))
})

test('a run is followed while it goes on', async () => {
  const record = JSON.parse(readFileSync(join(runOf(2), 'execution.json'), 'utf8')) as Record<string, unknown>
  writeFileSync(join(runOf(2), 'execution.json'), JSON.stringify({ ...record, status: 'running', tasks: [] }))
  const watching = startCli(['import', '--watch', runOf(2)], env())
  await until(() => sent().length === 1, 10_000, 'the run as it was')
  writeFileSync(join(runOf(2), 'execution.json.tmp'), JSON.stringify(record))
  renameSync(join(runOf(2), 'execution.json.tmp'), join(runOf(2), 'execution.json'))
  await until(() => sent().length === 2, 10_000, 'the run that ended')
  expect(posts().at(-1)!.body.toString()).toContain('"failed"')
  watching.stop()
  expect((await watching.done).code).toBe(0)
})
