import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Sql } from '../client'
import { migrationsFolder } from '../migrate'
import { SQL_STATE, sqlState } from '../sql-state'

/** Whether the database has been brought to the last migration this version knows; throws when it cannot be asked. */
export async function migrationState(sql: Sql): Promise<'ok' | 'pending'> {
  try {
    const [row] = await sql<
      { last: number | null }[]
    >`select max(created_at)::float8 as last from inquest_migrations.__drizzle_migrations`
    return (row?.last ?? 0) >= lastKnown() ? 'ok' : 'pending'
  } catch (error) {
    if (sqlState(error) === SQL_STATE.undefinedTable || sqlState(error) === '3F000') return 'pending'
    throw error
  }
}

let known: number | undefined

function lastKnown(): number {
  if (known === undefined) {
    const journal = JSON.parse(
      readFileSync(path.join(migrationsFolder(), 'meta', '_journal.json'), 'utf8'),
    ) as { entries: { when: number }[] }
    known = Math.max(...journal.entries.map((entry) => entry.when))
  }
  return known
}
