import type { Tx } from '../../client'
import { lockExecutions } from '../../locks'
import { addMarks } from './execution-marks'
import { ResumeLinks } from './link-resumed'
import { copyCalls } from './write-calls'
import { noteChainSizes } from './write-decision'
import { publish } from '../publish/publish'
import type { Analysed, ExecutionTarget, Work } from './write-summary'
import { awaitSent } from '../../transaction'

/**
 * Writes several executions under their locks, then what they have in common: marks, calls, chains; and publishes what changed.
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
    await sent.settle()
    await copyCalls(tx, projectId, work.newCalls)
    const linked = await resumes.link()
    const [chains, left] = [
      [...work.touchedChains, ...linked.chains],
      [...work.leftChains, ...linked.left],
    ]
    alsoChanged.push(...(await noteChainSizes(tx, projectId, chains, left)))
    await publish(tx, projectId, {
      ids: [...answered.filter((a) => a.changed).map((a) => a.id), ...alsoChanged],
      facets: work.facets,
      toCheck: work.changed,
      withPatches: work.withPatches,
    })
    return answered
  })
}
