import type { Db } from '@/db/client'
import { analyseDirty } from '@/db/writes/derive/analyse'
import { noteAllPatches } from '@/db/writes/publish/note-patches'
import { foldRollups } from '@/db/writes/publish/facet-counts'
import { checkInTurn, sweepParity } from '@/db/parity/sweep-parity'
import { askJson } from '@/e2e/support/database-fixture/site'
import { links } from '@/lib/links'
import { loadFixes } from './fixes'
import type { Loading } from './loading'
import { loadPeople } from './people'
import { loadPipelines } from './pipelines'
import { loadReceipts } from './receipts'
import { loadRuns } from './runs'
import { loadServers } from './servers'

/** Loads one of everything that this version can hold, each by the writer that the product itself uses. */
export async function loadEverything(db: Db, log: (line: string) => void): Promise<Loading> {
  const loading = await loadPeople(db)
  for (const [name, load] of Object.entries({
    runs: loadRuns,
    receipts: loadReceipts,
    pipelines: loadPipelines,
    servers: loadServers,
    fixes: loadFixes,
  })) {
    log(`loading ${name}`)
    await load(loading)
    // The counts of the facets are folded in between: what comes last stays in the deltas.
    if (name === 'servers') await foldRollups(db.sql as never)
  }
  while ((await analyseDirty(db, { quietMs: 0 })) > 0);
  log('comparing layers')
  await checkAll(loading)
  // As if the process had ended between a run that came and its patches: the next one hands them over.
  await noteAllPatches(db.sql)
  await outliveTheClock(db)
  return loading
}

/**
 * Compares layers by each of the triggers: because somebody asks, because a run has ended, and because it is
 * due again.
 */
async function checkAll({ db, projectId, keys }: Loading): Promise<void> {
  const due = await db.sql<
    { id: string }[]
  >`select execution_id as id from parity_standing where project_id = ${projectId} and checked_at is null order by 1`
  for (const { id } of due.slice(0, 20)) await askJson(links.api.parity(id), { key: keys.agent })
  const ids = due.slice(10, 50).map(({ id }) => id)
  await db.sql`update parity_standing set due_at = now() where execution_id = any (${ids}::uuid[])`
  await sweepParity(db, {
    budgetMs: 30_000,
    withinMs: 30_000,
    check: (order) => checkInTurn(db, order),
    pause: async () => {},
  })
}

/**
 * What ends by itself would have ended when the fixture is read in a year: sessions and open links are put
 * off for a century.
 */
async function outliveTheClock({ sql }: Db): Promise<void> {
  await sql`update sessions set expires_at = '2126-01-01', updated_at = '2126-01-01'`
  await sql`update one_time_links set expires_at = '2126-01-01' where used_at is null and expires_at > now()`
}
