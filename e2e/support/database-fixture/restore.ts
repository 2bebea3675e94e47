import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import postgres from 'postgres'
import { migrateDb } from '@/db/migrate'
import { testDbBefore } from '@/db/testing/old-schema'
import { type Manifest, readArchive } from './archive'
import { listMigrations, listPartitions, quoted, settleSpelling } from './catalogue'

export interface Restored {
  /** A database without connections, to copy others from. */
  name: string
  manifest: Manifest
  /** What the migrator remembered after the migrations of that version, before today's. */
  migrations: Manifest['migrations']
  drop: () => Promise<void>
}

/**
 * Restores the database of an earlier version: its schema by its own migrations, the partitions it had, its
 * rows with every constraint on, and then today's
 * migrations. Rows are not allowed to pass by a trigger or a foreign key: what does not fit is an error.
 */
export async function restoreDatabase(version: string, now = new Date()): Promise<Restored> {
  const { manifest, tables } = readArchive(version)
  const db = await testDbBefore(manifest.migration.idx + 1)
  const sql = postgres(db.url, { max: 1, onnotice: () => {} })
  try {
    await settleSpelling(sql)
    const made = new Set((await listPartitions(sql)).map(({ name }) => name))
    for (const { name, parent, bound } of manifest.partitions)
      if (!made.has(name)) await sql.unsafe(`create table "${name}" partition of "${parent}" ${bound}`)
    for (const { name, columns, bytes } of manifest.tables) {
      if (bytes === 0) continue
      await pipeline(
        Readable.from([tables.get(name)!]),
        await sql.unsafe(`copy "${name}" (${quoted(columns)}) from stdin`).writable(),
      )
    }
    for (const { table, column, lastValue, isCalled } of manifest.sequences)
      await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${lastValue}::bigint, ${isCalled})`
    const migrations = await listMigrations(sql)
    await migrateDb(db.url, now)
    return { name: new URL(db.url).pathname.slice(1), manifest, migrations, drop: db.close }
  } catch (error) {
    await sql.end()
    await db.close()
    throw error
  } finally {
    await sql.end()
  }
}
