import type { Db } from '@/db/client'
import { compareEntries, type Difference } from './compare'
import { documentText, parseDocument, readRecorded, recordedNames } from './document'
import { recordOf } from './record-of'
import type { Source } from './sources/source'
import { hasShared, isShared } from './sources/source'
import type { Entry } from './vocabulary'

/** The product's way in waits for the database half of the time: so many sources are worked on at once. */
const AT_ONCE = 3

/** What the product concludes now, source by source; `each` is called as soon as one is done. */
export async function computeSources(
  db: Db,
  sources: readonly Source[],
  each: (name: string, entries: Entry[]) => void,
): Promise<void> {
  const waiting = [...sources]
  const work = async (): Promise<void> => {
    for (let source = waiting.shift(); source; source = waiting.shift()) {
      const { name } = source
      const conclusions = await source.conclude(db).catch((error: unknown) => {
        throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        })
      })
      // As it is read back from a file, so that what JSON drops is no difference.
      each(name, parseDocument(documentText(recordOf(conclusions))))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

export interface Compared {
  differences: Difference[]
  /** Sources of which nothing is recorded. */
  unrecorded: string[]
}

/** Compares what the product concludes now with what is recorded. */
export async function compareSources(db: Db, sources: readonly Source[]): Promise<Compared> {
  const found: Compared = { differences: [], unrecorded: [] }
  await computeSources(db, sources, (name, entries) => {
    const recorded = readRecorded(name)
    if (recorded === null) found.unrecorded.push(name)
    else found.differences.push(...compareEntries(name, recorded, entries))
  })
  // In the order of their names, whichever source was done first.
  found.differences.sort((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : 0))
  return found
}

/**
 * Golden files without a source. Those of third parties’ files are checked only where these files are
 * present.
 */
export function orphanedNames(sources: readonly Source[]): string[] {
  const names = new Set(sources.map(({ name }) => name))
  return recordedNames().filter((name) => !names.has(name) && (hasShared || !isShared(name)))
}
