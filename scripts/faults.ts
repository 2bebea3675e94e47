import { parseArgs } from 'node:util'
import { FAULTS } from './faults/plan'
import { isClean, repeats, tableOf } from './faults/report'
import { runFaults } from './faults/run'

/**
 * `npm run faults`: kills the command line, the server, its threads and its database in the middle of work, fills
 * the disk, and compares what is stored with what undisturbed work stores. `--rounds` (100), `--seed`, `--from` the
 * number of a round, `--only` a part of the names of the faults. The exit status is 1 when anything was lost,
 * doubled, different, ended with a wrong status, waits in the spool, or needed somebody to start the server.
 *
 * @see docs/reliability.md
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    from: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
})
const report = await runFaults({
  seed: Number(values.seed),
  rounds: Number(values.rounds),
  from: Number(values.from),
  faults: FAULTS.filter((fault) => fault.includes(values.only)),
  say: console.log,
})
console.log(`\n${tableOf(report)}\n\nseed ${report.seed}`)
if (report.diskRefused !== null) console.log(`disk full was not tried: ${report.diskRefused}`)
for (const line of repeats(report)) console.log(`again: ${line}`)
if (!isClean(report)) process.exitCode = 1
