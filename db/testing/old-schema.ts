import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { migrationsFolder } from '../migrate'
import { testDb, type TestDb } from './test-db'

/** A database of one's own as it was before this migration (its number), without partitions; `migrateDb(db.url)` brings it up to date. */
export async function testDbBefore(migration: number): Promise<TestDb> {
  const db = await testDb({ from: 'template0' })
  const folder = await mkdtemp(path.join(tmpdir(), 'inquest-migrations-'))
  const sql = postgres(db.url, { max: 1, onnotice: () => {} })
  try {
    await cp(migrationsFolder(), folder, { recursive: true })
    const file = path.join(folder, 'meta', '_journal.json')
    const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { idx: number }[] }
    await writeFile(
      file,
      JSON.stringify({ ...journal, entries: journal.entries.filter(({ idx }) => idx < migration) }),
    )
    await migrate(drizzle(sql), { migrationsFolder: folder, migrationsSchema: 'inquest_migrations' })
    return db
  } catch (error) {
    await db.close()
    throw error
  } finally {
    await sql.end()
    await rm(folder, { recursive: true, force: true })
  }
}
