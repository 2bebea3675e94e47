import { setTimeout as sleep } from 'node:timers/promises'
import type { ReingestItem } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import { countOf, formatCount } from '@/lib/text/amounts'
import { adminText } from '@/lib/words/cli/admin'
import type { ExitName } from '../exit-codes'
import { askServer, type Client } from '../http'
import type { Output } from '../output'
import type { Environment } from '../settings'
import { jsonBody, withServer } from './with-server'

const LOOK_MS = 500
const OPEN = ['queued', 'running', 'stopping']

/**
 * Rebuilds what is derived from the kept bytes: one execution at once, a project as a job of the server, which is watched until it ends.
 *
 * @param signal Ctrl-C: the server is asked to stop. A second one ends the program, and the job stops by itself
 */
export function runReingest(
  which: { execution?: string; project?: string },
  env: Environment,
  output: Output,
  signal: AbortSignal,
): Promise<ExitName> {
  return withServer(env, async (client) => {
    const answer = await askServer<ReingestItem | Counts>(client, {
      method: 'POST',
      path: links.api.reingest(),
      ...jsonBody({ execution: which.execution, project: which.project }),
      idleMs: 10 * 60_000,
    })
    return 'state' in answer ? watch(client, answer, output, signal) : tell(answer, output)
  })
}

interface Counts {
  executions: number
  quarantined: number
}

function tell(counts: Counts, output: Output): ExitName {
  output.record(counts)
  output.line(
    counts.quarantined > 0 ? adminText.analysisFailed : `Rebuilt ${countOf(counts.executions, 'execution')}.`,
  )
  return counts.quarantined > 0 ? 'partly' : 'fine'
}

async function watch(
  client: Client,
  started: ReingestItem,
  output: Output,
  signal: AbortSignal,
): Promise<ExitName> {
  let job = started
  let said = ''
  let isAsked = false
  while (OPEN.includes(job.state)) {
    await sleep(LOOK_MS, undefined, { signal: isAsked ? undefined : signal }).catch(() => {})
    if (signal.aborted && !isAsked) {
      isAsked = true
      output.note(adminText.stopping({ origin: client.settings.url.origin, path: job.url }))
      job = await askServer<ReingestItem>(client, { method: 'DELETE', path: job.url })
      continue
    }
    job = await askServer<ReingestItem>(client, { method: 'GET', path: job.url })
    const now = progressOf(job)
    if (now !== said && !output.json) output.note(now)
    said = now
  }
  return conclude(job, output)
}

const progressOf = ({ state, phase, done, total }: ReingestItem): string =>
  state === 'queued'
    ? adminText.queued
    : phase === 'fixes'
      ? 'Reading patches'
      : `${formatCount(done)} of ${countOf(Math.max(done, total), phase.slice(0, -1))}`

function conclude(job: ReingestItem, output: Output): ExitName {
  output.record(job)
  const counts = `${countOf(job.streams, 'stream')}, ${countOf(job.executions, 'execution')}, ${countOf(job.records, 'record')}`
  for (const { kind, name, error, message } of job.problems)
    output.line(`${kind} ${name}: ${error}: ${message}`)
  if (job.state === 'stopped') {
    output.line(adminText.rebuildStopped({ counts }))
    return 'interrupted'
  }
  if (job.state === 'failed') {
    output.line(adminText.rebuildFailed({ error: job.error, counts }))
    return 'failed'
  }
  output.line(
    `Rebuilt ${counts}${job.problemsTotal > 0 ? `; ${countOf(job.problemsTotal, 'problem')}, listed above` : ''}.`,
  )
  return job.problemsTotal > 0 ? 'partly' : 'fine'
}
