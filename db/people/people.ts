import type { Sql, Tx } from '../client'
import { SQL_STATE, sqlState } from '../sql-state'
import { recordAudit } from '../audit'
import { insertLink } from './one-time-links'
import type { RowOf } from '../schema/rows'

export interface Invitation {
  personId: string
  linkId: string
  tokenHash: string
  minutes: number
  name: string
  email: string
  projectId: string
  role: string
  globalAdmin: boolean
  actor: string
}

/** Adds a person who has yet to choose a password, their role, and the link that lets them in. @returns false when the mail is taken */
export async function invitePerson(sql: Sql, invitation: Invitation): Promise<boolean> {
  const { personId, projectId, role, email, name, globalAdmin, actor } = invitation
  try {
    await sql.begin(async (tx) => {
      await tx`insert into people (id, name, email, email_verified, global_role) values (${personId}, ${name}, ${email}, true, ${globalAdmin ? 'admin' : null})`
      await tx`insert into memberships (project_id, person_id, role) values (${projectId}, ${personId}, ${role})`
      await insertLink(tx, {
        id: invitation.linkId,
        tokenHash: invitation.tokenHash,
        purpose: 'invite',
        personId,
        minutes: invitation.minutes,
      })
      await recordAudit(tx, {
        projectId,
        actor,
        action: 'person.invite',
        subject: personId,
        detail: { email, role, ...(globalAdmin ? { globalAdmin } : {}) },
      })
    })
    return true
  } catch (error) {
    if (sqlState(error) === SQL_STATE.uniqueViolation) return false
    throw error
  }
}

/** Makes a link by which a person chooses a new password; while they have none yet, the invitation anew. @returns false when they are not there */
export const renewLink = (
  sql: Sql,
  link: {
    personId: string
    linkId: string
    tokenHash: string
    minutes: number
    projectId: string
    actor: string
  },
): Promise<boolean> =>
  sql.begin(async (tx) => {
    const [person] = await tx<
      (RowOf<'people', 'email'> & {
        has_password: boolean
      })[]
    >`
      select email, exists (select 1 from accounts a where a.person_id = p.id and a.password is not null) as has_password from people p where id = ${link.personId}`
    if (!person) return false
    const purpose = person.has_password ? 'reset' : 'invite'
    await insertLink(tx, {
      id: link.linkId,
      tokenHash: link.tokenHash,
      purpose,
      personId: link.personId,
      minutes: link.minutes,
    })
    await recordAudit(tx, {
      projectId: link.projectId,
      actor: link.actor,
      action: 'person.link',
      subject: link.personId,
      detail: { email: person.email, purpose },
    })
    return true
  })

export type PersonChange = 'done' | 'not-found' | 'last-admin'

const isLastAdmin = async (tx: Tx, personId: string): Promise<boolean> => {
  const admins = await tx<
    RowOf<'people', 'id'>[]
  >`select id from people where global_role = 'admin' for update`
  return admins.length === 1 && admins[0]!.id === personId
}

/** Gives a person a role in a project, or takes it away (null). */
export const changeRole = (
  sql: Sql,
  change: { personId: string; projectId: string; role: string | null; actor: string },
): Promise<PersonChange> =>
  sql.begin(async (tx) => {
    const [person] = await tx`select 1 from people where id = ${change.personId}`
    if (!person) return 'not-found'
    const { personId, projectId, role } = change
    if (role === null)
      await tx`delete from memberships where project_id = ${projectId} and person_id = ${personId}`
    else
      await tx`insert into memberships (project_id, person_id, role) values (${projectId}, ${personId}, ${role}) on conflict (project_id, person_id) do update set role = excluded.role`
    await recordAudit(tx, {
      projectId,
      actor: change.actor,
      action: 'person.role',
      subject: personId,
      detail: { role },
    })
    return 'done'
  })

/** Makes a person an admin of everything, or no longer; the last one stays. */
export const changeGlobalAdmin = (
  sql: Sql,
  change: { personId: string; globalAdmin: boolean; projectId: string; actor: string },
): Promise<PersonChange> =>
  sql.begin(async (tx) => {
    if (!change.globalAdmin && (await isLastAdmin(tx, change.personId))) return 'last-admin'
    const changed =
      await tx`update people set global_role = ${change.globalAdmin ? 'admin' : null}, updated_at = now() where id = ${change.personId}`
    if (changed.count === 0) return 'not-found'
    await recordAudit(tx, {
      projectId: change.projectId,
      actor: change.actor,
      action: 'person.global-admin',
      subject: change.personId,
      detail: { globalAdmin: change.globalAdmin },
    })
    return 'done'
  })

/** Removes a person with their sessions and roles; what they did stays in the audit log. Their keys go on: they belong to the project. */
export const removePerson = (
  sql: Sql,
  { personId, projectId, actor }: { personId: string; projectId: string; actor: string },
): Promise<PersonChange> =>
  sql.begin(async (tx) => {
    if (await isLastAdmin(tx, personId)) return 'last-admin'
    const [person] = await tx<
      RowOf<'people', 'email'>[]
    >`delete from people where id = ${personId} returning email`
    if (!person) return 'not-found'
    await recordAudit(tx, {
      projectId,
      actor,
      action: 'person.remove',
      subject: personId,
      detail: { email: person.email },
    })
    return 'done'
  })
