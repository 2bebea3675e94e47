import path from 'node:path'
import * as fixesOf from '@/app/api/v1/executions/[id]/fixes/route'
import * as changesOf from '@/app/api/v1/executions/[id]/changes/route'
import * as linksOf from '@/app/api/v1/fixes/[id]/links/route'
import * as people from '@/app/api/v1/people/route'
import * as sample from '@/app/api/v1/sample/route'
import { Transcript } from '@/db/seed/transcript'
import { ingestBody } from '@/db/writes/ingest'
import { requestReingest } from '@/db/rebuild/reingest-job'
import { OPERATIONS } from '@/lib/api/operations/all'
import type { Operation } from '@/lib/api/operation'
import { links } from '@/lib/links'
import { sampleReceipts } from '@/lib/sample/receipts'
import { ask, type World } from '../test-support'

const app = path.resolve(import.meta.dirname, '../..')
const SESSION = '0f7e0000-0000-4000-8000-000000000001'

/** A GET of the OpenAPI document, with what it needs to find something. */
export interface ReadRequest {
  operation: Operation
  params: Record<string, string>
  query: Record<string, string>
  /** `query` is added to its own, for which `only` may be given instead. */
  send: (change?: {
    query?: Record<string, string>
    only?: Record<string, string>
    headers?: Record<string, string>
  }) => Promise<Response>
}

/** Stores something for every GET operation to find, and answers one request for each of them. */
export async function seedReadRequests(world: World): Promise<ReadRequest[]> {
  const admin = await world.cookie('admin', { globalAdmin: true })
  const post = async <T>(
    handler: unknown,
    address: string,
    params: Record<string, string>,
    body: BodyInit | object,
  ): Promise<T> => {
    const answer = await ask(handler, address, { method: 'POST', cookie: admin, params, body })
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  await post(sample.POST, links.api.sample(), {}, {})
  const { executions, streamId } = await ingestBody(world.db, {
    projectId: world.project.id,
    source: null,
    kind: 'claude-transcript',
    bytes: Buffer.from(
      new Transcript({ sessionId: SESSION })
        .user('go')
        .call(
          'Write',
          {},
          {
            toolResult: {
              type: 'create',
              filePath: '/n',
              content: 'a\n',
              structuredPatch: [],
              originalFile: null,
            },
          },
        )
        .call('Bash', { command: 'make' }, { fails: 'Exit code 2' }).text,
    ),
  })
  const { id } = executions[0]!
  const changes = (await (
    await ask(changesOf.GET, links.api.changes(id), { cookie: admin, params: { id } })
  ).json()) as { items: { ordinal: number }[] }
  const form = new FormData()
  form.set('patch', new Blob(['--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new\n']), 'fix.patch')
  form.set('proposal', JSON.stringify({ task: 'one' }))
  form.set('transcript', new Blob(['{}\n']), 'agent.jsonl')
  const { fix } = await post<{ fix: { id: string } }>(
    fixesOf.POST,
    links.api.executionFixes(id),
    { id },
    form,
  )
  const share = await post<{ url: string }>(
    linksOf.POST,
    links.api.ofFix(fix.id, 'links'),
    { id: fix.id },
    {},
  )
  const invited = await post<{ link: string }>(
    people.POST,
    links.api.people(),
    {},
    {
      email: 'someone@example.test',
      role: 'viewer',
    },
  )
  const job = await requestReingest(world.db.sql, { projectId: world.project.id, actor: 'system' })
  const [receipt] = await world.db.sql<{ id: string }[]>`select execution_id as id from receipts limit 1`
  const [part] = await world.db.sql<{ sha256: string }[]>`select sha256 from received limit 1`
  const chain = (await sampleReceipts()).chains[0]!.chainId

  const PARAMS: [prefix: string, params: Record<string, string>][] = [
    ['/api/v1/executions/{id}/changes/{ordinal}', { id, ordinal: String(changes.items[0]!.ordinal) }],
    ['/api/v1/executions/{id}/receipt-chains', { id: receipt!.id }],
    ['/api/v1/executions/{id}', { id }],
    ['/api/v1/fixes/{id}', { id: fix.id }],
    ['/api/v1/shared-patches/{token}', { token: /\/shared\/(.+)\.patch$/.exec(share.url)![1]! }],
    ['/api/v1/one-time-links/{token}', { token: new URL(invited.link).searchParams.get('link')! }],
    ['/api/v1/reingest/{id}', { id: job.id }],
    ['/api/v1/received/{sha256}', { sha256: part!.sha256 }],
    ['/api/v1/ingest/streams/{streamId}', { streamId: streamId! }],
  ]
  const QUERIES: [prefix: string, query: Record<string, string>][] = [
    ['/api/v1/receipt-chains', { id: chain }],
    ['/api/v1/find', { id: SESSION }],
    ['/api/v1/ci-runs', { provider: 'github', path: 'acme/shop', run: '1' }],
  ]
  const startOf = (all: [string, Record<string, string>][], address: string): Record<string, string> =>
    all.find(([prefix]) => address.startsWith(prefix))?.[1] ?? {}

  return Promise.all(
    OPERATIONS.filter(({ method }) => method === 'get').map(async (operation): Promise<ReadRequest> => {
      const folder = operation.path.replaceAll('{', '[').replaceAll('}', ']')
      const { GET } = (await import(path.join(app, folder, 'route.ts'))) as { GET: unknown }
      const params = startOf(PARAMS, operation.path)
      const query = startOf(QUERIES, operation.path)
      const address = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(params[name]!),
      )
      return {
        operation,
        params,
        query,
        send: ({ query: more = {}, only = query, headers } = {}) =>
          ask(GET, `${address}?${new URLSearchParams({ ...only, ...more }).toString()}`, {
            cookie: admin,
            params,
            headers,
          }),
      }
    }),
  )
}
