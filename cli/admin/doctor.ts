import { hostname } from 'node:os'
import { CliFailure } from '../exit-codes'
import type { ExitName } from '../exit-codes'
import { drainSpool } from '../hook/send-frames'
import { createClient } from '../http'
import { claudeProjects } from '../import/claude-projects'
import type { Output } from '../output'
import { drainRecords } from '../record/drain-records'
import { readSettings } from '../settings'
import type { Environment } from '../settings'
import {
  agentFindings,
  analysisFindings,
  programFindings,
  serverFindings,
  settingsFinding,
  spoolFindings,
} from './findings'
import type { Finding } from './findings'

/** A key for CI can send and not read. */
const mayIngest = (server: Finding[]): boolean =>
  server.every(({ about, state }) => state === 'good' || about === 'key (read)') &&
  server.some(({ about }) => about === 'key (ingest)')

const mark = { good: 'ok  ', note: 'note', bad: 'BAD ' } as const

/** Looks at the whole set-up; the status says whether something is in the way. */
export async function runDoctor(
  { env, program, signal }: { env: Environment; program: string; signal: AbortSignal },
  output: Output,
): Promise<ExitName> {
  const findings: Finding[] = [...programFindings(program)]
  const sent = { frames: 0, records: 0 }
  try {
    const client = createClient(readSettings(env))
    try {
      const server = await serverFindings(client)
      findings.push(...server)
      if (server.some(({ about, state }) => about === 'key (read)' && state === 'good'))
        findings.push(...(await analysisFindings(client)))
      if (mayIngest(server)) {
        sent.frames = (
          await drainSpool({ client, env, source: hostname(), idleMs: 30_000, young: false })
        ).sent
        sent.records = (await drainRecords({ client, env, signal, patienceMs: 0 })).sent
      }
    } finally {
      client.close()
    }
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    findings.push(settingsFinding(error))
  }
  findings.push(...spoolFindings(env, sent), ...agentFindings(env, claudeProjects(env)))
  output.record({ findings })
  for (const { about, state, says, todo } of findings) {
    output.line(`${mark[state]} ${about}: ${says}`)
    if (todo !== undefined) output.line(`     ${todo}`)
  }
  return findings.some((finding) => finding.state === 'bad') ? 'partly' : 'fine'
}
