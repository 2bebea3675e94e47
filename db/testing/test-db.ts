import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import { openDb, type Db } from '../client'
import { TEMPLATE } from './template'

export interface TestDb extends Db {
  url: string
}

/**
 * A freshly migrated database of one's own, for one test file: `const db = await testDb()` in `beforeAll`, `db.close()` in `afterAll`,
 * which drops it.
 *
 * @param from name of the database to copy; the empty migrated one by default
 */
export async function testDb({
  max = 4,
  from = TEMPLATE,
}: {
  max?: number
  from?: string
} = {}): Promise<TestDb> {
  const server = inject('databaseUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(server, async (admin) => {
    // Copies of one template exclude each other.
    await admin`select pg_advisory_lock(hashtextextended('inquest test databases', 0))`
    await admin.unsafe(`create database ${name} template ${from} strategy file_copy`)
  })
  const url = new URL(server)
  url.pathname = `/${name}`
  const db = openDb(url.href, { max })
  return {
    ...db,
    url: url.href,
    close: async () => {
      await db.close()
      await onServer(server, async (admin) => {
        await admin.unsafe(`drop database if exists ${name} with (force)`)
      })
    },
  }
}

/** Work on a test server itself, over a connection of its own. */
export async function onServer(url: string, work: (admin: postgres.Sql) => Promise<void>): Promise<void> {
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await work(admin)
  } finally {
    await admin.end({ timeout: 5 })
  }
}
