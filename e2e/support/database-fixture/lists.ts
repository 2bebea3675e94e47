import { readOpenConnection } from '@/db/queries/connections'
import { links } from '@/lib/links'
import { sha256 } from './archive'
import { type Document, list, pick, without } from './documents'
import type { Json, Probe, Reading } from './probe'
import { ask, SITE_ENV } from './site'

/** Lists, counts of facets and what an administrator sees. */
export function listLists(
  get: (address: string) => Promise<Document>,
  { cookies, keys }: Reading['access'],
): Probe[] {
  const itemsOf = (name: string, address: string, names: readonly string[]): Probe => ({
    key: `verdict list ${name}`,
    read: async () => list((await get(address)).items).map((item) => Object.values(pick(item, names))),
  })
  return [
    itemsOf('executions', links.api.executions('limit=200'), ['id', 'outcome']),
    itemsOf('fixes', links.api.fixes({ limit: '100' } as never), ['id', 'state']),
    itemsOf('sources', links.api.sources(), ['id', 'project', 'kind', 'name', 'redact']),
    itemsOf('keys', links.api.keys(), ['id', 'project', 'name', 'start', 'scopes']),
    itemsOf('people', links.api.people(), ['id', 'name', 'email', 'globalAdmin', 'roles', 'invited']),
    itemsOf('connections', links.api.connections(), [
      'id',
      'name',
      'baseUrl',
      'state',
      'hasCredential',
      'hasDatabase',
      'enabled',
    ]),
    itemsOf('receipt keys', links.api.receiptKeys(), ['id', 'fingerprint', 'label', 'chainId', 'isCurrent']),
    itemsOf('parity different', links.api.parityExecutions({ window: 'all', show: 'different' }), [
      'verdict',
      'worst',
    ]),
    { key: 'verdict facets', read: async () => get(links.api.facets()) as Promise<Json> },
    {
      key: 'verdict parity',
      read: async () => {
        const { rate, heat } = await get(links.api.parityOverview({ window: 'all' }))
        return { rate: without(rate as Document, ['oldest']), heat: heat! }
      },
    },
    {
      key: 'verdict replay',
      read: async () => pick(await get(links.api.replay({})), ['from', 'to', 'total', 'replayable', 'flips']),
    },
    { key: 'verdict sign-in', read: () => readSignIns(cookies, keys) },
  ]
}

/**
 * What was sealed with the secret of the server still opens: of the value itself only a digest is written
 * down.
 */
export async function readSealed(sql: Reading['sql']): Promise<Json> {
  const rows = await sql<
    { projectId: string; id: string }[]
  >`select project_id as "projectId", id from source_connections order by id`
  return Promise.all(
    rows.map(async ({ projectId, id }): Promise<Json> => {
      const { header, databaseUrl, opened } = (await readOpenConnection(sql, SITE_ENV.INQUEST_SECRET, {
        projectIds: [projectId],
        id,
      }))!
      return {
        opened,
        header: header === null ? null : sha256(header.value),
        databaseUrl: databaseUrl === null ? null : sha256(databaseUrl),
      }
    }),
  )
}

/**
 * Who is let in by what is stored: each session and key asks for something that its role or scope allows, and
 * for something that it may not.
 */
async function readSignIns(cookies: Record<string, string>, keys: Record<string, string>): Promise<Json> {
  const statuses = async (how: { cookie?: string; key?: string }): Promise<Json> =>
    Promise.all(
      [links.api.executions(), links.api.fixes(), links.api.keys(), links.api.people()].map(
        async (address) => (await ask(address, how)).status,
      ),
    )
  const entries = [
    ...Object.entries(cookies).map(([name, cookie]) => [name, { cookie }] as const),
    ...Object.entries(keys).map(([name, key]) => [`key ${name}`, { key }] as const),
  ]
  return Object.fromEntries(
    await Promise.all(entries.map(async ([name, how]) => [name, await statuses(how)])),
  )
}
