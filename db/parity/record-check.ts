import { v7 } from 'uuid'
import { storable, storableDeep } from '@/lib/formats/storable'
import { limits } from '@/lib/limits'
import { COMPARED_BY } from '@/lib/judge/parity/compared-by'
import type { CheckedLayer, CheckTrigger, StoredFindings } from '@/lib/judge/parity/stored-check'
import type { Db, Tx } from '../client'
import type { RowOf } from '../schema/rows'

export interface CheckToRecord {
  projectId: string
  executionId: string
  /** The version of the execution that was compared. */
  version: number
  /** When it was due before anything was read. */
  dueAt: string | null
  trigger: CheckTrigger
  findings: StoredFindings
  layers: readonly CheckedLayer[]
  changedParts: readonly string[]
  failedControls: readonly string[]
  millis: number
}

/**
 * Stores a check: it is the newest one of its execution from now on, and what the rate and the heat map go by. A check that was noted as due since this one began
 * to read stays due.
 *
 * @returns when it was stored; null when there is no such execution any more
 */
export const recordCheck = (db: Pick<Db, 'sql'>, check: CheckToRecord): Promise<string | null> =>
  db.sql.begin(async (tx) => {
    const { projectId, executionId, findings } = check
    await tx`insert into parity_standing (project_id, execution_id) values (${projectId}, ${executionId}) on conflict do nothing`
    // Whoever changes the execution notes in this row that a check is due: before, and then its version is another one; or after.
    await tx`select 1 from parity_standing where project_id = ${projectId} and execution_id = ${executionId} for update`
    const [now] = await tx<
      (RowOf<'executions', 'version' | 'dirty'> & {
        at: string
      })[]
    >`
    select version, dirty, date_trunc('milliseconds', clock_timestamp()) as at from executions where project_id = ${projectId} and id = ${executionId}`
    if (!now) {
      await tx`delete from parity_standing where project_id = ${projectId} and execution_id = ${executionId}`
      return null
    }
    const id = v7()
    await insertCheck(tx, id, now.at, check)
    await tx`
    update parity_standing set check_id = ${id}, checked_at = ${now.at}, verdict = ${findings.verdict}, worst = ${findings.worst}, compared_by = ${COMPARED_BY}
    where project_id = ${projectId} and execution_id = ${executionId}`
    if (now.version === check.version && !now.dirty)
      await tx`
    update parity_standing set due_for = 'sweep', due_at = ${isTooLarge(check) ? null : tx`${now.at}::timestamptz + make_interval(days => ${limits.parityRecheckDays})`}
    -- It may be due for what is no change of the execution itself: another one made a diagnosis of its agent meanwhile.
    where project_id = ${projectId} and execution_id = ${executionId} and (due_at is null or due_at = ${check.dueAt})`
    await tx`delete from parity_places where project_id = ${projectId} and execution_id = ${executionId}`
    const places = findings.places.map((place) => ({ ...place, path: storable(place.path) }))
    if (places.length > 0)
      await tx`
    insert into parity_places (project_id, execution_id, from_layer, to_layer, path, kind, severity, differences, checked_at)
    select ${projectId}, ${executionId}, f, t, path, kind, severity, n, ${now.at}
    from unnest(${places.map((p) => p.from)}::text[], ${places.map((p) => p.to)}::text[], ${places.map((p) => p.path)}::text[], ${places.map((p) => p.kind)}::text[],
      ${places.map((p) => p.severity)}::text[], ${places.map((p) => p.differences)}::int[]) p(f, t, path, kind, severity, n)
    -- Two keys may become one when what cannot be stored is taken out of them.
    on conflict do nothing`
    await tx`
    delete from parity_checks where project_id = ${projectId} and execution_id = ${executionId} and id in (
      select id from parity_checks where project_id = ${projectId} and execution_id = ${executionId} order by checked_at desc, id desc offset ${limits.parityChecksKept})`
    return now.at
  })

/** All the work would come to the same again, until there is less of it. */
const isTooLarge = ({ layers }: CheckToRecord): boolean =>
  layers.some(({ state }) => state === 'skipped_too_large')

async function insertCheck(
  tx: Tx,
  id: string,
  at: string,
  {
    projectId,
    executionId,
    version,
    trigger,
    findings,
    layers,
    changedParts,
    failedControls,
    millis,
  }: CheckToRecord,
): Promise<void> {
  await tx`
    insert into parity_checks (project_id, execution_id, id, checked_at, trigger, verdict, worst, lost_from, lost_to, layers, differences, differences_total, is_whole,
      changed_parts, failed_controls, millis, compared_by, execution_version)
    values (${projectId}, ${executionId}, ${id}, ${at}, ${trigger}, ${findings.verdict}, ${findings.worst}, ${findings.lost?.from ?? null}, ${findings.lost?.to ?? null},
      ${JSON.stringify(storableDeep(layers))}::text::jsonb, ${JSON.stringify(storableDeep(findings.differences))}::text::jsonb, ${findings.differencesTotal}, ${findings.isWhole},
      ${[...changedParts]}::text[], ${[...failedControls]}::text[], ${millis}, ${COMPARED_BY}, ${version})`
}
