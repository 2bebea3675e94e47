import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Sql } from '../client'
import { migrationsFolder } from '../migrate'
import { isStoreFull, SQL_STATE, sqlState } from '../sql-state'

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

/**
 * Whether the database has room for half a megabyte: it is written into a table that ends with the transaction.
 * For after a write has failed, not for each look.
 *
 * @throws when it cannot be asked
 */
export async function canWrite(sql: Sql): Promise<boolean> {
  try {
    await sql.begin(async (tx) => {
      await tx`create temporary table room on commit drop as select md5(i::text) from generate_series(1, 8000) as i`
    })
    return true
  } catch (error) {
    if (isStoreFull(error)) return false
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
