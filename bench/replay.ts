import { openDb } from '@/db/client'
import { replayPolicies } from '@/db/queries/replay'
import { readRuns } from '@/db/queries/replay-runs'
import { CURRENT_POLICY, FORMER_POLICY, POLICIES } from '@/lib/judge/decisions/policies'
import { replay as replayRuns } from '@/lib/judge/decisions/replay'
import { filterOf } from './list/cases'
import { openBare, recordStatements, replay as sendAgain } from './list/record-statements'
import { RECORDED, seedDecisions } from './replay/seed-decisions'
import { startBenchServer } from './support/database'
import { Random } from './support/random'
import type { Bench, BenchResult, Cell } from './support/result'
import { median, noise, quantile, round } from './support/stats'

const SEED = 415
const BUDGET_MS = 1_000

/** Reading the evidence of a filter and replaying it under every policy, against its parts. */
export const benchReplay: Bench = async (context): Promise<BenchResult> => {
  const [decided, others, rounds] = context.small ? [2_000, 0, 8] : [10_000, 190_000, 40]
  const { url } = await (await startBenchServer(context, new Date('2026-11-15T00:00:00.000Z'))).fresh()
  const db = openDb(url)
  context.after(() => db.close())
  const bare = openBare(url)
  context.after(() => bare.end({ timeout: 5 }))
  context.log(`seeding ${decided} executions with decisions and ${others} without`)
  const seeded = await seedDecisions(db, new Random(SEED), { decided, others })
  const projectIds = [seeded.projectId]
  const ask = { projectIds, filter: filterOf({ source: [RECORDED] }), limit: decided }
  const recording = recordStatements(db)
  const { runs } = await readRuns(recording.db, ask)
  const statements = recording.taken()
  if (runs.filter(({ facts }) => facts !== null).length !== decided)
    throw new Error('not every execution has its facts')

  let bytes = 0
  const ways: [string, () => unknown][] = [
    [
      'reading and replaying under three policies',
      async () => {
        const { runs } = await readRuns(db, ask)
        for (const policy of POLICIES) replayRuns(runs, policy)
      },
    ],
    ['the same SQL through bare postgres.js, no replay', () => sendAgain(bare, statements)],
    ['the replay alone under three policies', () => POLICIES.map((policy) => replayRuns(runs, policy))],
    [
      'the whole answer: two policies, lists, sums, JSON',
      async () =>
        void (bytes = JSON.stringify(
          await replayPolicies(db, { ...ask, from: FORMER_POLICY, to: CURRENT_POLICY }),
        ).length),
    ],
  ]
  const times = ways.map((): number[] => [])
  const first: number[] = []
  for (let i = 0; i <= rounds; i++)
    for (const [w, [, work]] of ways.entries()) {
      const start = performance.now()
      await work()
      const ms = performance.now() - start
      // The first round pays for planning, for functions not yet compiled and for pages not yet read.
      if (i === 0) first.push(ms)
      else times[w]!.push(ms)
    }
  const rows = ways.map(
    ([name], w): Record<string, Cell> => ({
      what: name,
      'median ms': round(median(times[w]!)),
      'p95 ms': round(quantile(times[w]!, 0.95)),
      'first ms': round(first[w]!),
      'of the whole': round(median(times[w]!) / median(times[0]!)),
      noise: round(noise(times[w]!)),
      runs: rounds,
    }),
  )
  return {
    name: 'replay',
    what: `milliseconds of server time to read and replay ${decided.toLocaleString('en-US')} executions × ${POLICIES.length} policies, of ${(decided + others).toLocaleString('en-US')} executions stored`,
    reference:
      'the statements of the same reading through bare postgres.js, and the replay alone on what was read; interleaved, warm',
    budget: `10,000 executions × 3 policies ≤ ${BUDGET_MS} ms, p95`,
    met: quantile(times[0]!, 0.95) <= BUDGET_MS,
    seed: SEED,
    rows,
    details: [
      {
        'rules that fired': seeded.rules,
        'different verdicts': seeded.verdicts,
        chains: seeded.chains,
        statements: statements.length,
        'answer, kB': round(bytes / 1_000, 0),
      },
    ],
    notes: [],
  }
}
