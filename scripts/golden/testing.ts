import type { Db } from '@/db/client'
import { firstDifferences } from './compare'
import { compareSources } from './compute'
import type { Source } from './sources/source'

/** @throws with the differences in words, where the product concludes something else than what is recorded */
export async function expectRecorded(db: Db, sources: readonly Source[]): Promise<void> {
  const { differences, unrecorded } = await compareSources(db, sources)
  const problems = [
    ...unrecorded.map((name) => `${name}: nothing is recorded of it; npm run golden records it`),
    ...(differences.length === 0 ? [] : [firstDifferences(differences)]),
  ]
  if (problems.length > 0)
    throw new Error(
      `The product concludes something else than the golden record says.\n${problems.join('\n')}`,
    )
}
