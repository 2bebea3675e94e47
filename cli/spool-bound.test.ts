import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readDropped, readUnreported } from './dropped'
import { boundRecords } from './record/record-files'
import { spoolFrame, refusedFolder } from './spool'
import { boundFrames } from './spool-bound'
import { makeFolder } from './testing/run-cli'
import type { Environment } from './settings'

let folder: ReturnType<typeof makeFolder>
let env: Environment
beforeEach(() => {
  folder = makeFolder()
  env = { INQUEST_STATE: join(folder.path, 'state') }
})
afterEach(() => folder.remove())

const spool = (): string => join(folder.path, 'state', 'spool')
const frames = (where = spool()): string[] => readdirSync(where).filter((name) => name.endsWith('.frame'))
/** Writes frames of ten bytes, one a millisecond. */
const write = (count: number, from: number, to: Environment = env): void => {
  for (let n = 0; n < count; n++) spoolFrame(to, Buffer.from(`{"n":${1000 + n}}`), from + n)
}
/** As if as much had been written as makes the next frame look. */
const lookNext = (): void => writeFileSync(join(spool(), 'written'), '.'.repeat(255))

test('a full spool drops the oldest frames of any server, a tenth more than it must, and notes how many', () => {
  write(10, 1_000_000_000_000)
  write(10, 1_000_000_000_100, { ...env, INQUEST_URL: 'http://far.example' })
  lookNext()
  boundFrames(env, 10, { count: 20, bytes: 1e9 })
  expect([frames().length, readDropped(env)]).toEqual([10, null])
  write(1, 1_000_000_000_200)
  lookNext()
  boundFrames(env, 10, { count: 20, bytes: 1e9 })
  expect(frames().length).toBe(8)
  expect(frames(join(spool(), 'for', 'far.example')).length).toBe(10)
  expect(readDropped(env)).toMatchObject({ frames: 3, records: 0, bytes: 30 })
  expect(readFileSync(join(folder.path, 'state', 'inquest.log'), 'utf8')).toContain('dropped 3 frames')
})

test('bytes are bounded as well, and what a server refused goes first', () => {
  write(10, 1_000_000_000_000)
  mkdirSync(refusedFolder(env), { recursive: true })
  for (let n = 0; n < 4; n++)
    writeFileSync(join(refusedFolder(env), `200000000000${n}-1-a${n}.frame`), 'ten bytes.')
  lookNext()
  boundFrames(env, 10, { count: 1e9, bytes: 115 })
  expect([frames(refusedFolder(env)).length, frames().length]).toEqual([0, 10])
  lookNext()
  boundFrames(env, 10, { count: 1e9, bytes: 60 })
  expect(frames().length).toBe(5)
  expect(readDropped(env)).toMatchObject({ frames: 9, bytes: 90 })
})

test('it looks after many frames or many bytes, not at each', () => {
  write(30, 1_000_000_000_000)
  for (let n = 0; n < 255; n++) boundFrames(env, 10, { count: 20, bytes: 1e9 })
  expect(frames().length).toBe(30)
  boundFrames(env, 10, { count: 20, bytes: 1e9 })
  expect(frames().length).toBe(18)
  write(12, 1_000_000_001_000)
  boundFrames(env, 16 * 1024 * 1024, { count: 20, bytes: 1e9 })
  expect(frames().length).toBe(18)
})

test('drafts that a killed hook left behind are removed, those of living ones stay', () => {
  write(1, 1_000_000_000_000)
  writeFileSync(join(spool(), '1000000000000-1-old.frame.draft'), 'torn')
  writeFileSync(join(spool(), `${Date.now()}-1-new.frame.draft`), 'under way')
  lookNext()
  boundFrames(env, 10)
  expect(readdirSync(spool()).filter((name) => name.endsWith('.draft'))).toEqual([
    expect.stringContaining('-1-new.frame.draft'),
  ])
})

const record = (at: number, bytes: number, below = 'records'): string => {
  const name = `${at}-00000000-0000-4000-8000-${String(at).padStart(12, '0').slice(-12)}`
  const path = folder.put(`state/spool/${below}/${name}/record.ndjson`, 'x'.repeat(bytes))
  // Long enough ago for its missing owner not to be one that was not written down yet.
  utimesSync(path, new Date(0), new Date(0))
  return join(path, '..')
}

test('records have bounds of their own: refused ones go first, then the oldest, never the newest or one at work', () => {
  const [oldest, newest] = [record(1_000_000_000_000, 100), record(1_000_000_000_900, 5_000)]
  const refused = record(1_000_000_000_500, 100, 'refused')
  const atWork = record(1_000_000_000_100, 100)
  writeFileSync(
    join(atWork, 'owner.json'),
    JSON.stringify({ pid: process.pid, started: null, host: hostname() }),
  )
  write(3, 1_000_000_000_000)
  boundRecords(env, { count: 2, bytes: 1e9 })
  expect([refused, oldest, newest].map((path) => existsSync(path))).toEqual([false, false, true])
  boundRecords(env, { count: 1, bytes: 10 })
  expect([newest, atWork].map((path) => existsSync(path))).toEqual([true, true])
  expect(frames().length).toBe(3)
  expect(readDropped(env)).toMatchObject({ frames: 0, records: 2, bytes: 200 })
})

test('what was dropped is untold until a server was told, and then only what came later', () => {
  write(30, 1_000_000_000_000)
  lookNext()
  boundFrames(env, 10, { count: 20, bytes: 1e9 })
  const unreported = readUnreported(env)!
  expect(unreported).toMatchObject({ frames: 12 })
  unreported.markReported()
  expect([readUnreported(env), readDropped(env)]).toEqual([null, expect.objectContaining({ frames: 12 })])
  write(12, 1_000_000_001_000)
  lookNext()
  boundFrames(env, 10, { count: 20, bytes: 1e9 })
  expect([readUnreported(env)!.frames, readDropped(env)!.frames]).toEqual([12, 24])
})
