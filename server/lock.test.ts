import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processStamp } from '@/db/embedded/process-stamp'
import { LockHeld, takeLock, waitForLock } from './lock'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'inquest-lock-'))))
afterAll(() => rm(folder, { recursive: true }))

const exitedPid = (): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', ''])
    child.once('exit', () => resolve(child.pid!))
  })

describe('a lock', () => {
  test('is held by one, who is named to the others, until it is given back', async () => {
    const file = path.join(folder, 'a')
    const release = await takeLock(file)
    await expect(takeLock(file)).rejects.toMatchObject({ name: 'LockHeld', pid: process.pid })
    await release()
    await (await takeLock(file))()
    expect(await readdir(file)).toEqual([])
  })

  const stale: [string, () => Promise<string>][] = [
    [
      'of a process that is gone',
      async () => JSON.stringify({ pid: await exitedPid(), started: '1', held: true }),
    ],
    [
      'whose pid belongs to another process by now',
      async () => JSON.stringify({ ...(await processStamp(process.pid)), started: '12345', held: true }),
    ],
    ['that was cut short', async () => '{"pid":'],
    ['that is empty', async () => ''],
  ]
  test.each(stale)('left %s goes to exactly one of those who come', async (_, content) => {
    const file = path.join(folder, 'b')
    await mkdir(file, { recursive: true })
    await writeFile(path.join(file, '0000000000000000'), await content())
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(file)))
    const won = outcomes.filter((one) => one.status === 'fulfilled')
    expect(won).toHaveLength(1)
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(LockHeld)
    await expect(takeLock(file)).rejects.toBeInstanceOf(LockHeld)
    await won[0]!.value()
    expect(await readdir(file)).toEqual([])
  })

  test('goes to one of several processes that come at the same moment, again and again', async () => {
    const file = path.join(folder, 'd')
    for (let round = 0; round < 30; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => takeLock(file)))
      const won = outcomes.filter((one) => one.status === 'fulfilled')
      expect(won).toHaveLength(1)
      await won[0]!.value()
    }
  })

  test('is taken where a file of another kind lies in the way', async () => {
    const file = path.join(folder, 'e')
    await writeFile(file, 'not a lock')
    await (await takeLock(file))()
  })

  test('can be waited for, and tells once for whom', async () => {
    const file = path.join(folder, 'c')
    const release = await takeLock(file)
    const told: number[] = []
    const waiting = waitForLock(file, (pid) => told.push(pid))
    setTimeout(() => void release(), 600)
    await (await waiting)()
    expect(told).toEqual([process.pid])
  })
})
