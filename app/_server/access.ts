import { type Action, can, keyCan, parseScopes } from '@/lib/auth/permissions'
import { parseRole, type Role } from '@/lib/auth/roles'
import { hashKey } from '@/lib/auth/tokens'
import { refusedAction } from '@/lib/words/actions'
import { type PersonAccess, readKeyAccess, readPersonAccess, readSessionAccess } from '@/db/queries/access'
import { isPoolBusy, isStoreDown, isStoreFull } from '@/db/sql-state'
import { noteKeyUse } from '@/db/people/keys'
import { peopleProblemText } from '@/lib/words/server/people'
import { db } from './db'
import { checkOrigin } from './origin'
import { Refusal } from './respond'
import { readSession, readSessionToken } from './session'

export interface ProjectAccess {
  id: string
  slug: string
  name: string
  /** For a key: `admin` with the admin scope, else `viewer`; what it may do is `may`. */
  role: Role
  may: (action: Action) => boolean
}

export interface Access {
  actor: { kind: 'person' | 'key'; id: string; name: string; email: string | null }
  /** Holds every project, and may manage people across projects. */
  globalAdmin: boolean
  /** Projects in which the action that was asked for is allowed; never empty. */
  projects: ProjectAccess[]
  /** Cookies that renew the session; the answer must carry them. */
  cookies: string[]
}

const KEY_USE_NOTED_MS = 60_000

async function keyAccess(key: string): Promise<Access> {
  const found = await readKeyAccess(db().sql, hashKey(key))
  const now = Date.now()
  if (!found) {
    throw new Refusal('not-signed-in', peopleProblemText.unknownKey, {
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
  // When a key was last used is for people to read; a write for each request would be too much.
  if (found.lastUsedAt === null || now - Date.parse(found.lastUsedAt) > KEY_USE_NOTED_MS)
    await noteKeyUse(db().sql, found.id).catch((error: unknown) => {
      // No reason to refuse what only reads.
      if (!isStoreFull(error)) throw error
    })
  return {
    actor: { kind: 'key', id: found.id, name: found.name ?? 'key', email: null },
    globalAdmin: found.local,
    projects: found.projects.map(({ id, slug, name, holds }) => {
      const scopes = parseScopes(holds)
      return {
        id,
        slug,
        name,
        role: scopes.includes('admin') ? 'admin' : 'viewer',
        may: (action) => keyCan(scopes, action),
      }
    }),
    cookies: [],
  }
}

const personAccess = (person: PersonAccess, cookies: string[]): Access => ({
  actor: { kind: 'person', id: person.id, name: person.name, email: person.email },
  globalAdmin: person.globalAdmin,
  projects: person.projects.flatMap(({ id, slug, name, holds }) => {
    const role = parseRole(holds)
    return role === null ? [] : [{ id, slug, name, role, may: (action: Action) => can(role, action) }]
  }),
  cookies,
})

/** @throws Refusal `not-allowed` when this is an admin of some projects only */
export function needsGlobalAdmin(access: Access, what = 'This'): void {
  if (!access.globalAdmin) throw new Refusal('not-allowed', peopleProblemText.requiresInstanceAdmin({ what }))
}

/** The token of `Authorization: Bearer`; null when there is none. */
export const bearer = (request: Request): string | null =>
  /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null

/**
 * Who sends this request, and in which projects they may take the action. A key takes precedence over a cookie: with a key the
 * cookie is not looked at, and the origin does not matter.
 *
 * @throws Refusal `not-signed-in`, `wrong-origin` or `not-allowed`
 */
export async function apiAccess(request: Request, action: Action): Promise<Access> {
  const key = bearer(request)
  const access = key === null ? await cookieAccess(request) : await keyAccess(key)
  const projects = access.projects.filter((project) => project.may(action))
  if (projects.length > 0) return { ...access, projects }
  throw new Refusal('not-allowed', refusedAction(action, access.actor.kind))
}

async function cookieAccess(request: Request): Promise<Access> {
  const session = await readSession(request.headers)
  const person = session && (await readPersonAccess(db().sql, session.personId))
  if (!person) throw new Refusal('not-signed-in', undefined, { headers: { 'www-authenticate': 'Bearer' } })
  checkOrigin(request)
  return personAccess(person, session.cookies)
}

/**
 * Whether the key or the session of a request that is still being answered allows what it did: nobody else, the same projects.
 * Nothing is prolonged by it. A database that does not answer changes no rights.
 */
export async function stillAllowed(request: Request, action: Action, before: Access): Promise<boolean> {
  const key = bearer(request)
  try {
    const now = key === null ? await readReader(request.headers) : await keyAccess(key)
    const ids = (projects: ProjectAccess[]): string => projects.map((project) => project.id).join()
    return (
      now?.actor.id === before.actor.id &&
      ids(now.projects.filter((project) => project.may(action))) === ids(before.projects)
    )
  } catch (error) {
    if (error instanceof Refusal) return false
    if (isStoreDown(error) || isPoolBusy(error)) return true
    throw error
  }
}

/** Who asks for a page, by the session cookie alone; null when nobody is signed in. */
export async function readReader(headers: Headers): Promise<Access | null> {
  const token = await readSessionToken(headers)
  const person = token === null ? null : await readSessionAccess(db().sql, token)
  return person && personAccess(person, [])
}

/**
 * The project that a write goes to: the one named by its slug, else the only one, else the one called `default`.
 *
 * @throws Refusal `not-found` for a slug that is not among them, `bad-request` when one has to be named
 */
export function chooseProject(access: Access, slug: string | null | undefined): ProjectAccess {
  if (slug) {
    const named = access.projects.find((project) => project.slug === slug)
    if (!named) throw new Refusal('not-found', peopleProblemText.noSuchProject({ slug }))
    return named
  }
  const chosen =
    access.projects.length === 1
      ? access.projects[0]
      : access.projects.find((project) => project.slug === 'default')
  if (!chosen)
    throw new Refusal(
      'bad-request',
      `Name a project: ${access.projects.map((project) => `?project=${project.slug}`).join(', ')}.`,
    )
  return chosen
}

/** Ids of the projects a list looks through: all that may be read, or the one named by its slug. */
export const projectIds = (access: Access, slug?: string | null): string[] =>
  slug ? [chooseProject(access, slug).id] : access.projects.map((project) => project.id)

/** How the audit log names who did it. */
export const actorOf = (access: Access): string => `${access.actor.kind}:${access.actor.id}`
