import { inject } from 'vitest'
import { openDb, type Db } from '../client'
import { seedExecutions } from '../seed/executions'
import { ensureSource } from '../writes/receive/ensure-source'
import { ensureProject } from '../projects'
import { SEEDED_TEMPLATE, TEMPLATE } from './template'
import { onServer, testDb, type TestDb } from './test-db'

/** Executions of project `default`, by source: the newest of each began at the same time, `other` goes back 10 days, `default` 59, `small` minutes. */
export const SEEDED_SOURCES = { other: 40_000, default: 159_940, small: 60 }
export const SEEDED_EXECUTIONS = 200_000
export const SEEDED_NEWEST = new Date('2026-11-15T00:00:00Z')

/**
 * A database of one's own, like `testDb`, that holds 200,000 seeded executions with an event each, and statistics of them. They are
 * seeded by the first file of a run that asks, which takes ten seconds; the others copy what it made.
 */
export async function seededDb(): Promise<{ db: TestDb; projectId: string }> {
  await onServer(inject('databaseUrl'), async (admin) => {
    await admin`select pg_advisory_lock(hashtextextended('inquest seeded database', 0))`
    const made = await admin`select from pg_database where datname = ${SEEDED_TEMPLATE}`
    if (made.length > 0) return
    // It takes its name when it is whole.
    const half = `${SEEDED_TEMPLATE}_half`
    await admin.unsafe(`drop database if exists ${half}`)
    await admin.unsafe(`create database ${half} template ${TEMPLATE} strategy file_copy`)
    await seed(half)
    await admin.unsafe(`alter database ${half} rename to ${SEEDED_TEMPLATE}`)
  })
  const db = await testDb({ from: SEEDED_TEMPLATE })
  return { db, projectId: (await projectOf(db)).id }
}

const projectOf = (db: Db) => ensureProject(db.sql, { slug: 'default', name: 'Default' })

async function seed(name: string): Promise<void> {
  const url = new URL(inject('databaseUrl'))
  url.pathname = `/${name}`
  const db = openDb(url.href, { max: 1 })
  const projectId = (await projectOf(db)).id
  const days = { other: 10, default: 59, small: (60 * SEEDED_SOURCES.small) / SEEDED_EXECUTIONS }
  let from = 0
  for (const [source, count] of Object.entries(SEEDED_SOURCES)) {
    const { id } = await db.sql.begin((tx) => ensureSource(tx, projectId, 'claude-code', source))
    await seedExecutions(db.sql, {
      projectId,
      sourceId: id,
      from,
      count,
      days: days[source as keyof typeof days],
      events: 1,
      newest: SEEDED_NEWEST,
    })
    from += count
  }
  await db.sql`analyze`
  await db.close()
}
