import { headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import { cache } from 'react'
import { type Action, ACTIONS, can, keyCan, parseScopes } from '@/lib/auth/permissions'
import { atLeast, parseRole, type Role } from '@/lib/auth/roles'
import { hashKey } from '@/lib/auth/tokens'
import { links } from '@/lib/links'
import { readKeyAccess, readPersonAccess } from '@/db/queries/access'
import { noteKeyUse } from '@/db/writes/keys'
import { db } from './db'
import { checkOrigin } from './origin'
import { Refusal } from './respond'
import { readSession } from './session'

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
  if (!found || (found.expiresAt !== null && Date.parse(found.expiresAt) <= now)) {
    throw new Refusal('not-signed-in', 'The key is not known, was revoked or has expired.', { headers: { 'www-authenticate': 'Bearer' } })
  }
  // When a key was last used is for people to read; a write for each request would be too much.
  if (found.lastUsedAt === null || now - Date.parse(found.lastUsedAt) > KEY_USE_NOTED_MS) await noteKeyUse(db().sql, found.id)
  return {
    actor: { kind: 'key', id: found.id, name: found.name ?? 'key', email: null },
    globalAdmin: found.local,
    projects: found.projects.map(({ id, slug, name, holds }) => {
      const scopes = parseScopes(holds)
      return { id, slug, name, role: scopes.includes('admin') ? 'admin' : 'viewer', may: (action) => keyCan(scopes, action) }
    }),
    cookies: [],
  }
}

async function personAccess(personId: string, cookies: string[]): Promise<Access | null> {
  const person = await readPersonAccess(db().sql, personId)
  if (!person) return null
  return {
    actor: { kind: 'person', id: person.id, name: person.name, email: person.email },
    globalAdmin: person.globalAdmin,
    projects: person.projects.flatMap(({ id, slug, name, holds }) => {
      const role = parseRole(holds)
      return role === null ? [] : [{ id, slug, name, role, may: (action: Action) => can(role, action) }]
    }),
    cookies,
  }
}

const bearer = (request: Request): string | null => /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null

/**
 * Who sends this request, and in which projects they may take the action. A key stands above a cookie: with a key the
 * cookie is not looked at, and the origin does not matter.
 *
 * @throws Refusal `not-signed-in`, `wrong-origin` or `not-allowed`
 */
export async function apiAccess(request: Request, action: Action): Promise<Access> {
  const key = bearer(request)
  const access = key === null ? await cookieAccess(request) : await keyAccess(key)
  const projects = access.projects.filter((project) => project.may(action))
  if (projects.length > 0) return { ...access, projects }
  const needs = access.actor.kind === 'key' ? 'a scope that this key does not have' : `the role ${ACTIONS[action]} in a project`
  throw new Refusal('not-allowed', `"${action}" needs ${needs}.`)
}

async function cookieAccess(request: Request): Promise<Access> {
  const session = await readSession(request.headers, { refresh: true })
  const access = session && (await personAccess(session.personId, session.cookies))
  if (!access) throw new Refusal('not-signed-in', undefined, { headers: { 'www-authenticate': 'Bearer' } })
  checkOrigin(request)
  return access
}

/** The reader of the page that is being made, or null; asked once for each request, however many parts ask. */
export const pageReader = cache(async (): Promise<Access | null> => {
  const session = await readSession(await headers(), { refresh: false })
  return session && personAccess(session.personId, [])
})

/**
 * For server components: the reader, with the projects in which they hold at least `minRole`.
 * Nobody signed in → the sign-in page, which comes back here; a weaker role → the page for 403.
 */
export async function pageAccess(minRole: Role = 'viewer'): Promise<Access> {
  const access = await pageReader()
  if (!access) return redirect(links.signIn((await headers()).get('x-inquest-path') ?? undefined))
  const projects = access.projects.filter((project) => atLeast(project.role, minRole))
  return projects.length > 0 ? { ...access, projects } : forbidden()
}

/**
 * The project that a write goes to: the one named by its slug, else the only one, else the one called `default`.
 *
 * @throws Refusal `not-found` for a slug that is not among them, `bad-request` when one has to be named
 */
export function chooseProject(access: Access, slug: string | null | undefined): ProjectAccess {
  if (slug) {
    const named = access.projects.find((project) => project.slug === slug)
    if (!named) throw new Refusal('not-found', `No project "${slug.slice(0, 80)}" in which this is allowed.`)
    return named
  }
  const chosen = access.projects.length === 1 ? access.projects[0] : access.projects.find((project) => project.slug === 'default')
  if (!chosen) throw new Refusal('bad-request', `Name a project: ${access.projects.map((project) => `?project=${project.slug}`).join(', ')}.`)
  return chosen
}

/** Ids of the projects a list looks through: all that may be read, or the one named by its slug. */
export const projectIds = (access: Access, slug?: string | null): string[] =>
  slug ? [chooseProject(access, slug).id] : access.projects.map((project) => project.id)

/** How the audit log names who did it. */
export const actorOf = (access: Access): string => `${access.actor.kind}:${access.actor.id}`
