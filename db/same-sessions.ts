import type { Sql, Tx } from './client'

/** Kinds of sources that call a session by the same id: AutoSkillit runs Claude Code, and its log names the session of the transcript; so do receipts. */
const SAME_SESSIONS = ['claude-code', 'autoskillit', 'agent-receipts']

/** Name of the source that input goes to when it names none. */
export const DEFAULT_SOURCE = 'default'

/** Kinds whose sessions are those of a kind. */
export const kindsLike = (kind: string): string[] => (SAME_SESSIONS.includes(kind) ? SAME_SESSIONS : [kind])

/**
 * Ids of the sources under which executions of a source may be known too: itself, and that of the same name (or one that was not named)
 * of a kind with the same sessions. For use inside of a statement.
 *
 * @param of column or value that contains the source's id
 */
export const sourcesLike = (sql: Sql | Tx, projectId: ReturnType<Sql>, of: ReturnType<Sql>) => sql`
  select o.id from sources s join sources o on o.project_id = s.project_id
  where s.project_id = ${projectId} and s.id = ${of} and (o.id = s.id or (
    s.kind = any (${SAME_SESSIONS}::text[]) and o.kind = any (${SAME_SESSIONS}::text[]) and o.kind <> s.kind
    and (o.name = s.name or ${DEFAULT_SOURCE} in (o.name, s.name))))`
