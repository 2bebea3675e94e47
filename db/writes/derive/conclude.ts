import { enqueueAnalysis } from '../../queue/enqueue'
import { analyseIn } from './analyse'
import { lockExecutions } from '../../locks'
import type { StreamRow } from '../append/streams'
import type { Analysed, ExecutionTarget } from './write-summary'
import type { FreshAnalyses } from './fresh-analyses'
import type { Touched, Transaction } from '../append/writing'
import type { RowOf } from '../../schema/rows'

/** What one body of the transaction did. */
export interface Written {
  touched: Touched
  /** Null for frames, which are streams of their own. */
  stream: StreamRow | null
}

/**
 * Ends the transaction's work: analysis of what was touched, or a note that it is due.
 *
 * @param more the body's stream goes on at once, or other bodies follow, so that the analysis waits for the last one
 * @returns what became of the executions of each body
 */
export async function conclude(
  t: Transaction & { fresh?: FreshAnalyses },
  bodies: readonly Written[],
  more: boolean,
): Promise<Analysed[][]> {
  const { tx, projectId, fresh } = t
  const ofBody = bodies.map(
    ({ touched }) =>
      new Map<string, ExecutionTarget>([...touched.executions.values()].map((ref) => [ref.id, ref])),
  )
  if (!more)
    for (const [i, rows] of (await readDue(t, bodies)).entries())
      for (const row of rows) ofBody[i]!.set(row.id, row)
  const targets = new Map(ofBody.flatMap((all) => [...all]))
  const beside = [...new Set(bodies.flatMap(({ touched }) => [...touched.beside]))].filter(
    (id) => !targets.has(id),
  )
  for (const target of await readTargets(t, beside)) targets.set(target.id, target)
  const ids = [...targets.keys()]
  const added = new Set(
    bodies.flatMap(({ touched }, i) =>
      touched.accepted === 0 && touched.odd.total === 0 ? [] : [...ofBody[i]!.keys()],
    ),
  )
  for (const id of beside) added.add(id)
  // One that this transaction made has no row yet.
  const held = ids.filter((id) => fresh?.isNew(id) !== true)
  const known =
    held.length === 0
      ? []
      : await tx<RowOf<'executions', 'id' | 'outcome' | 'dirty' | 'parent_key' | 'calls' | 'failed_calls'>[]>`
    select id, outcome, dirty, parent_key, calls, failed_calls from executions where project_id = ${projectId} and id = any (${held}::uuid[])`
  const rows = new Map(known.map((row) => [row.id, row]))
  // Executions seen for the first time are analysed at once even when more follows: there must be something to show.
  const now = ids.filter((id) => !rows.has(id) || (!more && (added.has(id) || rows.get(id)!.dirty)))
  const later = ids.filter((id) => !now.includes(id) && added.has(id))
  if (later.length > 0) {
    // After an analysis that is under way: it would take the mark off again, and has read without what comes now.
    await lockExecutions(
      tx,
      projectId,
      later.map((id) => targets.get(id)!.externalId),
    )
    await tx`update executions set dirty = true, updated_at = now() where project_id = ${projectId} and id = any (${later}::uuid[])`
    await enqueueAnalysis(tx, `${projectId} ${bodies[0]?.stream?.id ?? 'frames'}`)
  }
  // A child and its parent may arrive at the same time: whoever comes second must see the first.
  const parents = now.flatMap((id) => {
    const { externalId } = targets.get(id)!
    const session = externalId.split('/')[0]!
    return [rows.get(id)?.parent_key ?? null, session === externalId ? null : session].filter(
      (key) => key !== null,
    )
  })
  const analysed =
    now.length === 0
      ? []
      : await analyseIn(
          tx,
          projectId,
          now.map((id) => targets.get(id)!),
          parents,
          { fresh, apart: t.apart },
        )
  await t.sent.settle()
  const byId = new Map(analysed.map((a) => [a.id, a]))
  const unchanged = (id: string): Analysed => {
    const row = rows.get(id)
    return {
      id,
      externalId: targets.get(id)!.externalId,
      outcome: row?.outcome ?? 'unknown',
      ...(row && { counts: { calls: row.calls, failedCalls: row.failed_calls } }),
      changed: false,
    }
  }
  return ofBody.map((all) => [...all.keys()].map((id) => byId.get(id) ?? unchanged(id)))
}

async function readTargets(
  { tx, projectId }: Transaction,
  ids: readonly string[],
): Promise<ExecutionTarget[]> {
  if (ids.length === 0) return []
  return tx<
    (RowOf<'execution_keys', 'externalId' | 'sourceId'> & {
      id: RowOf<'execution_keys', 'execution_id'>['execution_id']
    })[]
  >`
    select distinct on (execution_id) execution_id as id, external_id as "externalId", source_id as "sourceId" from execution_keys
    where project_id = ${projectId} and execution_id = any (${[...ids]}::uuid[]) order by execution_id, external_id, source_id`
}

/** Executions that earlier pieces of the streams left to be analysed, for each body. */
async function readDue(
  { tx, projectId }: Transaction,
  bodies: readonly Written[],
): Promise<ExecutionTarget[][]> {
  const held = bodies.map(({ stream }) => (stream === null || stream.isNew ? null : stream.id))
  if (held.every((id) => id === null)) return []
  const rows = await tx<
    (RowOf<'executions', 'id' | 'externalId' | 'sourceId'> & {
      stream: RowOf<'execution_streams', 'stream_id'>['stream_id']
    })[]
  >`
    select x.stream_id as stream, e.id, e.external_id as "externalId", e.source_id as "sourceId" from execution_streams x
    join executions e on e.project_id = x.project_id and e.id = x.execution_id
    where x.project_id = ${projectId} and x.stream_id = any (${held.filter((id) => id !== null)}::uuid[]) and e.dirty`
  return held.map((id) => rows.filter((row) => row.stream === id).map(({ stream: _, ...target }) => target))
}
