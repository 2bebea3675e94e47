import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import postgres from 'postgres'
import { migrationsFolder } from '@/db/migrate'
import { type FixtureAccess, type Manifest, packArchive, type SavedTable, sha256 } from './archive'
import {
  listMigrations,
  listPartitions,
  listSequences,
  listTables,
  quoted,
  settleSpelling,
} from './catalogue'

/**
 * Saves every table of the product by COPY. Text and not binary: every later server reads it, and it
 * compresses as well.
 *
 * Only the schema `public` is saved. What the migrator remembers goes into the manifest, because a restore
 * runs the migrations of that version itself;
 * jobs of graphile-worker are not part of what is stored: the product asks for them again, and that library
 * migrates its own tables.
 */
export async function saveDatabase(
  url: string,
  version: string,
  access: FixtureAccess,
): Promise<{ archive: Buffer; manifest: Manifest }> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await settleSpelling(sql)
    const saved: SavedTable[] = []
    const contents: Buffer[] = []
    for (const { name, columns, key } of await listTables(sql)) {
      const bytes = await copyOut(url, `select ${quoted(columns)} from "${name}" order by ${quoted(key)}`)
      const [counted] = await sql.unsafe<{ rows: number }[]>(`select count(*)::int as rows from "${name}"`)
      saved.push({ name, columns, rows: counted!.rows, bytes: bytes.length, sha256: sha256(bytes) })
      contents.push(bytes)
    }
    const manifest: Manifest = {
      version,
      migration: lastMigration(),
      migrations: await listMigrations(sql),
      partitions: await listPartitions(sql),
      sequences: await listSequences(sql),
      tables: saved,
      access,
    }
    return { archive: packArchive(manifest, contents), manifest }
  } finally {
    await sql.end()
  }
}

/**
 * On a connection of its own: postgres.js can leave the socket paused behind the last piece of a COPY, and
 * the next statement would wait for ever.
 */
async function copyOut(url: string, query: string): Promise<Buffer> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await settleSpelling(sql)
    return await buffer(await sql.unsafe(`copy (${query}) to stdout`).readable())
  } finally {
    await sql.end({ timeout: 0 })
  }
}

function lastMigration(): Manifest['migration'] {
  const journal = JSON.parse(readFileSync(path.join(migrationsFolder(), 'meta/_journal.json'), 'utf8')) as {
    entries: Manifest['migration'][]
  }
  const { idx, tag } = journal.entries.at(-1)!
  return { idx, tag }
}
