import type { Sql } from '../client'
import type { RowOf } from '../schema/rows'

export interface KeyRow {
  id: string
  project: string
  name: string
  /** First characters of the key. */
  start: string
  scopes: string[]
  createdBy: string | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

/** Keys that people made for these projects, newest first; the local key is not among them. */
export async function listKeys(sql: Sql, projectIds: string[]): Promise<KeyRow[]> {
  const rows = await sql<
    (RowOf<'api_keys', 'id' | 'name' | 'start' | 'created_at' | 'last_request' | 'expires_at'> &
      RowOf<'projects', 'slug'> &
      RowOf<'api_key_grants', 'scopes'> & {
        person: RowOf<'people', 'name'>['name'] | null
      })[]
  >`
    select k.id, j.slug, k.name, k.start, g.scopes, p.name as person, k.created_at, k.last_request, k.expires_at
    from api_key_grants g
    join api_keys k on k.id = g.key_id
    join projects j on j.id = g.project_id
    left join people p on p.id = g.created_by
    where g.project_id = any(${projectIds}) and k.config_id = 'default'
    order by k.created_at desc, k.id desc
    limit 1000`
  return rows.map((row) => ({
    id: row.id,
    project: row.slug,
    name: row.name ?? '',
    start: row.start ?? '',
    scopes: row.scopes,
    createdBy: row.person,
    createdAt: row.created_at,
    lastUsedAt: row.last_request,
    expiresAt: row.expires_at,
  }))
}
