import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Db } from '@/db/client'
import { keepLocalKey } from '@/db/people/keys'
import { createFirstAdminLink } from '@/db/people/one-time-links'
import { ensureProject } from '@/db/projects'
import { ask, askJson, ORIGIN } from '@/e2e/support/database-fixture/site'
import { hashKey, hashToken, KEY_PREFIX, tokenFrom } from '@/lib/auth/tokens'
import { links } from '@/lib/links'
import { type Loading, post } from './loading'

export const PASSWORD = 'a password of the database fixture'
export const ADMIN_EMAIL = 'ada@example.test'

const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

async function redeem(token: string, body: object): Promise<string> {
  const response = await ask(links.api.oneTime(token), {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/json' },
    body,
  })
  if (!response.ok) throw new Error(await response.text())
  return cookieOf(response)
}

const tokenOf = (url: string): string => new URL(url).searchParams.get('link')!

async function invite(
  admin: string,
  name: string,
  role: string,
): Promise<{ personId: string; token: string }> {
  const email = `${name.toLowerCase()}@example.test`
  const { personId, link } = await post<{ personId: string; link: string }>(links.api.people(), {
    cookie: admin,
    body: { project: 'default', email, name, role },
  })
  return { personId, token: tokenOf(link) }
}

/**
 * Projects, people of each role, sessions, keys, links and sources; each through the route that a person
 * would use.
 */
export async function loadPeople(db: Db): Promise<Loading> {
  const project = await ensureProject(db.sql, { slug: 'default', name: 'Default' })
  const other = await ensureProject(db.sql, { slug: 'warehouse', name: 'Warehouse' })
  const startToken = tokenFrom(randomBytes(32))
  await createFirstAdminLink(db.sql, { id: v7(), tokenHash: hashToken(startToken), minutes: 60 })
  const admin = await redeem(startToken, { name: 'Ada', email: ADMIN_EMAIL, password: PASSWORD })

  const join = async (name: string, role: string): Promise<string> =>
    redeem((await invite(admin, name, role)).token, { name, password: PASSWORD })
  const people = {
    admin,
    reviewer: await join('Rita', 'reviewer'),
    secondReviewer: await join('Sam', 'reviewer'),
    operator: await join('Otto', 'operator'),
    viewer: await join('Vera', 'viewer'),
  }
  // One has not come yet, one has another role by now, and one is gone.
  const invited = await invite(admin, 'Ines', 'viewer')
  await post(links.api.personLink(invited.personId), { cookie: admin })
  const promoted = await invite(admin, 'Paul', 'viewer')
  await askJson(links.api.person(promoted.personId), {
    method: 'PATCH',
    cookie: admin,
    body: { project: 'default', role: 'operator' },
  })
  const leaving = await invite(admin, 'Lea', 'viewer')
  await askJson(links.api.person(leaving.personId), { method: 'DELETE', cookie: admin })

  const body = { email: ADMIN_EMAIL, password: PASSWORD }
  const signedIn = await ask(links.api.signIn(), {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/json', 'x-inquest-peer': '127.0.0.1' },
    body,
  })
  if (!signedIn.ok) throw new Error(`sign-in: ${signedIn.status}`)

  const makeKey = (name: string, scopes: string[], more: object = {}) =>
    post<{ id: string; key: string }>(links.api.keys(), {
      cookie: admin,
      body: { project: 'default', name, scopes, ...more },
    })
  const agent = await makeKey('agent', ['ingest', 'read', 'write'])
  const reader = await makeKey('reader', ['read'])
  await makeKey('for a week', ['ingest'], { expiresInDays: 7 })
  await makeKey('of the warehouse', ['ingest', 'read'], { project: 'warehouse' })
  const revoked = await makeKey('revoked', ['read'])
  await askJson(links.api.key(revoked.id), { method: 'DELETE', cookie: admin })
  const local = `${KEY_PREFIX}${tokenFrom(randomBytes(32))}`
  await keepLocalKey(db.sql, { id: v7(), hash: hashKey(local), start: local.slice(0, 8), minutes: 60 })

  await loadSources(admin)
  return {
    db,
    projectId: project.id,
    otherProjectId: other.id,
    people,
    keys: { agent: agent.key, reader: reader.key },
  }
}

async function loadSources(admin: string): Promise<void> {
  const made = (name: string, redact: boolean) =>
    post<{ id: string }>(links.api.sources(), {
      cookie: admin,
      body: { project: 'default', kind: 'claude-code', name, redact },
    })
  await made('redacted', true)
  const unredacted = await made('not redacted', true)
  await askJson(links.api.source(unredacted.id), { method: 'PATCH', cookie: admin, body: { redact: false } })
  const removed = await made('removed', true)
  await askJson(links.api.source(removed.id), { method: 'DELETE', cookie: admin })
}
