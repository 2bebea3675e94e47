import type { Sql } from '../client'
import { LOCAL_KEY } from '../queries/access'
import { recordAudit } from '../audit'
import type { RowOf } from '../schema/rows'

/** Notes that a key was used just now. */
export const noteKeyUse = async (sql: Sql, keyId: string): Promise<void> => {
  await sql`update api_keys set last_request = now() where id = ${keyId}`
}

/** Gives a key that was just made its project and scopes; without this row it opens nothing. */
export async function grantKey(
  sql: Sql,
  grant: {
    keyId: string
    projectId: string
    scopes: readonly string[]
    createdBy: string | null
    actor: string
    name: string
  },
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`insert into api_key_grants (project_id, key_id, scopes, created_by) values (${grant.projectId}, ${grant.keyId}, ${[...grant.scopes]}, ${grant.createdBy})`
    await recordAudit(tx, {
      projectId: grant.projectId,
      actor: grant.actor,
      action: 'key.create',
      subject: grant.keyId,
      detail: { name: grant.name, scopes: [...grant.scopes] },
    })
  })
}

/** Deletes a key of one of the projects. @returns false when there is none there, or it is the local one */
export const revokeKey = (
  sql: Sql,
  { keyId, projectIds, actor }: { keyId: string; projectIds: string[]; actor: string },
): Promise<boolean> =>
  sql.begin(async (tx) => {
    const [grant] = await tx<(RowOf<'api_key_grants', 'project_id'> & RowOf<'api_keys', 'name'>)[]>`
      select g.project_id, k.name from api_key_grants g join api_keys k on k.id = g.key_id
      where g.key_id = ${keyId} and g.project_id = any(${projectIds}) and k.config_id <> ${LOCAL_KEY}`
    if (!grant) return false
    await tx`delete from api_keys where id = ${keyId}`
    await recordAudit(tx, {
      projectId: grant.project_id,
      actor,
      action: 'key.revoke',
      subject: keyId,
      detail: { name: grant.name },
    })
    return true
  })

/**
 * Keeps the key of a local server alive for some more minutes, by the clock of the database, and makes it where it is missing. Each process
 * has one of its own; those of processes that ended without a word have expired, and are forgotten.
 *
 * @param key.hash digest of the key (`hashKey`); `start` its first characters, to tell it in a list
 */
export async function keepLocalKey(
  sql: Sql,
  key: { id: string; hash: string; start: string; minutes: number },
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      delete from api_keys
      where config_id = ${LOCAL_KEY} and id <> ${key.id} and (expires_at is null or expires_at <= now())`
    await tx`
      insert into api_keys (id, config_id, name, start, reference_id, key, rate_limit_enabled, expires_at)
      values (${key.id}, ${LOCAL_KEY}, 'local command line', ${key.start}, ${LOCAL_KEY}, ${key.hash}, false,
        now() + make_interval(mins => ${key.minutes}))
      on conflict (id) do update set expires_at = excluded.expires_at`
  })
}

/** Forgets local keys by their digests: that of a run that ends, or those of processes that are known to be gone. */
export const removeLocalKeys = async (sql: Sql, hashes: readonly string[]): Promise<void> => {
  await sql`delete from api_keys where config_id = ${LOCAL_KEY} and key = any(${[...hashes]})`
}
