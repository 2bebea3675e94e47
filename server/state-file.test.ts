import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSettings } from '@/cli/settings'
import { enterServer, forgetDeadServers } from './state-file'

let folder: string
let others: ChildProcess[]
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'inquest-state-')), 'state')
  others = []
})
afterEach(async () => {
  await Promise.all(others.map(end))
  await rm(path.dirname(folder), { recursive: true, force: true })
})

/** Another process, in whose name a server is entered. */
function other(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  others.push(child)
  return child.pid!
}
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
const enter = (name: string, pid?: number) =>
  enterServer(folder, { url: `http://127.0.0.1:4790/${name}`, token: `key of ${name}` }, pid)
/** The key that the command line finds. */
const found = (): string => readSettings({ INQUEST_STATE: folder }).token

test('the server that started last is found, by its owner only', async () => {
  await enter('first')
  await enter('second', other())
  expect(found()).toBe('key of second')
  for (const file of ['server.json', 'servers'])
    expect((await stat(path.join(folder, file))).mode & 0o077, file).toBe(0)
})

test('when the later server ends, the first one is found again, and after the last one none', async () => {
  const first = await enter('first')
  const second = await enter('second', other())
  const third = await enter('third', other())
  await second.leave()
  expect(found()).toBe('key of third')
  await third.leave()
  expect(found()).toBe('key of first')
  await first.leave()
  expect(found).toThrow(/No server is configured/)
})

test('a server that crashed is not handed on to, and a living one takes its place', async () => {
  const first = await enter('first')
  await enter('second', other())
  const third = await enter('third', other())
  await end(others[0]!)
  await third.leave()
  expect(found()).toBe('key of first')
  await enter('fourth', other())
  await end(others[2]!)
  expect(found()).toBe('key of fourth')
  await first.keep()
  expect(found()).toBe('key of first')
})

test('a sign of life leaves the file of another living server alone, and mends one that is gone or torn', async () => {
  const first = await enter('first')
  await enter('second', other())
  await first.keep()
  expect(found()).toBe('key of second')
  for (const spoil of [
    () => rm(path.join(folder, 'server.json')),
    () => writeFile(path.join(folder, 'server.json'), '{ torn', { mode: 0o600 }),
    () =>
      rm(folder, { recursive: true })
        .then(() => enter('again', other()))
        .then(() => end(others.at(-1)!)),
  ]) {
    await spoil()
    await first.keep()
    expect(found()).toBe('key of first')
  }
})

test('the next start forgets what crashes left behind, and answers their keys', async () => {
  await enter('first')
  await enter('second', other())
  expect(await forgetDeadServers(folder)).toEqual([])
  await end(others[0]!)
  expect(await forgetDeadServers(folder)).toEqual(['key of second'])
  expect(await forgetDeadServers(folder)).toEqual([])
})

test('of a server on another machine that shares the folder, the signs of life count', async () => {
  await enter('far')
  const file = path.join(folder, 'server.json')
  const far = (await readFile(file, 'utf8')).replace(/"host":"[^"]*"/, '"host":"elsewhere.example"')
  await writeFile(file, far.replace(/"pid":\d+/, '"pid":1'))
  const here = await enter('here')
  await here.leave()
  await writeFile(file, far)
  expect(await forgetDeadServers(folder)).toEqual([])
  const longAgo = new Date(Date.now() - 60 * 60_000)
  await utimes(file, longAgo, longAgo)
  expect(await forgetDeadServers(folder)).toEqual(['key of far'])
})
