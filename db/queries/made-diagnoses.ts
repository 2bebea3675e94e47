import { betterSlot } from '@/lib/judge/diagnosis/run-diagnosis'
import { parseExactJson } from '@/lib/text/exact-json'
import type { MadeDiagnosis } from '@/lib/judge/parity/made'
import type { Db } from '../client'
import { listFailing, slotOf } from './failing-rows'
import { readKeptDiagnosis } from './kept-diagnosis'
import { agentsOf, listAttemptsAt } from './run-diagnosis'

/**
 * Diagnoses that were made of the agents that failed in a run, and that no row of them holds whole. Only where nothing is guessed: the run that made one names the agent's run in its
 * input, has ended well, and keeps all five keys in its own rows.
 */
export async function listMadeDiagnoses(
  db: Pick<Db, 'sql'>,
  project: string,
  id: string,
): Promise<MadeDiagnosis[]> {
  const agents = agentsOf(await listFailing(db, project, id)).flatMap((rows) => {
    const childId = rows[0]!.fact.agent!.executionId
    const slot = rows.map(slotOf).reduce((best, one) => (betterSlot(one, best) ? one : best))
    return childId === null || slot === 'complete' ? [] : [{ childId, step: rows[0]!.fact.node }]
  })
  if (agents.length === 0) return []
  const attempts = await listAttemptsAt(
    db,
    project,
    id,
    agents.map(({ childId }) => childId),
  )
  const made: MadeDiagnosis[] = []
  for (const agent of agents) {
    const kept = await readKeptDiagnosis(
      db,
      project,
      attempts.filter(({ about, outcome }) => about === agent.childId && outcome === 'succeeded'),
    )
    const diagnosis = kept === null ? null : parseExactJson(kept.value.json)
    if (diagnosis?.ok) made.push({ ...agent, by: kept!.externalId, diagnosis: diagnosis.value })
  }
  return made
}
