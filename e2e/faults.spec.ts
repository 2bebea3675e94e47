import { isClean, tableOf } from '../scripts/faults/report'
import { runFaults } from '../scripts/faults/run'
import type { Fault } from '../scripts/faults/plan'
import { expect, test } from '@playwright/test'

/** One of each part that can be hit, where the others add nothing new. `npm run faults` has them all. */
const FEW: Fault[] = [
  'import: SIGKILL',
  'record: SIGKILL',
  'web: SIGKILL',
  'ingest thread: ended',
  'database: SIGQUIT',
  'backend: SIGKILL',
  'disk full',
]

test('whatever is killed in the middle of work, nothing is lost, doubled or left in the spool', async () => {
  test.setTimeout(400_000)
  const lines: string[] = []
  const report = await runFaults({
    seed: 1,
    rounds: FEW.length,
    faults: FEW,
    say: (line) => lines.push(line),
  })
  expect(isClean(report), `${lines.join('\n')}\n${tableOf(report)}\nseed ${report.seed}`).toBe(true)
})
