import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeFolder } from '@/e2e/support/folder'
import { killDatabase, startInquest } from '@/e2e/support/server'
import { closingOf, findingsOf, isClean, tableOf } from './fuzz/report'
import { fuzzServer } from './fuzz/run'

/**
 * `npm run fuzz`: sends mutated samples and odd requests to every endpoint, importer and page of a server of its
 * own. `--inputs` of each (2,000), `--seed`, `--only` a part of the name. The exit status is 1 when an answer was
 * a fault, came late twice, or did not come.
 *
 * @see docs/reliability.md
 */
const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: join('test-results', 'fuzz') },
  },
})
const folder = makeFolder()
const inquest = await startInquest(folder.path)
try {
  const report = await fuzzServer(
    { ...inquest, pid: inquest.child.pid! },
    { seed: Number(values.seed), inputs: Number(values.inputs), only: values.only, say: console.log },
  )
  console.log(`\n${tableOf(report.results)}\n`)
  if (report.findings.length > 0) console.log(`${findingsOf(report, values.out)}\n`)
  console.log(closingOf(report))
  if (!isClean(report)) process.exitCode = 1
} finally {
  await inquest.stop()
  await killDatabase(inquest.dataDir)
  folder.remove()
}
