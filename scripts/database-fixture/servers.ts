import { pollConnection } from '@/db/connections/poll'
import { analyseDirty } from '@/db/writes/derive/analyse'
import { ingestBody } from '@/db/writes/ingest'
import { SITE_ENV, askJson } from '@/e2e/support/database-fixture/site'
import type { Losses } from '@/e2e/support/noetl/losses'
import { SEED, seedRuns } from '@/e2e/support/noetl/seed'
import { type NoetlStandIn, startNoetlStandIn } from '@/e2e/support/noetl/stand-in'
import { links } from '@/lib/links'
import { type Loading, post, send } from './loading'

/** A check of one run with what a server may lose of it between two layers. */
const LOSSES: readonly Losses[] = [
  {},
  { scalarOnlyProjection: true },
  { flatDiagnosis: true },
  { handleInsteadOfDiagnosis: true },
  { contextCap: true, contextBytesMax: 200 },
  { stringifiedContext: true },
  { roundedIds: true },
  { pageCap: 3 },
]

/** What a worker replied, and how its row differs: in type, length, nulls and values. */
async function loadChanged(loading: Loading, executionId: string, reply: string): Promise<void> {
  const changed = reply
    .replace('"ok"', '"done"')
    .replace('"drafted":2', '"drafted":"2"')
    .replace('draft_reply"', 'draft_reply and more of it, which was cut"')
    .replace(/}$/, ',"gone":null,"list":[{"a":1},{"b":2}]}')
  await send(
    loading,
    'noetl',
    `{"layer":"worker","execution_id":"${SEED.parentOfCancelled}","node_name":"draft_reply","reply":${changed}}`,
    { 'inquest-source': 'Billing' },
  )
  await askJson(links.api.parity(executionId), { key: loading.keys.agent })
}

/**
 * In the other project: a run that was started to diagnose did not end well, so nobody knows whether its
 * diagnosis was lost.
 */
async function loadDoubtful({ db, otherProjectId, people }: Loading, standIn: NoetlStandIn): Promise<void> {
  const detail = async (run: string): Promise<string> =>
    (
      await fetch(`${standIn.url}/api/executions/${run}?page_size=500`, {
        headers: { authorization: 'Bearer fixture' },
      })
    ).text()
  const take = (text: string) =>
    post(`${links.api.ingest('noetl')}?project=warehouse`, {
      cookie: people.admin,
      body: new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>,
    })
  await take((await detail(SEED.diagnosis)).replaceAll('playbook.completed', 'execution.cancelled'))
  await standIn.set({ losses: { scalarOnlyProjection: 'event_log' } })
  await take(await detail(SEED.parent))
  await standIn.set({ losses: {} })
  const [run] = await db.sql<
    { id: string }[]
  >`select execution_id as id from execution_keys where project_id = ${otherProjectId} and external_id = ${SEED.parent}`
  await askJson(links.api.parity(run!.id), { cookie: people.admin })
}

/**
 * A connected server of the source with its poll state, raw records and captures, and checks of parity
 * with differences of several kinds.
 */
export async function loadServers(loading: Loading): Promise<void> {
  const { db, projectId, people } = loading
  const standIn = await startNoetlStandIn({ runs: seedRuns(), token: 'fixture' })
  try {
    const body = {
      project: 'default',
      name: 'Billing',
      baseUrl: `${standIn.url}/api`,
      header: { name: 'Authorization', value: 'Bearer fixture' },
      allowPrivate: true,
      databaseUrl: 'postgres://reader:secret@db.example/noetl',
    }
    const { id } = await post<{ id: string }>(links.api.connections(), { cookie: people.admin, body })
    // Its tables cannot be reached, which is a state of its own.
    const polling = {
      sql: db.sql,
      secret: SITE_ENV.INQUEST_SECRET,
      ingest: (given: Parameters<typeof ingestBody>[1]) => ingestBody(db, given),
      random: () => 0.5,
      server: { perSecond: 1000 },
    }
    await pollConnection({ projectId, id }, polling)
    const executionOf = async (run: string): Promise<string> =>
      (
        await db.sql<
          { id: string }[]
        >`select execution_id as id from execution_keys where project_id = ${projectId} and external_id = ${run}`
      )[0]!.id
    const capture = `{"layer":"worker","execution_id":"${SEED.parent}","node_name":"reconcile_ledger","reply":${standIn.workerReply(SEED.parent)}}`
    await send(loading, 'noetl', capture, { 'inquest-source': 'Billing' })
    await loadChanged(
      loading,
      await executionOf(SEED.parentOfCancelled),
      standIn.workerReply(SEED.parentOfCancelled)!,
    )
    await loadDoubtful(loading, standIn)
    // Each check asks the server, which then shows what it lost.
    for (const losses of LOSSES) {
      await standIn.set({ losses })
      for (const run of [SEED.parent, SEED.everyId, SEED.retrying])
        await askJson(links.api.parity(await executionOf(run)), { key: loading.keys.agent })
    }
    // What is found last is in the overview: each of these runs keeps a difference of its own.
    for (const [run, losses] of [
      [SEED.parent, { scalarOnlyProjection: true }],
      [SEED.everyId, { roundedIds: true }],
      [SEED.largeContext, { contextCap: true }],
    ] as const) {
      await standIn.set({ losses })
      await askJson(links.api.parity(await executionOf(run)), { key: loading.keys.agent })
    }
    await standIn.set({ losses: {}, faults: [{ kind: 'status', status: 500 }] })
    await askJson(links.api.parity(await executionOf(SEED.diagnosis)), { key: loading.keys.agent })
    const refused = await post<{ id: string }>(links.api.connections(), {
      cookie: people.admin,
      body: { ...body, name: 'Refused', header: { name: 'Authorization', value: 'Bearer other' } },
    })
    await standIn.set({ faults: [] })
    await pollConnection({ projectId, id: refused.id }, polling)
    // Paused: whoever restores this database must not ask a server that is not there.
    await askJson(links.api.connection(id), {
      method: 'PATCH',
      cookie: people.admin,
      body: { enabled: false },
    })
  } finally {
    await standIn.close()
  }
  await analyseDirty(db, { quietMs: 0 })
}
