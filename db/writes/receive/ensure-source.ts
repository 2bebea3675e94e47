import { v7 } from 'uuid'
import type { Tx } from '../../client'
import type { RowOf } from '../../schema/rows'

export type SourceRef = RowOf<'sources', 'id' | 'kind' | 'name' | 'redact'>

/** The source with this kind and name; made when there is none. */
export async function ensureSource(
  tx: Tx,
  projectId: string,
  kind: string,
  name: string,
): Promise<SourceRef> {
  const read = () =>
    tx<
      SourceRef[]
    >`select id, kind, name, redact from sources where project_id = ${projectId} and kind = ${kind} and name = ${name}`
  const [known] = await read()
  if (known) return known
  await tx`insert into sources (project_id, id, kind, name) values (${projectId}, ${v7()}, ${kind}, ${name}) on conflict (project_id, kind, name) do nothing`
  return (await read())[0]!
}
