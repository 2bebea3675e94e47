import { v7 } from 'uuid'
import type { Tx } from '../client'

export const CLAUDE_CODE = 'claude-code'
/** Name of the source that input goes to when it names none. */
export const DEFAULT_SOURCE = 'default'

export interface SourceRef {
  id: string
  kind: string
  name: string
  redact: boolean
}

/** The source with this kind and name; made when there is none. */
export async function ensureSource(tx: Tx, projectId: string, kind: string, name: string): Promise<SourceRef> {
  const read = () => tx<SourceRef[]>`select id, kind, name, redact from sources where project_id = ${projectId} and kind = ${kind} and name = ${name}`
  const [known] = await read()
  if (known) return known
  await tx`insert into sources (project_id, id, kind, name) values (${projectId}, ${v7()}, ${kind}, ${name}) on conflict (project_id, kind, name) do nothing`
  return (await read())[0]!
}

/** Execution that an external id stands for. */
export interface ExecutionRef {
  id: string
  externalId: string
  sourceId: string
  /** Made just now. */
  isNew: boolean
}

/**
 * Our ids for external ids, made on first sight. A session that is known under another source of the same kind is the same execution
 * when one of the two is the default source, that is: when one of the inputs did not say where it came from.
 */
export async function resolveExecutions(tx: Tx, projectId: string, source: SourceRef, externalIds: Iterable<string>): Promise<Map<string, ExecutionRef>> {
  // In one order, so that two imports at once wait for each other instead of for ever.
  const wanted = [...new Set(externalIds)].sort()
  const found = await findExecutions(tx, projectId, source, wanted)
  const missing = wanted.filter((externalId) => !found.has(externalId))
  if (missing.length === 0) return found
  const made = await tx<{ external_id: string; execution_id: string }[]>`
    insert into execution_keys (project_id, source_id, external_id, execution_id)
    select ${projectId}, ${source.id}, external_id, execution_id from unnest(${missing}::text[], ${missing.map(() => v7())}::uuid[]) m(external_id, execution_id)
    on conflict (project_id, source_id, external_id) do nothing
    returning external_id, execution_id`
  for (const row of made) found.set(row.external_id, { id: row.execution_id, externalId: row.external_id, sourceId: source.id, isNew: true })
  const lost = missing.filter((externalId) => !found.has(externalId))
  // Someone else was first, and has committed by now.
  if (lost.length > 0) for (const [key, ref] of await findExecutions(tx, projectId, source, lost)) found.set(key, ref)
  return found
}

/** The same without making any. */
export async function findExecutions(tx: Tx, projectId: string, source: SourceRef, externalIds: readonly string[]): Promise<Map<string, ExecutionRef>> {
  const rows = await tx<{ external_id: string; execution_id: string; source_id: string; source_name: string }[]>`
    select k.external_id, k.execution_id, k.source_id, s.name as source_name
    from execution_keys k join sources s on s.project_id = k.project_id and s.id = k.source_id
    where k.project_id = ${projectId} and k.external_id = any (${[...externalIds]}::text[]) and s.kind = ${source.kind}
    order by (k.source_id = ${source.id}) desc, (s.name = ${DEFAULT_SOURCE}) desc, k.execution_id`
  const found = new Map<string, ExecutionRef>()
  for (const row of rows) {
    const same = row.source_id === source.id || row.source_name === DEFAULT_SOURCE || source.name === DEFAULT_SOURCE
    if (same && !found.has(row.external_id)) found.set(row.external_id, { id: row.execution_id, externalId: row.external_id, sourceId: row.source_id, isNew: false })
  }
  return found
}

/** Waits for and holds these names until the transaction ends; always in one order. */
export async function lockNames(tx: Tx, names: Iterable<string>): Promise<void> {
  const sorted = [...new Set(names)].sort()
  await tx`select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest(${sorted}::text[]) as name`
}
