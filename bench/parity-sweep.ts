import { openDb } from '@/db/client'
import { ingestBody } from '@/db/writes/ingest'
import { ensureProject } from '@/db/projects'
import { readStoredLayers } from '@/db/rebuild/rederive'
import { reingest } from '@/db/rebuild/reingest'
import { checkInTurn, sweepParity, type SweepOptions } from '@/db/parity/sweep-parity'
import { connectNoetl, type NoetlSource } from './parity/noetl-source'
import { startBenchServer } from './support/database'
import { Random } from './support/random'
import type { Bench, BenchResult, Cell } from './support/result'
import { writeSession } from './support/sessions'
import { median, noise, round } from './support/stats'

const SEED = 531
const MINUTE_MS = 60_000

/** How many executions a second the sweep checks without pauses, of transcripts and of a connected source, beside the parts of that work; and what it holds. */
export const benchParitySweep: Bench = async (context): Promise<BenchResult> => {
  const { log, small } = context
  const [sessions, runs, rounds] = small ? [20, 8, 2] : [100, 40, 5]
  const server = await startBenchServer(context)
  const { url } = await server.fresh()
  const db = openDb(url)
  context.after(() => db.close())
  const { id: projectId } = await ensureProject(db.sql, { slug: 'bench', name: 'Bench' })
  const random = new Random(SEED)
  const bodies = Array.from({ length: sessions }, () =>
    Buffer.from(writeSession(random, { records: 40 + random.int(160), endsFailed: random.chance(0.3) })),
  )
  const importing = performance.now()
  for (const bytes of bodies)
    await ingestBody(db, { projectId, source: null, kind: 'claude-transcript', bytes })
  const importMs = performance.now() - importing
  const idsOf = async (project: string): Promise<string[]> =>
    (await db.sql<{ id: string }[]>`select id from executions where project_id = ${project}`).map(
      ({ id }) => id,
    )
  const ids = await idsOf(projectId)
  log(`taking in ${runs} runs of a connected source`)
  const { id: noetlId } = await ensureProject(db.sql, { slug: 'noetl', name: 'NoETL' })
  const source = await connectNoetl(context, db, noetlId, (await server.fresh()).url, random, runs)
  const runIds = await idsOf(noetlId)

  let gaveWay = 0
  const sweep = (own: readonly string[], fetch?: NoetlSource['fetch']) => async (): Promise<void> => {
    const open = new Set(own)
    const check: SweepOptions['check'] = async (order) => {
      const answer = await checkInTurn(db, order)
      if (answer === 'checked') open.delete(order.executionId)
      return answer
    }
    const onError = (cause: unknown): never => {
      throw new Error('a check broke', { cause })
    }
    // One that gave way, to the database's own housekeeping, has its turn again.
    while (open.size > 0) {
      await db.sql`update parity_standing set due_at = case when execution_id = any (${[...open]}::uuid[]) then now() - interval '1 second' end`
      const swept = await sweepParity(db, {
        budgetMs: 10 * MINUTE_MS,
        withinMs: 10 * MINUTE_MS,
        check,
        fetch,
        pause: () => Promise.resolve(),
        onError,
      })
      if (swept.checked + swept.gaveWay === 0)
        throw new Error(`${open.size} of ${own.length} were not checked`)
      gaveWay += swept.gaveWay
    }
  }
  const read = async (): Promise<void> => {
    for (const id of ids) await readStoredLayers(db, [projectId], id)
  }
  const ask = async (): Promise<void> => {
    for (const id of runIds) await source.fetch(noetlId, id)
  }
  const ways: { of: string; way: string; executions: number; work: () => Promise<unknown> }[] = [
    { of: 'transcripts', way: 'the sweep, without pauses', executions: ids.length, work: sweep(ids) },
    { of: 'transcripts', way: 'both layers read, nothing compared', executions: ids.length, work: read },
    {
      of: 'transcripts',
      way: 'the same kept bytes reingested',
      executions: ids.length,
      work: () => reingest(db, { projectId }),
    },
    {
      of: 'runs of NoETL',
      way: 'the sweep, with log and API asked',
      executions: runIds.length,
      work: sweep(runIds, source.fetch),
    },
    { of: 'runs of NoETL', way: 'the sweep, nobody asked', executions: runIds.length, work: sweep(runIds) },
    { of: 'runs of NoETL', way: 'log and API asked, nothing compared', executions: runIds.length, work: ask },
  ]
  const times = ways.map((): number[] => [])
  let heapMb = 0
  const sample = setInterval(
    () => (heapMb = Math.max(heapMb, process.memoryUsage().heapUsed / 1024 / 1024)),
    20,
  )
  context.after(() => Promise.resolve(clearInterval(sample)))
  for (let i = -1; i < rounds; i++) {
    log(`round ${i + 1} of ${rounds}`)
    for (const [w, { work }] of ways.entries()) {
      const start = performance.now()
      await work()
      // The first round warms up.
      if (i >= 0) times[w]!.push(performance.now() - start)
    }
  }
  const rate = (executions: number, ms: number): number => round((executions / ms) * 1000, 1)
  const verdicts = await db.sql<{ project: string; verdict: string; n: number }[]>`
    select p.slug as project, verdict, count(*)::int as n from parity_standing s join projects p on p.id = s.project_id group by 1, 2 order by 1, 2`
  const verdictsOf = (slug: string): string =>
    verdicts.flatMap(({ project, verdict, n }) => (project === slug ? [`${n} ${verdict}`] : [])).join(', ')
  const records = await db.sql<
    { n: number }[]
  >`select sum(records)::int as n from executions where project_id = ${projectId}`
  return {
    name: 'parity-sweep',
    what: `executions a second that the sweep checks, of ${sessions} transcripts of 40 to 200 records and of ${runs} runs of a connected NoETL source of 9 to 198 rows`,
    reference:
      'reading both layers of the same transcripts, and building them anew for good; asking the source alone; interleaved',
    budget: 'none: the sweep takes the share of each minute that INQUEST_PARITY_SWEEP gives it',
    met: null,
    seed: SEED,
    rows: ways.map(
      ({ of, way, executions }, w): Record<string, Cell> => ({
        of,
        way,
        'executions a second': rate(executions, median(times[w]!)),
        'ms each': round(median(times[w]!) / executions),
        noise: round(noise(times[w]!)),
        rounds,
      }),
    ),
    details: [
      {
        of: 'transcripts',
        records: records[0]!.n,
        'MB of bytes': round(bodies.reduce((sum, { length }) => sum + length, 0) / 1e6, 1),
        'first import, executions a second': rate(ids.length, importMs),
        verdicts: verdictsOf('bench'),
      },
      { of: 'runs of NoETL', records: source.rows, verdicts: verdictsOf('noetl') },
    ],
    notes: [
      `heap of the process at most, all ways in turn: ${round(heapMb, 0)} MB; ${gaveWay} checks gave way, and were made again`,
      'the stand-in and the tables of the source are on the same machine, and answer in this process and this server of the database',
    ],
  }
}
