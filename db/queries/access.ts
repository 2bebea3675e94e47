import type { Sql } from '../client'
import type { RowOf } from '../schema/rows'

/** One project and what someone holds there. */
export interface Grant<What> {
  id: string
  slug: string
  name: string
  holds: What
}

export interface PersonAccess {
  id: string
  name: string
  email: string
  globalAdmin: boolean
  /** Role in each project, as stored. */
  projects: Grant<string>[]
}

export interface KeyAccess {
  id: string
  name: string | null
  /** The key of the local command line: it contains every scope in every project. */
  local: boolean
  lastUsedAt: string | null
  projects: Grant<string[]>[]
}

/** Config ids of keys: `local` for those of local servers, one for each process, `default` for those that people make. */
export const LOCAL_KEY = 'local'

type PersonRow = RowOf<'people', 'name' | 'email' | 'global_role'> & {
  person: RowOf<'people', 'id'>['id']
  id: RowOf<'projects', 'id'>['id'] | null
  slug: RowOf<'projects', 'slug'>['slug']
  project: RowOf<'projects', 'name'>['name']
  role: RowOf<'memberships', 'role'>['role'] | null
}

/** What a person may do where; a global admin is an admin of every project. Null when there is no such person. */
export const readPersonAccess = async (sql: Sql, personId: string): Promise<PersonAccess | null> =>
  toPerson(await readGrants(sql, sql`where p.id = ${personId}`))

/** The same, of the person whose session this is; null when there is no such session, or it has ended. */
export const readSessionAccess = async (sql: Sql, token: string): Promise<PersonAccess | null> =>
  toPerson(
    await readGrants(
      sql,
      sql`join sessions s on s.person_id = p.id where s.token = ${token} and s.expires_at > now()`,
    ),
  )

/** @param whose joins and conditions that leave one person `p` */
const readGrants = (sql: Sql, whose: ReturnType<Sql>): Promise<PersonRow[]> => sql<PersonRow[]>`
  select p.id as person, p.name, p.email, p.global_role, j.id, j.slug, j.name as project, m.role
  from people p
  left join memberships m on m.person_id = p.id and p.global_role is distinct from 'admin'
  left join projects j on j.id = m.project_id or p.global_role = 'admin'
  ${whose}
  order by j.created_at, j.id`

function toPerson(rows: PersonRow[]): PersonAccess | null {
  const first = rows[0]
  if (!first) return null
  const globalAdmin = first.global_role === 'admin'
  return {
    id: first.person,
    name: first.name,
    email: first.email,
    globalAdmin,
    projects: rows.flatMap((row) =>
      row.id === null
        ? []
        : [
            {
              id: row.id,
              slug: row.slug,
              name: row.project,
              holds: globalAdmin ? 'admin' : (row.role ?? ''),
            },
          ],
    ),
  }
}

/** What the key with this digest may do where. Null when there is none, it has expired by the clock of the database, or it is switched off. */
export async function readKeyAccess(sql: Sql, keyHash: string): Promise<KeyAccess | null> {
  const rows = await sql<
    (RowOf<'api_keys', 'name' | 'config_id' | 'last_request'> & {
      key_id: RowOf<'api_keys', 'id'>['id']
      id: RowOf<'projects', 'id'>['id'] | null
      slug: RowOf<'projects', 'slug'>['slug']
      project: RowOf<'projects', 'name'>['name']
      scopes: RowOf<'api_key_grants', 'scopes'>['scopes'] | null
    })[]
  >`
    select k.id as key_id, k.name, k.config_id, k.last_request, j.id, j.slug, j.name as project, g.scopes
    from api_keys k
    left join api_key_grants g on g.key_id = k.id
    left join projects j on j.id = g.project_id or k.config_id = ${LOCAL_KEY}
    where k.key = ${keyHash} and k.enabled is not false and (k.expires_at is null or k.expires_at > now())
    order by j.created_at, j.id`
  const first = rows[0]
  if (!first) return null
  const local = first.config_id === LOCAL_KEY
  return {
    id: first.key_id,
    name: first.name,
    local,
    lastUsedAt: first.last_request,
    projects: rows.flatMap((row) =>
      row.id === null
        ? []
        : [{ id: row.id, slug: row.slug, name: row.project, holds: local ? ['admin'] : (row.scopes ?? []) }],
    ),
  }
}
