import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printConformance, printReport } from './structure/print'
import { reportStructure } from './structure/report'
import { walkFolders } from './structure/stops'
import { traceIngest } from './structure/trace'

/**
 * `npm run structure`: how the folders depend on each other, in figures. docs/ARCHITECTURE.md defines each
 * of them and keeps today's. `--json` prints the same as JSON, `--no-trace` leaves out the ingest, which
 * starts a PostgreSQL of its own, `--conformance-only` prints that section alone.
 */
const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    'no-trace': { type: 'boolean' },
    'conformance-only': { type: 'boolean' },
  },
})
const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '')
const report = await reportStructure(root)
if (values['conformance-only']) {
  console.log(
    values.json ? JSON.stringify(report.conformance, null, 2) : printConformance(report.conformance).trim(),
  )
} else {
  if (!values['no-trace']) report.ingest = walkFolders(await traceIngest(root))
  console.log(values.json ? JSON.stringify(report, null, 2) : printReport(report).trimEnd())
}
