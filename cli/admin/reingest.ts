import { links } from '@/lib/links'
import type { ExitName } from '../exit-codes'
import { askServer } from '../http'
import { formatCount } from '../output'
import type { Output } from '../output'
import type { Environment } from '../settings'
import { jsonBody, withServer } from './with-server'

/** Has everything that is derived built anew from the kept bytes. It may take minutes; the answer comes when it is done. */
export function runReingest(
  which: { execution?: string; project?: string },
  env: Environment,
  output: Output,
): Promise<ExitName> {
  return withServer(env, async (client) => {
    const answer = await askServer<Record<string, unknown> | undefined>(client, {
      method: 'POST',
      path: links.api.reingest(),
      ...jsonBody({ execution: which.execution, project: which.project }),
      idleMs: 60 * 60_000,
    })
    output.record(answer ?? {})
    const counts = Object.entries(answer ?? {}).flatMap(([name, value]) =>
      typeof value === 'number' ? [`${formatCount(value)} ${name}`] : [],
    )
    output.line(`Built anew${counts.length > 0 ? `: ${counts.join(', ')}` : ''}.`)
    return 'fine'
  })
}
