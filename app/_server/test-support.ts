import { randomUUID } from 'node:crypto'
import { v7 } from 'uuid'
import { type TestDb, testDb } from '@/db/testing/test-db'
import { grantKey } from '@/db/people/keys'
import { ensureProject, type Project } from '@/db/projects'
import type { Scope } from '@/lib/auth/permissions'
import type { Role } from '@/lib/auth/roles'
import { auth } from './auth'
import { runClosersForTests } from './shutdown'

/** A database of one's own behind the routes, and ways to come to them. */
export interface World {
  db: TestDb
  project: Project
  /** A person with this role in the project (or none), signed in: the value of the `Cookie` header. */
  cookie: (role: Role | null, options?: { globalAdmin?: boolean; project?: Project }) => Promise<string>
  /** A key with these scopes. */
  key: (scopes: Scope[], project?: Project) => Promise<string>
  close: () => Promise<void>
}

export const ORIGIN = 'http://127.0.0.1:4790'

export async function openWorld({
  onDatabase,
}: {
  /** Before anything is asked of it. */
  onDatabase?: (db: TestDb) => Promise<void>
} = {}): Promise<World> {
  const db = await testDb()
  await onDatabase?.(db)
  process.env.DATABASE_URL = db.url
  const project = await ensureProject(db.sql, { slug: 'default', name: 'Default' })
  return {
    db,
    project,
    cookie: async (role, { globalAdmin = false, project: where = project } = {}) => {
      const id = v7()
      await db.sql`
        insert into people (id, name, email, global_role)
        values (${id}, 'Someone', ${`${id}@example.test`}, ${globalAdmin ? 'admin' : null})`
      if (role)
        await db.sql`insert into memberships (project_id, person_id, role) values (${where.id}, ${id}, ${role})`
      const { headers } = await auth().api.startSession({ body: { personId: id }, returnHeaders: true })
      return headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ')
    },
    key: async (scopes, where = project) => {
      const made = await auth().api.createApiKey({ body: { name: 'test', userId: randomUUID() } })
      await grantKey(db.sql, {
        keyId: made.id,
        projectId: where.id,
        scopes,
        createdBy: null,
        actor: 'system',
        name: 'test',
      })
      return made.key
    },
    close: async () => {
      await runClosersForTests()
      await db.close()
    },
  }
}

export interface Ask {
  method?: string
  params?: Record<string, string | string[]>
  cookie?: string
  key?: string
  headers?: Record<string, string>
  body?: BodyInit | object
}

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>

/** Calls a handler as Next does. An object is sent as JSON; a cookie comes with our own origin unless another is given. */
export async function ask(
  handler: unknown,
  path: string,
  { method = 'GET', params = {}, cookie, key, headers = {}, body }: Ask = {},
): Promise<Response> {
  const plain = typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
  const request = new Request(ORIGIN + path, {
    method,
    headers: {
      ...(cookie ? { cookie, origin: ORIGIN } : {}),
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(plain ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: plain ? JSON.stringify(body) : (body as BodyInit), duplex: 'half' }),
  })
  return (handler as Handler)(request, { params: Promise.resolve(params as never) })
}
