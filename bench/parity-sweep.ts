import { openDb } from '@/db/client'
import { ingestBody } from '@/db/writes/ingest'
import { ensureProject } from '@/db/writes/projects'
import { readStoredLayers } from '@/db/writes/rederive'
import { reingest } from '@/db/writes/reingest'
import { checkInTurn, sweepParity } from '@/db/writes/sweep-parity'
import { startBenchServer } from './support/database'
import { Random } from './support/random'
import type { Bench, BenchResult, Cell } from './support/result'
import { writeSession } from './support/sessions'
import { median, noise, round } from './support/stats'

const SEED = 531
const MINUTE_MS = 60_000

/** How many executions a second the sweep checks without pauses, beside the parts of that work; and what it holds. */
export const benchParitySweep: Bench = async (context): Promise<BenchResult> => {
  const { log, small } = context
  const [sessions, rounds] = small ? [20, 2] : [100, 5]
  const { url } = await (await startBenchServer(context)).fresh()
  const db = openDb(url)
  context.after(() => db.close())
  const { id: projectId } = await ensureProject(db.sql, { slug: 'bench', name: 'Bench' })
  const random = new Random(SEED)
  const bodies = Array.from({ length: sessions }, () => Buffer.from(writeSession(random, { records: 40 + random.int(160), endsFailed: random.chance(0.3) })))
  const importing = performance.now()
  for (const bytes of bodies) await ingestBody(db, { projectId, source: null, kind: 'claude-transcript', bytes })
  const importMs = performance.now() - importing
  const ids = (await db.sql<{ id: string }[]>`select id from executions`).map(({ id }) => id)

  const ways: [string, () => Promise<unknown>][] = [
    ['the sweep, without pauses', async () => {
      await db.sql`update parity_standing set due_at = now() - interval '1 second'`
      const { checked } = await sweepParity(db, { budgetMs: 10 * MINUTE_MS, withinMs: 10 * MINUTE_MS, check: (order) => checkInTurn(db, order), pause: () => Promise.resolve() })
      if (checked !== ids.length) throw new Error(`${checked} of ${ids.length} were checked`)
    }],
    ['both layers read, nothing compared', async () => {
      for (const id of ids) await readStoredLayers(db, [projectId], id)
    }],
    ['the same kept bytes reingested', () => reingest(db, { projectId })],
  ]
  const times = ways.map((): number[] => [])
  let heapMb = 0
  const sample = setInterval(() => (heapMb = Math.max(heapMb, process.memoryUsage().heapUsed / 1024 / 1024)), 20)
  context.after(() => Promise.resolve(clearInterval(sample)))
  for (let i = -1; i < rounds; i++) {
    log(`round ${i + 1} of ${rounds}`)
    for (const [w, [, work]] of ways.entries()) {
      const start = performance.now()
      await work()
      // The first round warms up.
      if (i >= 0) times[w]!.push(performance.now() - start)
    }
  }
  const rate = (ms: number): number => round((ids.length / ms) * 1000, 1)
  const verdicts = await db.sql<{ verdict: string; n: number }[]>`select verdict, count(*)::int as n from parity_standing group by verdict order by verdict`
  const records = await db.sql<{ n: number }[]>`select sum(records)::int as n from executions`
  return {
    name: 'parity-sweep',
    what: `executions a second that the sweep checks, of ${sessions} transcripts of 40 to 200 records`,
    reference: 'reading both layers of the same executions, and building them anew for good; interleaved',
    budget: 'none: the sweep takes the share of each minute that INQUEST_PARITY_SWEEP gives it',
    met: null,
    seed: SEED,
    rows: ways.map(([way], w): Record<string, Cell> => ({
      way, 'executions a second': rate(median(times[w]!)), 'ms each': round(median(times[w]!) / ids.length), 'of the sweep': round(median(times[w]!) / median(times[0]!)), noise: round(noise(times[w]!)), rounds,
    })),
    details: [{
      records: records[0]!.n, 'MB of bytes': round(bodies.reduce((sum, { length }) => sum + length, 0) / 1e6, 1), 'first import, executions a second': rate(importMs),
      'heap at most, MB': round(heapMb, 0), verdicts: verdicts.map(({ verdict, n }) => `${n} ${verdict}`).join(', '),
    }],
    notes: ['heap at most is that of the whole process, all three ways in turn'],
  }
}
