import type { RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import { COMPLETING_TYPES } from '@/lib/formats/noetl/event-row'
import { readDiagnosis } from '@/lib/judge/diagnosis/run-diagnosis'
import { DIAGNOSIS_STEP, findPersistedDiagnosis } from '@/lib/judge/diagnosis/run-rows'
import { parseExactJson } from '@/lib/text/exact-json'
import type { Db } from '../client'
import { readReceivedRange } from './received'
import type { RowOf } from '../schema/rows'
import type { RowFact } from '@/lib/model/workflow-facts'

type Kept = NonNullable<RunDiagnosisDocument['diagnoses'][number]['elsewhere']>

/** More rows of the step than a run has, but for one that was made to have them. */
const ROWS_READ_MAX = 40

/**
 * The diagnosis that a run made and kept, of the first of these runs that has one and has ended: the oldest row of its step that contains all
 * five keys, as its source would have fetched it. Read from the kept bytes; null when none holds one.
 */
export async function readKeptDiagnosis(
  db: Pick<Db, 'sql'>,
  project: string,
  runs: readonly { id: string; externalId: string; outcome: string }[],
): Promise<Kept | null> {
  for (const { id, externalId, outcome } of runs) {
    if (outcome === 'running') continue
    const rows = await db.sql<
      (RowOf<'events', 'at'> &
        RowOf<'received', 'sha256'> & {
          start: RowOf<'events', 'kept_start'>['kept_start']
          end: RowOf<'events', 'kept_end'>['kept_end']
          fact: RowFact
        })[]
    >`
      select v.facts->'row' as fact, v.at, r.sha256, v.kept_start as start, v.kept_end as end from events v
      join received r on r.project_id = v.project_id and r.id = v.received_id
      where v.project_id = ${project} and v.execution_id = ${id} and v.channel = 'rows'
        and v.facts->'row'->>'node' = ${DIAGNOSIS_STEP} and v.facts->'row'->>'type' = any (${[...COMPLETING_TYPES]}::text[])
      order by length(v.facts->'row'->>'eventId'), v.facts->'row'->>'eventId', r.sha256, v.kept_start limit ${ROWS_READ_MAX}`
    for (const { fact, at, sha256, start, end } of rows) {
      const range = await readReceivedRange(db, [project], sha256, start, end)
      const row = range === null ? null : parseExactJson(new TextDecoder().decode(range.bytes))
      const value = row?.ok ? findPersistedDiagnosis([row.value]) : null
      if (value !== null)
        return {
          id,
          externalId,
          row: {
            eventId: fact.eventId,
            type: fact.type,
            at,
            pointer: { received: sha256, byteStart: start, byteEnd: end },
          },
          value: readDiagnosis(value),
        }
    }
  }
  return null
}
