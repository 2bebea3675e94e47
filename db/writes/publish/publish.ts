import type { Tx } from '../../client'
import { facetDelta } from './facet-counts'
import { notePatches } from './note-patches'
import { notifyChanged } from '../../notify'
import { noteParityDue } from './parity-due'

/** What the executions of one transaction changed for those who were not part of it. */
export interface Changes {
  /** Executions that a reader would see changed. */
  ids: readonly string[]
  /** Facet values that executions counted for before, and count for now. */
  facets: { before: [string, string][]; after: [string, string][] }
  /** Executions of which the layers are to be compared. */
  toCheck: readonly { id: string; outcome: string; parentId: string | null }[]
  /** Runs of which patches are to be proposed as fixes. */
  withPatches: readonly string[]
}

/** The last step of the way in: counts, checks that are due, and the message to listeners, all of which count once the transaction is committed. */
export async function publish(tx: Tx, projectId: string, changes: Changes): Promise<void> {
  await Promise.all([
    facetDelta(tx, projectId, changes.facets.before, changes.facets.after),
    noteParityDue(tx, projectId, changes.toCheck),
    notePatches(tx, projectId, changes.withPatches),
    notifyChanged(tx, projectId, changes.ids),
  ])
}
