import type { ConnectionCheck, ConnectionItem } from '@/lib/api/connection-schemas'
import { links } from '@/lib/links'
import { countOf } from '@/lib/text/amounts'
import { adminText } from '@/lib/words/cli/admin'
import { CliFailure, type ExitName } from '../exit-codes'
import { askServer } from '../http'
import type { Output } from '../output'
import type { Environment } from '../settings'
import { jsonBody, tableLines, withServer } from './with-server'

export interface NewSource {
  name: string
  address: string
  header: string
  credentialStdin?: boolean
  allowPrivate?: boolean
  interval?: number
  project?: string
}

const CREDENTIAL_BYTES_MAX = 64 * 1024

/** What opens the source: from standard input or the environment, never from the command line, where others can read it. */
async function readCredential(
  fromStdin: boolean,
  env: Environment,
  stdin: NodeJS.ReadableStream,
): Promise<string | null> {
  if (!fromStdin) return env.INQUEST_SOURCE_CREDENTIAL?.trim() || null
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > CREDENTIAL_BYTES_MAX) throw new CliFailure('usage', adminText.credentialTooLong)
  }
  const credential = text.trim()
  if (credential === '') throw new CliFailure('usage', adminText.noCredential)
  return credential
}

export async function addSource(
  source: NewSource,
  env: Environment,
  output: Output,
  stdin: NodeJS.ReadableStream,
): Promise<ExitName> {
  const value = await readCredential(source.credentialStdin === true, env, stdin)
  const { name, address: baseUrl, header, allowPrivate, interval: intervalSeconds, project } = source
  return withServer(env, async (client) => {
    const made = await askServer<ConnectionItem>(client, {
      method: 'POST',
      path: links.api.connections(),
      ...jsonBody({
        name,
        baseUrl,
        allowPrivate,
        intervalSeconds,
        project,
        ...(value === null ? {} : { header: { name: header, value } }),
        databaseUrl: env.INQUEST_SOURCE_DATABASE?.trim() || undefined,
      }),
    })
    output.record(made)
    output.line(
      `${made.id}  ${made.name}: ${made.baseUrl} is asked every ${made.intervalSeconds} s, ${value === null ? 'without a credential' : `with a credential in ${made.headerName}`}${made.hasDatabase ? '; reads its database' : ''}.`,
    )
    return 'fine'
  })
}

export const listSources = (env: Environment, output: Output): Promise<ExitName> =>
  withServer(env, async (client) => {
    const { items } = await askServer<{ items: ConnectionItem[] }>(client, {
      method: 'GET',
      path: links.api.connections(),
    })
    output.record({ items })
    const rows = items.map(
      ({ id, name, baseUrl, project, state, executions, lastOkAt, lastError, tables }) => [
        id,
        name,
        baseUrl,
        project,
        state,
        `${executions.known} known`,
        lastOkAt === null ? 'never fetched' : `fetched ${lastOkAt}`,
        [lastError?.text, tables?.text].filter(Boolean).join(' '),
      ],
    )
    const lines =
      items.length === 0
        ? [countOf(0, 'connection')]
        : tableLines([
            ['id', 'name', 'address', 'project', 'state', 'executions', 'last fetched', 'what failed'],
            ...rows,
          ])
    for (const line of lines) output.line(line.trimEnd())
    return 'fine'
  })

/** @returns `partly` when the source could not be asked, or an execution that was named could not be read whole */
export const checkSource = (
  id: string,
  run: string | undefined,
  env: Environment,
  output: Output,
): Promise<ExitName> =>
  withServer(env, async (client) => {
    const check = await askServer<ConnectionCheck>(client, {
      method: 'POST',
      path: links.api.connectionCheck(id),
      idleMs: 180_000,
      ...jsonBody({ run }),
    })
    output.record(check)
    if (!check.ok) output.line(check.failure?.text ?? adminText.sourceUnreachable)
    else output.line(adminText.sourceAnswers({ dialect: check.dialect, executions: check.executions ?? 0 }))
    if (check.run !== null)
      output.line(
        check.run.why ??
          `Execution ${run}: ${countOf(check.run.characters ?? 0, 'character')}, ${check.run.complete === true ? 'all its rows' : adminText.notAllRows}.`,
      )
    return check.ok && (check.run === null || check.run.complete === true) ? 'fine' : 'partly'
  })

export const removeSource = (id: string, env: Environment, output: Output): Promise<ExitName> =>
  withServer(env, async (client) => {
    await askServer(client, { method: 'DELETE', path: links.api.connection(id) })
    output.record({ removed: id })
    output.line(adminText.connectionRemoved({ id }))
    return 'fine'
  })
