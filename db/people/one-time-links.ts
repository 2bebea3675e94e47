import type { Sql, Tx } from '../client'
import { LINK_PURPOSES, type LinkPurpose } from '../schema/people'
import { SQL_STATE, sqlState } from '../sql-state'
import { recordAudit } from '../audit'
import type { RowOf } from '../schema/rows'

export interface OneTimeLink {
  purpose: LinkPurpose
  personId: string | null
  name: string | null
  email: string | null
  expiresAt: string
}

/** Looks at a link without using it up; null when it is unknown, used or expired. */
export const readOneTimeLink = (sql: Sql, tokenHash: string): Promise<OneTimeLink | null> =>
  openLink(sql, tokenHash)

async function openLink(sql: Sql | Tx, tokenHash: string, lock = false): Promise<OneTimeLink | null> {
  const [row] = await sql<
    (RowOf<'one_time_links', 'purpose' | 'person_id' | 'expires_at'> & {
      name: RowOf<'people', 'name'>['name'] | null
      email: RowOf<'people', 'email'>['email'] | null
    })[]
  >`
    select l.purpose, l.person_id, p.name, p.email, l.expires_at
    from one_time_links l left join people p on p.id = l.person_id
    where l.token_hash = ${tokenHash} and l.used_at is null and l.expires_at > now() and l.purpose = any (${[...LINK_PURPOSES]}::text[])
      and (l.purpose <> 'first-admin' or not exists (select 1 from people where global_role = 'admin'))
    ${lock ? sql`for update of l` : sql``}`
  return row
    ? {
        purpose: row.purpose,
        personId: row.person_id,
        name: row.name,
        email: row.email,
        expiresAt: row.expires_at,
      }
    : null
}

/**
 * Adds the link that makes the first admin; earlier ones stop working, and so do the sign-in links that 0.1.0 printed at each start.
 * @returns false when there is an admin already
 */
export const createFirstAdminLink = (
  sql: Sql,
  link: { id: string; tokenHash: string; minutes: number },
): Promise<boolean> =>
  sql.begin(async (tx) => {
    await tx`delete from one_time_links where purpose in ('first-admin', 'sign-in') and used_at is null`
    if (await hasAdmin(tx)) return false
    await insertLink(tx, { ...link, purpose: 'first-admin', personId: null })
    return true
  })

/** Whether somebody is an instance admin: then no link makes another one. */
export async function hasAdmin(sql: Sql | Tx): Promise<boolean> {
  const [row] = await sql<
    { found: boolean }[]
  >`select exists (select from people where global_role = 'admin') as found`
  return row!.found
}

/** Adds a link; earlier ones of the same person and purpose stop working. */
export async function insertLink(
  sql: Sql | Tx,
  link: { id: string; tokenHash: string; purpose: LinkPurpose; personId: string | null; minutes: number },
): Promise<void> {
  if (link.personId !== null)
    await sql`delete from one_time_links where person_id = ${link.personId} and purpose = ${link.purpose} and used_at is null`
  await sql`
    insert into one_time_links (id, token_hash, purpose, person_id, expires_at)
    values (${link.id}, ${link.tokenHash}, ${link.purpose}, ${link.personId}, now() + make_interval(mins => ${link.minutes}))`
}

export interface Redemption {
  tokenHash: string
  /** Ids for the rows that may have to be made. */
  newPersonId: string
  accountId: string
  /** Wanted by `first-admin`; taken over by `invite` when given. */
  name?: string
  /** Wanted by `first-admin` only. */
  email?: string
  /** Hash of the chosen password. */
  passwordHash?: string
}

export type RedeemOutcome =
  | { ok: true; personId: string }
  | { ok: false; why: 'not-open' | 'incomplete' | 'email-taken' }

/**
 * Uses a link up, and makes or changes the person it is for, in one transaction: of two who come with the same link, one gets in.
 * The account row is written as better-auth writes it for a mail and a password.
 */
export async function redeemOneTimeLink(sql: Sql, given: Redemption): Promise<RedeemOutcome> {
  try {
    return await sql.begin(async (tx): Promise<RedeemOutcome> => {
      const link = await openLink(tx, given.tokenHash, true)
      if (!link) return { ok: false, why: 'not-open' }
      if (!given.passwordHash) return { ok: false, why: 'incomplete' }
      if (link.purpose === 'first-admin' && !(given.name && given.email))
        return { ok: false, why: 'incomplete' }
      const personId = link.personId ?? given.newPersonId
      if (link.purpose === 'first-admin' && !(await insertFirstAdmin(tx, personId, given)))
        return { ok: false, why: 'not-open' }
      if (link.purpose === 'invite' && given.name)
        await tx`update people set name = ${given.name}, updated_at = now() where id = ${personId}`
      await setPassword(tx, personId, given)
      await tx`update one_time_links set used_at = now() where token_hash = ${given.tokenHash}`
      if (link.purpose === 'reset') await tx`delete from sessions where person_id = ${personId}`
      return { ok: true, personId }
    })
  } catch (error) {
    if (sqlState(error) === SQL_STATE.uniqueViolation) return { ok: false, why: 'email-taken' }
    throw error
  }
}

async function insertFirstAdmin(tx: Tx, personId: string, { name, email }: Redemption): Promise<boolean> {
  // One at a time: two links of two starts must not make two first admins.
  await tx`select pg_advisory_xact_lock(hashtextextended('inquest first admin', 0))`
  const made = await tx`
    insert into people (id, name, email, email_verified, global_role)
    select ${personId}, ${name!}, ${email!}, true, 'admin' where not exists (select 1 from people where global_role = 'admin')`
  if (made.count === 0) return false
  const [project] = await tx<
    RowOf<'projects', 'id'>[]
  >`select id from projects order by created_at, id limit 1`
  if (project)
    await recordAudit(tx, {
      projectId: project.id,
      actor: `person:${personId}`,
      action: 'person.first-admin',
      subject: personId,
      detail: { email: email! },
    })
  return true
}

async function setPassword(tx: Tx, personId: string, { accountId, passwordHash }: Redemption): Promise<void> {
  const changed = await tx`
    update accounts set password = ${passwordHash!}, updated_at = now() where person_id = ${personId} and provider_id = 'credential'`
  if (changed.count > 0) return
  await tx`
    insert into accounts (id, account_id, provider_id, person_id, password)
    values (${accountId}, ${personId}, 'credential', ${personId}, ${passwordHash!})`
}
