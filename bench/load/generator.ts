import { fork } from 'node:child_process'
import path from 'node:path'
import type { BenchContext } from '../support/result'
import type { Job, Load } from './closed-loop'

/** Starts the generator in a process of its own. @returns runs one job; one at a time */
export function startGenerator({ after }: BenchContext): (job: Job) => Promise<Load> {
  const child = fork(path.join(import.meta.dirname, 'generate.ts'), { execArgv: ['--import', 'tsx'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  after(async () => {
    if (child.connected) child.disconnect()
    await ended
  })
  return (job) =>
    new Promise((resolve, reject) => {
      const onExit = (code: number | null): void =>
        reject(new Error(`the generator ended with status ${code}`))
      child.once('exit', onExit)
      child.once('message', (load) => {
        child.off('exit', onExit)
        resolve(load as Load)
      })
      child.send(job)
    })
}
