import { setTimeout as pause } from 'node:timers/promises'
import type { CiExecutions } from '@/lib/api/decision-schemas'
import { isEmpty } from '@/lib/views/ci/ci-view'
import { links } from '@/lib/links'
import { CliFailure } from '../exit-codes'
import { askServer } from '../http'
import type { Client } from '../http'
import { summarise, type NamedRun } from './summary'

interface Asked {
  run: NamedRun
  job: string | null
  project: string | undefined
  /** Seconds to wait for what is under way. */
  waitS: number
}

const EVERY_MS = 1_000

/**
 * The executions of a CI run. With seconds to wait it asks again until something of the run (of its job) is there and nothing of it runs any
 * more; a server that is away may come back as long.
 */
export async function askCiRun(
  client: Client,
  { run, job, project, waitS }: Asked,
  signal: AbortSignal,
): Promise<CiExecutions> {
  const { provider, path, run: number } = run
  const end = Date.now() + waitS * 1000
  const address = links.api.ciRuns({ provider, path, run: number, project })
  for (;;) {
    try {
      const found = await askServer<CiExecutions>(client, { method: 'GET', path: address, signal })
      const { view } = summarise(found, run, job, client.settings.url)
      if (!isEmpty(view) && !view.open.some(({ outcome }) => outcome === 'running')) return found
      if (Date.now() + EVERY_MS > end) return found
    } catch (error) {
      if (!(error instanceof CliFailure) || error.exit !== 'unreachable' || Date.now() + EVERY_MS > end)
        throw error
    }
    await pause(EVERY_MS, undefined, { signal })
  }
}
