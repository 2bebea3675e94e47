import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { runCli, startCli, until } from '../testing/run-cli'
import { env, folder, importJson, server, setUpImport } from '../testing/set-up-import'
import { startWriter, type ReceiptWriter } from '../testing/receipt-writer'

setUpImport()
let writer: ReceiptWriter | null = null
afterEach(async () => {
  await writer?.kill()
  writer = null
})

const path = (): string => join(folder.path, 'receipts.db')
const numbers = (): number[] => [...server.frames].map((text) => (JSON.parse(text) as { n: number }).n)
const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1)
/** Receipts of 10 kB: a hundred of them fill a body. */
const pad = 'x'.repeat(10_000)
const insert = (from: number, to: number): string =>
  upTo(to)
    .slice(from - 1)
    .map((n) => `insert into receipts values ('urn:${n}', 'c', 'success', '{"n":${n},"pad":"${pad}"}');`)
    .join(' ')
const posts = (): number => server.requests.filter(({ method }) => method === 'POST').length

test('a server that goes away in the middle of a database gets the rest when it is back, and nothing twice', async () => {
  writer = await startWriter(path(), 'wal')
  await writer.run(insert(1, 350))
  let fails = 2
  server.intercept = ({ method, body }, response) => {
    if (method !== 'POST' || posts() < 2 || fails-- <= 0) return false
    // Once it has taken them and its answer is lost, once it takes nothing.
    if (fails === 1) for (const line of body.toString().split('\n').filter(Boolean)) server.frames.add(line)
    response.socket!.destroy()
    return true
  }
  expect(await importJson(path())).toMatchObject({ code: 0, files: { 'receipts.db': { status: 'sent' } } })
  expect(numbers()).toEqual(upTo(350))
})

test('a server that stays away ends the import, and the next one takes what is missing', async () => {
  writer = await startWriter(path(), 'wal')
  await writer.run(insert(1, 350))
  server.intercept = ({ method }, response) => {
    if (method !== 'POST' || posts() < 3) return false
    response.socket!.destroy()
    return true
  }
  const cut = await runCli(['import', '--patience', '1', path()], env())
  expect(cut.code).toBe(3)
  expect(cut.err).toContain('Run it again')
  const before = numbers()
  expect(before).toEqual(upTo(before.length))
  expect(before.length).toBeGreaterThan(100)
  server.intercept = () => false
  expect(await importJson(path())).toMatchObject({
    code: 0,
    summary: { records: 350 - before.length, duplicates: before.length },
  })
  expect(numbers()).toEqual(upTo(350))
})

test('while it is followed neither a server nor an owner that is gone for a while loses a row', async () => {
  writer = await startWriter(path(), 'wal')
  await writer.run(insert(1, 3))
  const running = startCli(['import', '--watch', path()], env())
  await until(() => running.written().out.includes('Watching'), 20_000, 'following')
  await server.stop()
  await writer.run(insert(4, 130))
  await writer.kill()
  // What an owner that is killed leaves of its lock.
  rmSync(`${path()}.lock`, { recursive: true, force: true })
  await until(() => running.written().err.includes('unreachable'), 20_000, 'that the server is unreachable')
  await server.restart()
  await until(() => numbers().length === 130, 30_000, 'the rows that were written meanwhile')
  writer = await startWriter(path(), 'wal')
  await writer.run(insert(131, 140))
  await until(() => numbers().length === 140, 30_000, 'the rows of the owner that is back')
  expect(numbers()).toEqual(upTo(140))
  running.stop()
  expect((await running.done).code).toBe(0)
})

test('a database that its owner has locked for itself is read as it stood before, and its last change comes with the next look', async () => {
  writer = await startWriter(path(), 'delete')
  await writer.run(insert(1, 5))
  await writer.run('begin exclusive')
  await writer.run(insert(6, 9))
  const first = await importJson(path())
  expect(first).toMatchObject({ code: 0, summary: {} })
  expect(numbers()).toEqual(upTo(5))
  await writer.run('commit')
  expect(await importJson(path())).toMatchObject({ code: 0 })
  expect(numbers()).toEqual(upTo(9))
})
