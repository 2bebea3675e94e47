import { v7 } from 'uuid'
import type { Tx } from '../../client'
import type { SourceRef } from '../receive/ensure-source'
import { DEFAULT_SOURCE, kindsLike } from '../../same-sessions'
import type { RowOf } from '../../schema/rows'

/** Execution that an external id stands for. */
export interface ExecutionRef {
  id: string
  externalId: string
  sourceId: string
  /** Made just now. */
  isNew: boolean
}

/**
 * Our ids for external ids, made on first sight. A session that is known under another source is the same execution when the sources
 * are of one kind and one of them is the default source, that is: when one of the inputs did not say where it came from. So it is when
 * their kinds call sessions alike and they have the same name.
 */
export async function resolveExecutions(
  tx: Tx,
  projectId: string,
  source: SourceRef,
  externalIds: Iterable<string>,
): Promise<Map<string, ExecutionRef>> {
  // In one order, so that two imports at once wait for each other instead of for ever.
  const wanted = [...new Set(externalIds)].sort()
  if (wanted.length === 0) return new Map()
  const rows = await tx<(KeyRow & { made: boolean })[]>`
    with known as (${knownKeys(tx, projectId, source, wanted)}),
    made as (
      insert into execution_keys (project_id, source_id, external_id, execution_id)
      select ${projectId}, ${source.id}, w.external_id, w.execution_id from unnest(${wanted}::text[], ${wanted.map(() => v7())}::uuid[]) w(external_id, execution_id)
      where not exists (select from known where known.external_id = w.external_id)
      on conflict (project_id, source_id, external_id) do nothing
      returning external_id, execution_id)
    select external_id, execution_id, source_id, false as made from known
    union all select external_id, execution_id, ${source.id}, true from made`
  const found = refsOf(rows)
  for (const { external_id, made } of rows) if (made) found.get(external_id)!.isNew = true
  const lost = wanted.filter((externalId) => !found.has(externalId))
  // Someone else was first, and has committed by now.
  if (lost.length > 0)
    for (const [key, ref] of await findExecutions(tx, projectId, source, lost)) found.set(key, ref)
  return found
}

type KeyRow = RowOf<'execution_keys', 'external_id' | 'execution_id' | 'source_id'>

/** The same without making any. */
export const findExecutions = async (
  tx: Tx,
  projectId: string,
  source: SourceRef,
  externalIds: readonly string[],
): Promise<Map<string, ExecutionRef>> =>
  refsOf(await tx<KeyRow[]>`${knownKeys(tx, projectId, source, externalIds)}`)

/** One row for each of the ids that is known: under this source, else under one that is the same. */
const knownKeys = (tx: Tx, projectId: string, source: SourceRef, externalIds: readonly string[]) => tx`
  select distinct on (k.external_id) k.external_id, k.execution_id, k.source_id
  from execution_keys k join sources s on s.project_id = k.project_id and s.id = k.source_id
  where k.project_id = ${projectId} and k.external_id = any (${[...externalIds]}::text[]) and s.kind = any (${kindsLike(source.kind)}::text[])
    and (k.source_id = ${source.id} or s.name = ${DEFAULT_SOURCE} or ${source.name === DEFAULT_SOURCE} or s.name = ${source.name})
  order by k.external_id, (k.source_id = ${source.id}) desc, (s.name = ${source.name}) desc, (s.name = ${DEFAULT_SOURCE}) desc, k.execution_id`

const refsOf = (rows: readonly KeyRow[]): Map<string, ExecutionRef> =>
  new Map(
    rows.map((row) => [
      row.external_id,
      { id: row.execution_id, externalId: row.external_id, sourceId: row.source_id, isNew: false },
    ]),
  )
