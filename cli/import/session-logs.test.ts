import { appendFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sessionLogRoot } from '@/db/seed/session-logs'
import { makeFolder, runCli, serverEnv, startCli, transcript, until } from '../testing/run-cli'
import { startTestServer, type TestServer } from '../testing/test-server'

let server: TestServer
let folder: ReturnType<typeof makeFolder>
beforeEach(async () => {
  server = await startTestServer()
  folder = makeFolder()
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const root = sessionLogRoot({ runs: 10 })
const index = root.files.get('sessions.jsonl')!
const putRoot = (): void => root.files.forEach((text, name) => void folder.put(`logs/${name}`, text))
const env = (): ReturnType<typeof serverEnv> => serverEnv(server.url, folder.path)
const posts = (): typeof server.requests => server.requests.filter((request) => request.method === 'POST')
/** Name and bytes of all that was sent. */
const sent = (): Map<string, string> =>
  new Map(
    posts().map((one) => [decodeURIComponent(String(one.headers['inquest-file'])), one.body.toString()]),
  )

interface Run {
  code: number
  files: { path: string; status: string; kind?: string; because?: string }[]
  summary: { files: Record<string, number>; bytes: number }
}
const importJson = async (...args: string[]): Promise<Run> => {
  const run = await runCli(['import', '--json', ...args], env())
  const documents = run.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return {
    code: run.code,
    files: documents.filter((one) => one.file).map((one) => one.file),
    summary: documents.at(-1).summary,
  }
}

describe('what is named', () => {
  test('a root of logs: every file arrives under its path, and as it lies there', async () => {
    putRoot()
    const { code, files } = await importJson(join(folder.path, 'logs'))
    expect([code, new Set(files.map((file) => [file.status, file.kind].join()))]).toEqual([
      0,
      new Set(['sent,autoskillit']),
    ])
    expect(sent()).toEqual(root.files)
    expect(new Set(posts().map((one) => one.path))).toEqual(new Set(['/api/v1/ingest/autoskillit']))
  })

  test.each([
    ['the folder of all runs', 'logs/sessions'],
    ['the folder of one run', `logs/sessions/${root.runs[0]!.dir}`],
    ['one file', `logs/sessions/${root.runs[0]!.dir}/summary.json`],
    ['a run in a folder of another name', 'copy'],
  ])('%s: the folder of the run goes with the name', async (_, path) => {
    putRoot()
    const { dir } = root.runs[0]!
    if (path === 'copy') renameSync(join(folder.path, 'logs', 'sessions'), join(folder.path, 'copy'))
    expect((await importJson(join(folder.path, path))).code).toBe(0)
    expect(
      [...sent().keys()].every((name) =>
        (path === 'copy' ? /^[^/]+\/[^/]+$/ : /^sessions\/[^/]+\/[^/]+$/).test(name),
      ),
    ).toBe(true)
    expect([...sent().keys()]).toContainEqual(expect.stringMatching(`${dir}/summary.json$`))
  })

  test('again: nothing is sent but the index, whose lines the server knows', async () => {
    putRoot()
    await importJson(join(folder.path, 'logs'))
    const before = posts().length
    const { code, summary } = await importJson(join(folder.path, 'logs'))
    expect([code, summary.bytes, summary.files]).toEqual([
      0,
      0,
      { sent: 0, known: root.files.size, left: 0, notTaken: 0, unsupported: 0 },
    ])
    expect(
      posts()
        .slice(before)
        .map((one) => one.headers['inquest-file']),
    ).toEqual(['sessions.jsonl'])
  })

  test('other files of a run are left out, an output that lies with it is not', async () => {
    const { dir } = root.runs[0]!
    folder.put(`logs/sessions/${dir}/meta.json`, '{"campaign_id":"c"}')
    folder.put(
      `logs/sessions/${dir}/raw_stdout.jsonl`,
      '{"type":"result","subtype":"success","is_error":false}\n',
    )
    folder.put('logs/.telemetry_cleared_at', '2026-04-06')
    const { code, files } = await importJson(join(folder.path, 'logs'))
    expect([code, files.map(({ status, kind }) => [status, kind])]).toEqual([
      0,
      [
        ['sent', 'claude-stream'],
        ['left', undefined],
        ['left', undefined],
      ].sort(),
    ])
  })
})

describe('folders that go while they are read', () => {
  test('are told, and no reason to fail', async () => {
    putRoot()
    const last = root.runs
      .map((run) => run.dir)
      .sort()
      .at(-1)!
    server.intercept = (request) => {
      if (request.method === 'POST')
        rmSync(join(folder.path, 'logs', 'sessions', last), { recursive: true, force: true })
      return false
    }
    const { code, files } = await importJson(join(folder.path, 'logs'))
    const gone = files.filter((file) => file.status === 'left')
    expect(code).toBe(0)
    expect(gone.length).toBeGreaterThan(0)
    for (const file of gone)
      expect(file).toMatchObject({
        path: expect.stringContaining(last),
        because: expect.stringContaining('removed during the import'),
      })
    expect(files.filter((file) => file.status === 'sent').length).toBe(root.files.size - gone.length)
  })

  test('also when they go before they are looked into', async () => {
    putRoot()
    symlinkSync(join(folder.path, 'nowhere'), join(folder.path, 'logs', 'sessions', 'gone'))
    const { code, files } = await importJson(join(folder.path, 'logs'))
    expect([code, files.filter((file) => file.status !== 'sent')]).toEqual([
      0,
      [
        expect.objectContaining({
          status: 'left',
          because: expect.stringContaining('removed during the import'),
        }),
      ],
    ])
  })

  test('a path that was named and is not there is still a failure, and so is a transcript that goes', async () => {
    expect((await importJson(join(folder.path, 'logs', 'sessions', 'nobody'))).code).toBe(1)
    for (let n = 10; n < 40; n += 1)
      folder.put(`t/${n}.jsonl`, transcript(`11111111-0000-4000-8000-0000000000${n}`, 2))
    server.intercept = (request) => {
      if (request.method === 'POST') rmSync(join(folder.path, 't', '39.jsonl'), { force: true })
      return false
    }
    expect((await importJson(join(folder.path, 't'))).code).toBe(1)
  })
})

test('--watch follows the index as it grows and as it is rewritten, and new folders, whose documents have no line end', async () => {
  const lines = index.match(/.*\n/g)!
  const path = folder.put('logs/sessions.jsonl', lines.slice(0, 2).join(''))
  const running = startCli(['import', '--watch', join(folder.path, 'logs')], env())
  await until(() => running.written().out.includes('Watching'), 20_000, 'following')
  appendFileSync(path, lines[2]! + lines[3]!.slice(0, 20))
  await until(() => posts().at(-1)!.body.toString() === lines[2], 10_000, 'the whole new line alone')
  appendFileSync(path, lines[3]!.slice(20))
  await until(() => posts().at(-1)!.body.toString() === lines[3], 10_000, 'the line that was torn')
  const { dir } = root.runs[4]!
  for (const name of ['token_usage.json', 'summary.json'])
    folder.put(`logs/sessions/${dir}/${name}`, root.files.get(`sessions/${dir}/${name}`)!)
  await until(
    () =>
      sent().get(`sessions/${dir}/token_usage.json`) === root.files.get(`sessions/${dir}/token_usage.json`),
    10_000,
    'a document of a new folder',
  )
  // The source removed the oldest folder.
  writeFileSync(path, lines.slice(1, 6).join(''))
  await until(
    () => posts().at(-1)!.body.toString() === lines.slice(1, 6).join(''),
    10_000,
    'the index as it is now',
  )
  rmSync(join(folder.path, 'logs', 'sessions', dir), { recursive: true })
  running.stop()
  expect((await running.done).code).toBe(0)
})
