import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { until } from '../testing/run-cli'
import { isRunning, stampOf } from './process-stamp'

describe('whether a recorder still runs', () => {
  test('this process does, and another one with its number does not', () => {
    const stamp = stampOf(process.pid)
    expect(isRunning(stamp)).toBe(true)
    expect(isRunning({ ...stamp, started: null })).toBe(true)
    if (stamp.started !== null) expect(isRunning({ ...stamp, started: '1' })).toBe(false)
  })

  test('one that has ended does not, even before its parent fetched it', async () => {
    // A shell that does not wait for its child.
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const stamp = stampOf(Number(line.toString()))
    await until(() => !isRunning(stamp), 10_000, 'it has ended')
    parent.kill('SIGKILL')
    await once(parent, 'exit')
  })
})
