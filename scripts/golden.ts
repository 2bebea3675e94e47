import { parseArgs } from 'node:util'
import { compareEntries, differencesByField, type Difference } from './golden/compare'
import { computeSources, orphanedNames } from './golden/compute'
import { withDatabase } from './golden/database'
import { readRecorded, removeRecorded, writeRecorded } from './golden/document'
import { allSources } from './golden/sources'
import { hasShared } from './golden/sources/source'

/**
 * `npm run golden` records what the product concludes about every source of which nothing is recorded yet,
 * and says where it concludes something else than the record; the exit status is 1 then. With `--update`
 * the record is written anew. With a part of a name only the sources are taken whose names hold it.
 *
 * @see docs/golden-record.md
 */
const { values, positionals } = parseArgs({
  options: { update: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const chosen = allSources().filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
)
if (chosen.length === 0) {
  console.error(`no source is called ${positionals.join(' or ')}`)
  process.exit(2)
}
if (!hasShared) console.log('../shared is not there: only the own seeds are compared')

const differences: Difference[] = []
const written: string[] = []
await withDatabase((db) =>
  computeSources(db, chosen, (name, entries) => {
    const recorded = readRecorded(name)
    const found = recorded === null ? [] : compareEntries(name, recorded, entries)
    differences.push(...found)
    // What is equal stays as it is, byte for byte.
    if (recorded !== null && (found.length === 0 || !values.update)) return
    writeRecorded(name, entries)
    written.push(name)
  }),
)

const orphaned = orphanedNames(allSources())
if (values.update) orphaned.forEach(removeRecorded)
for (const name of orphaned)
  console.log(`${name}: ${values.update ? 'removed, ' : ''}its source is not there any more`)
const lines = differencesByField(differences)
if (lines.length > 0) console.log(lines.join('\n'))
console.log(`${chosen.length} sources: ${differences.length} differences, ${written.length} files written`)
if (!values.update && differences.length + orphaned.length > 0) process.exitCode = 1
