import '@/e2e/support/database-fixture/next-storage'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { openDb } from '@/db/client'
import { startEmbedded } from '@/db/embedded'
import { migrateDb } from '@/db/migrate'
import { archivePath } from '@/e2e/support/database-fixture/archive'
import { readProbes, writeExpectations } from '@/e2e/support/database-fixture/probes'
import { saveDatabase } from '@/e2e/support/database-fixture/save'
import { SITE_ENV } from '@/e2e/support/database-fixture/site'
import { version } from '@/package.json'
import { accessOf } from './database-fixture/access'
import { loadEverything } from './database-fixture/load'

/**
 * `npm run database-fixture` loads one of everything into a database of this version and saves it under
 * `e2e/fixtures/`, with what is read from it. It is
 * written once, when a version is released: a fixture that a later version wrote would not be of the version
 * in its name.
 *
 * @see docs/upgrading.md
 */
const { values } = parseArgs({ options: { force: { type: 'boolean', default: false } } })
const file = archivePath(version)
if (existsSync(file) && !values.force) {
  console.error(
    `${path.basename(file)} exists. It holds what version ${version} wrote and is never written again; to release a version, set it in package.json first.`,
  )
  process.exit(1)
}

Object.assign(process.env, SITE_ENV, { NODE_ENV: 'test' })
const dir = await mkdtemp(path.join(tmpdir(), 'inquest-fixture-'))
const server = await startEmbedded({ dir, settings: { fsync: 'off' } })
try {
  const url = new URL(server.url)
  url.pathname = '/fixture'
  const admin = postgres(server.url, { max: 1 })
  await admin`create database fixture`.finally(() => admin.end())
  await migrateDb(url.href)
  process.env.DATABASE_URL = url.href
  const db = openDb(url.href)
  const access = await accessOf(await loadEverything(db, console.log))
  const { archive, manifest } = await saveDatabase(url.href, version, access)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, archive)
  console.log(
    `${path.basename(file)}: ${archive.length} bytes, ${manifest.tables.length} tables, migration ${manifest.migration.tag}`,
  )
  for (const { name, rows } of manifest.tables) console.log(`  ${name} ${rows}`)
  // Read after it was saved: reading renews sessions and notes when keys were used.
  const readings = await readProbes({ sql: db.sql, access })
  writeExpectations(version, readings)
  console.log(`${readings.size} things to compare`)
} finally {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
}
process.exit(0)
