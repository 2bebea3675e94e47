import { randomUUID } from 'node:crypto'
import { RUN_MARKER, type RecordedRun } from '../../lib/sample/recorded-run'
import type { seedWith } from './test'

type Seed = ReturnType<typeof seedWith>
type Run = Omit<RecordedRun, 'id'>

/** A run that ended well and delivered something else than was asked for: the false positive that the dead-end guard was made for. */
export const brokenContract: Run = {
  result: `Here is the plan of the shop; I did not write it to a file.\nverdict = GO\n${RUN_MARKER}`,
  expect: ['plan_path\\s*=\\s*/.+', 'verdict\\s*=\\s*(GO|NO_GO)'],
}

/** Three attempts of one piece of work: one that stopped early, one that broke its contract, one that delivered. */
export async function retriedWork(seed: Seed): Promise<string[]> {
  const key = `plan of the shop ${randomUUID()}`
  const attempts: Run[] = [
    { ...brokenContract, result: 'Half of the plan', channel: 'unmonitored', seconds: 40 },
    { ...brokenContract, costUsd: 0.34 },
    { ...brokenContract, result: `plan_path = /srv/shop/plan.md\nverdict = GO\n${RUN_MARKER}` },
  ]
  const ids: string[] = []
  for (const [index, one] of attempts.entries())
    ids.push(
      await seed.run({
        ...one,
        chain: { key, attempt: index + 1 },
        startedAt: `2026-11-02T09:${index}0:00.000Z`,
      }),
    )
  return ids
}

/** Attempts of one piece of work, ten minutes apart. */
export async function sendChain(
  seed: Seed,
  { branch, key, results }: { branch: string; key: string; results: string[] },
): Promise<string[]> {
  const ids: string[] = []
  for (const [i, result] of results.entries())
    ids.push(
      await seed.run({
        branch,
        result,
        chain: { key, attempt: i + 1 },
        startedAt: new Date(Date.UTC(2026, 10, 2, 8, 10 * i)).toISOString(),
      }),
    )
  return ids
}
