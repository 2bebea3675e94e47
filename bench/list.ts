import { openDb, type Db } from '@/db/client'
import { countExecutions, listExecutions, listFacets } from '@/db/queries/executions'
import type { ExecutionFilter } from '@/lib/model/filter-types'
import { LIST_CASES, type ListCase, type Words } from './list/cases'
import { openBare, recordStatements, replay } from './list/record-statements'
import { PROJECT, SEEDED_NOW, seedList } from './list/seed-list'
import { startBenchServer } from './support/database'
import { Random } from './support/random'
import type { Bench, BenchContext, BenchResult, Cell } from './support/result'
import { median, quantile, round } from './support/stats'

const SEED = 20261121
const RATIO_MAX = 3
const FLAT_MAX = 1.5
const projectIds = [PROJECT]

interface Timed {
  p50: number
  p95: number
  bareP50: number
  bareP95: number
  runs: number
  ratio: number
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function cursorOfPage50(db: Db, filter: ExecutionFilter): Promise<string | null> {
  let cursor: string | null = null
  for (let page = 1; page < 50; page++)
    cursor = (await listExecutions(db, { projectIds, filter, cursor })).nextCursor ?? cursor
  return cursor
}

/** One seeded database, with everything that is asked of it open. */
interface Target {
  url: string
  db: Db
  words: Words
}

/** Interleaved: our call, then its statements through the bare driver, at the one size and at the other, again and again. */
async function measureCase(
  targets: readonly Target[],
  listCase: ListCase,
  context: BenchContext,
): Promise<Timed[]> {
  const sides = await Promise.all(targets.map((target) => openSide(target, listCase)))
  const until = performance.now() + (context.small ? 4_000 : 20_000)
  try {
    for (let i = 0; i < 200 && (i < 25 || performance.now() < until); i++)
      // The first rounds pay for planning and for functions not yet compiled, on both sides.
      for (const side of sides) await side.round(i >= 5)
    return sides.map((side) => side.timed())
  } finally {
    for (const side of sides) await side.close()
  }
}

async function openSide({ url, db, words }: Target, listCase: ListCase) {
  const random = new Random(SEED)
  const recording = recordStatements(db)
  const bare = openBare(url)
  const deep = listCase.ask === 'page 50' ? await cursorOfPage50(db, listCase.filter(random, words)) : null
  const ask = (over: Db, filter: ExecutionFilter): Promise<unknown> =>
    listCase.ask === 'facets'
      ? listFacets(over, { projectIds, filter })
      : listCase.ask === 'count'
        ? countExecutions(over, { projectIds, filter })
        : listExecutions(over, { projectIds, filter, cursor: deep })
  const ours: number[] = []
  const theirs: number[] = []
  return {
    round: async (counts: boolean): Promise<void> => {
      const filter = listCase.filter(random, words)
      await ask(recording.db, filter)
      const recorded = recording.taken()
      await replay(bare, recorded)
      const first = await timed(() => ask(db, filter))
      const second = await timed(() => replay(bare, recorded))
      if (!counts) return
      ours.push(first)
      if (recorded.length > 0) theirs.push(second)
    },
    timed: (): Timed => {
      const [p95, bareP95] = [quantile(ours, 0.95), quantile(theirs, 0.95)]
      return {
        p50: median(ours),
        p95,
        bareP50: median(theirs),
        bareP95,
        runs: ours.length,
        ratio: p95 / bareP95,
      }
    },
    close: () => bare.end({ timeout: 5 }),
  }
}

/** Picks words by how many rows of a sample hold them; the commonest word is in about six of ten. */
async function pickWords(db: Db, executions: number): Promise<Words> {
  const percent = Math.min(100, 5_000_000 / executions)
  const rows = await db.sql<{ word: string; n: number }[]>`
    select word, count(*)::int as n from (select unnest(tsvector_to_array(search)) as word from executions tablesample bernoulli (${percent}) repeatable (7)) w
    group by word order by n desc, word`
  const sampled = rows[0]!.n / 0.6
  const share = (row: { n: number }) => row.n / sampled
  const isWord = (row: { word: string }) => row.word.length === 6
  return {
    common: rows
      .filter((row) => isWord(row) && share(row) > 0.05)
      .map((row) => row.word)
      .slice(0, 20),
    rare: rows
      .filter((row) => isWord(row) && share(row) < 0.002 && row.n > 1)
      .map((row) => row.word)
      .slice(0, 400),
    single: rows
      .filter((row) => row.word.length === 12)
      .map((row) => row.word)
      .slice(0, 400),
  }
}

/** The list of executions on two sizes of the same data, against the statements it sends through the bare driver. */
export const benchList: Bench = async (context): Promise<BenchResult> => {
  const sizes = context.small
    ? [20_000, 100_000]
    : context.large
      ? [1_000_000, 10_000_000]
      : [100_000, 1_000_000]
  const eventsEach = context.small ? 0 : context.large ? 1 : 10
  const server = await startBenchServer(context, SEEDED_NOW)
  const targets: Target[] = []
  const details: Record<string, Cell>[] = []
  for (const executions of sizes) {
    const { url } = await server.fresh()
    context.log(`seeding ${executions.toLocaleString('en-US')} executions`)
    const seeded = await seedList(url, { executions, eventsEach, log: context.log })
    details.push({
      executions,
      events: executions * eventsEach,
      'seeding, s': seeded.seconds,
      'executions, GB': round(seeded.executionBytes / 1e9),
      'events, GB': round(seeded.eventBytes / 1e9),
      'database, GB': round(seeded.databaseBytes / 1e9),
    })
    const db = openDb(url)
    context.after(() => db.close())
    targets.push({ url, db, words: await pickWords(db, executions) })
  }
  const [small, large] = [new Map<ListCase, Timed>(), new Map<ListCase, Timed>()]
  for (const listCase of LIST_CASES) {
    const [a, b] = (await measureCase(targets, listCase, context)) as [Timed, Timed]
    small.set(listCase, a)
    large.set(listCase, b)
    context.log(
      `${listCase.ask}, ${listCase.name}: p95 ${b.p95.toFixed(2)} ms, bare ${b.bareP95.toFixed(2)} ms`,
    )
  }
  const label = (size: number): string => (size >= 1_000_000 ? `${size / 1_000_000} M` : `${size / 1_000} k`)
  const rows = LIST_CASES.map((listCase) => {
    const [a, b] = [small.get(listCase)!, large.get(listCase)!]
    const [nameA, nameB] = sizes.map(label) as [string, string]
    const of = (t: Timed, name: string): Record<string, Cell> => ({
      [`${name} p50`]: round(t.p50),
      [`${name} p95`]: round(t.p95),
      [`bare p50 (${name})`]: Number.isFinite(t.bareP50) ? round(t.bareP50) : null,
      [`bare p95 (${name})`]: Number.isFinite(t.bareP95) ? round(t.bareP95) : null,
      [`ratio (${name})`]: Number.isFinite(t.ratio) ? round(t.ratio) : null,
    })
    return {
      ask: listCase.ask,
      filter: listCase.name,
      ...of(a, nameA),
      ...of(b, nameB),
      'p95 grew by': round(b.p95 / a.p95),
      runs: b.runs,
    }
  })
  const isPage = (listCase: ListCase): boolean => listCase.ask.startsWith('page')
  const pages = LIST_CASES.filter(isPage)
  const slow = pages.filter((c) => [small, large].some((m) => m.get(c)!.ratio > RATIO_MAX))
  const steep = pages.filter((c) => large.get(c)!.p95 / small.get(c)!.p95 > FLAT_MAX)
  const name = (c: ListCase): string => `${c.ask}, ${c.name}`
  return {
    name: 'list',
    what: `milliseconds of one page of the filtered list (50 rows), of its facets and of capped counts, at ${sizes.map(label).join(' and ')} executions`,
    reference:
      'the statements over executions that the same call sent, with the same values, one after another through bare postgres.js; both and both sizes interleaved, warm',
    budget: `page p95 ≤ ${RATIO_MAX} × bare at both sizes, and p95 grows by ≤ ${FLAT_MAX} × between them`,
    met: slow.length === 0 && steep.length === 0,
    seed: SEED,
    rows,
    details,
    notes: [
      ...(slow.length ? [`above ${RATIO_MAX} ×: ${slow.map(name).join('; ')}`] : []),
      ...(steep.length ? [`not flat: ${steep.map(name).join('; ')}`] : []),
      'no bare figure: the answer came from rollups alone',
      'values of a filter differ from run to run; facets and counts stand outside of the budget and are shown for their size',
    ],
  }
}
