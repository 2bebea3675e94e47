import type { Tx } from '../../client'
import { lockExecutions } from '../../locks'
import { addMarks } from './execution-marks'
import { ResumeLinks } from './link-resumed'
import { notePatches } from './note-patches'
import { notifyChanged } from '../publish/notify'
import { noteParityDue } from '../publish/parity-due'
import { facetDelta } from './summary-row'
import { copyCalls } from './write-calls'
import { noteChainSizes } from './write-decision'
import type { Analysed, ExecutionTarget, Work } from './write-summary'
import { awaitSent } from '../../transaction'

/**
 * Writes several executions under their locks, then what they have in common: marks, counts, checks that are due, chains. Readers are told.
 *
 * @param parentKeys external ids of parents, which are locked too
 * @param write writes one of them
 * @returns what it answered for each, in the order given
 */
export async function writeTogether(
  tx: Tx,
  projectId: string,
  targets: readonly ExecutionTarget[],
  parentKeys: readonly string[],
  write: (work: Work, target: ExecutionTarget) => Promise<Analysed>,
): Promise<Analysed[]> {
  return awaitSent(async (sent) => {
    // The server takes it before whatever is sent after it.
    sent.add(lockExecutions(tx, projectId, [...targets.map((t) => t.externalId), ...parentKeys]))
    const answered: Analysed[] = []
    const alsoChanged: string[] = []
    const resumes = new ResumeLinks(
      tx,
      projectId,
      targets.map((t) => t.externalId),
    )
    const work: Work = {
      tx,
      projectId,
      alsoChanged,
      touchedChains: [],
      leftChains: [],
      resumes,
      sent,
      newCalls: [],
      newMarks: [],
      changed: [],
      withPatches: [],
      facets: { before: [], after: [] },
    }
    for (const target of targets) answered.push(await write(work, target))
    sent.add(addMarks(tx, projectId, work.newMarks))
    sent.add(facetDelta(tx, projectId, work.facets.before, work.facets.after))
    sent.add(noteParityDue(tx, projectId, work.changed))
    sent.add(notePatches(tx, projectId, work.withPatches))
    await sent.settle()
    await copyCalls(tx, projectId, work.newCalls)
    const linked = await resumes.link()
    const [chains, left] = [
      [...work.touchedChains, ...linked.chains],
      [...work.leftChains, ...linked.left],
    ]
    alsoChanged.push(...(await noteChainSizes(tx, projectId, chains, left)))
    await notifyChanged(tx, projectId, [
      ...answered.filter((a) => a.changed).map((a) => a.id),
      ...alsoChanged,
    ])
    return answered
  })
}
