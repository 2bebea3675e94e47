import type { FixLink } from '@/lib/api/fix-schemas'
import { CLOSED_STATES } from '@/lib/model/fix-states'
import type { Db, Sql, Tx } from '../client'
import { isUuid } from './cursor'
import type { RowOf } from '../schema/rows'

/**
 * Why a link opens nothing, from what is stored of the link and the fix: nobody has to remember to end links. Wants `l` (fix_links)
 * and `s` (fix_standing).
 */
const stateOf = (sql: Sql | Tx) => sql`
  case when l.revoked_at is not null then 'revoked'
    when l.expires_at <= now() then 'expired'
    when s.state = any (${[...CLOSED_STATES]}::text[]) or s.expires_at <= now() then 'fix-closed'
    when (s.secrets is null or s.summary -> 'warnings' ? 'content-secret') and not l.secret_acknowledged then 'secret-found'
    else 'open' end`

const LINKS_MAX = 200

/** Share links of a fix, newest first, at most 200. */
export const listFixLinks = (
  db: Pick<Db, 'sql'>,
  { projectId, fixId, linkId }: { projectId: string; fixId: string; linkId?: string },
): Promise<FixLink[]> => linksOf(db.sql, { projectId, fixId, linkId })

const linksOf = (
  sql: Sql | Tx,
  { projectId, fixId, linkId = null }: { projectId: string; fixId: string; linkId?: string | null },
): Promise<FixLink[]> => sql<
  (RowOf<'fix_links', 'id' | 'createdAt' | 'expiresAt' | 'downloads' | 'lastDownloadAt' | 'revokedAt'> & {
    createdBy: RowOf<'fix_links', 'actor_name'>['actor_name']
    revokedBy: RowOf<'fix_links', 'revoked_by_name'>['revoked_by_name']
  } & Pick<FixLink, 'state'>)[]
>`
  select l.id, ${stateOf(sql)} as state, l.actor_name as "createdBy", l.created_at as "createdAt", l.expires_at as "expiresAt", l.downloads,
    l.last_download_at as "lastDownloadAt", l.revoked_by_name as "revokedBy", l.revoked_at as "revokedAt"
  from fix_links l join fix_standing s on s.project_id = l.project_id and s.fix_id = l.fix_id
  where l.project_id = ${projectId} and l.fix_id = ${fixId} and (${linkId}::uuid is null or l.id = ${linkId}::uuid)
  order by l.created_at desc, l.id desc limit ${LINKS_MAX}`

/** One share link of a fix; null when it has none of this id. */
export async function readFixLink(
  sql: Sql | Tx,
  link: { projectId: string; fixId: string; linkId: string },
): Promise<FixLink | null> {
  return isUuid(link.linkId) ? ((await linksOf(sql, link))[0] ?? null) : null
}

export type SharedPatch = RowOf<'fix_links', 'projectId' | 'fixId'> & {
  linkId: RowOf<'fix_links', 'id'>['id']
  state: FixLink['state']
}

/** What the link with this token opens, and whether it still does; null when there is none. @param tokenHash `hashToken` of its token */
export async function readSharedPatch(db: Pick<Db, 'sql'>, tokenHash: string): Promise<SharedPatch | null> {
  const { sql } = db
  const [row] = await sql<SharedPatch[]>`
    select l.id as "linkId", l.project_id as "projectId", l.fix_id as "fixId", ${stateOf(sql)} as state
    from fix_links l join fix_standing s on s.project_id = l.project_id and s.fix_id = l.fix_id where l.token_hash = ${tokenHash}`
  return row ?? null
}
