import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { ensurePartitions } from './partitions'
import { DATABASE_SERVER_PROBLEMS } from '@/lib/words/database-server'
import { storeText } from '@/lib/words/server/store'

/** Oldest server that the migrations are written for. */
export const SERVER_VERSION_MIN = 150000

export class UnfitServerError extends Error {
  override name = 'UnfitServerError'
}

/** Folder of the reviewed SQL, found from the source tree, from a bundle in `dist/`, and from the project's folder. */
export function migrationsFolder(): string {
  const here = path.dirname(fileURLToPath(import.meta.url))
  const candidates = [
    path.join(here, 'migrations'),
    path.join(here, '..', 'db', 'migrations'),
    path.join(process.cwd(), 'db', 'migrations'),
  ]
  const found = candidates.find((folder) => existsSync(path.join(folder, 'meta', '_journal.json')))
  if (!found) throw new Error(storeText.migrationsNotFound({ folders: candidates }))
  return found
}

/**
 * Brings the database up to date and makes the partitions that are needed now. Safe to run by several processes at once:
 * one works, the others wait and find nothing to do. Needs no extension and no superuser, only a database of one's own.
 *
 * @throws UnfitServerError when the server is too old or its encoding is not UTF-8
 */
export async function migrateDb(url: string, now: Date = new Date()): Promise<void> {
  const sql = postgres(url, {
    max: 1,
    onnotice: () => {},
    connection: { application_name: 'inquest migrations' },
  })
  try {
    const [server] =
      await sql`select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`
    if (server!.version < SERVER_VERSION_MIN)
      throw new UnfitServerError(DATABASE_SERVER_PROBLEMS.old_version({ version: server!.version }))
    if (server!.encoding !== 'UTF8')
      throw new UnfitServerError(DATABASE_SERVER_PROBLEMS.other_encoding({ encoding: server!.encoding }))
    // A session lock: with one connection everything below runs inside it.
    await sql`select pg_advisory_lock(hashtextextended('inquest migrations', 0))`
    try {
      await migrate(drizzle(sql), {
        migrationsFolder: migrationsFolder(),
        migrationsSchema: 'inquest_migrations',
      })
      await ensurePartitions(sql, now)
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended('inquest migrations', 0))`
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}
