import type { Db } from '@/db/client'
import { ask, askJson, type Ask } from '@/e2e/support/database-fixture/site'
import { links } from '@/lib/links'

/** A database that is being loaded, and who may do what in it. */
export interface Loading {
  db: Db
  projectId: string
  otherProjectId: string
  people: Record<'admin' | 'reviewer' | 'secondReviewer' | 'operator' | 'viewer', string>
  keys: Record<'agent' | 'reader', string>
}

export interface Sent {
  executions: { id: string }[]
  streamId: string | null
  nextOffset?: number
}

/** Ids of the fixture's own sessions: `family` distinguishes their kinds. */
export const sessionId = (family: string, n: number): string =>
  `f1f1f1f1-${family}-4000-8000-${String(n).padStart(12, '0')}`

const encoder = new TextEncoder()

/** Sends a body as the command line does: to the route of its kind, by the key of an agent. */
export async function send(
  { keys }: Pick<Loading, 'keys'>,
  kind: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  query = '',
): Promise<Sent> {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const how: Ask = { method: 'POST', key: keys.agent, body: bytes as Uint8Array<ArrayBuffer>, headers }
  return askJson<Sent>(`${links.api.ingest(kind)}${query}`, how)
}

export const post = <T = Record<string, unknown>>(address: string, how: Ask): Promise<T> =>
  askJson<T>(address, { method: 'POST', ...how })

/** For what the product refuses on purpose, because the refusal leaves a row. @returns the status */
export async function refused(address: string, how: Ask): Promise<number> {
  const response = await ask(address, { method: 'POST', ...how })
  await response.body?.cancel()
  if (response.ok) throw new Error(`${address} was to be refused, and was answered with ${response.status}`)
  return response.status
}
