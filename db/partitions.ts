import type { Sql } from './client'

/** Tables that are partitioned by the time inside a UUIDv7, and its column. */
export const PARTITIONED = {
  received: 'id',
  executions: 'id',
  execution_marks: 'execution_id',
  events: 'execution_id',
  execution_streams: 'execution_id',
  calls: 'execution_id',
  decisions: 'execution_id',
} as const
export type PartitionedTable = keyof typeof PARTITIONED

/** The smallest UUID that carries this time: the border of a partition. */
export function uuidFloor(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

const monthStart = (at: Date, plus = 0) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + plus, 1))
const monthName = (at: Date) => `${at.getUTCFullYear()}_${String(at.getUTCMonth() + 1).padStart(2, '0')}`

/**
 * Makes the monthly partitions from the month before `now` to `monthsAhead` after it. Rows that a default partition caught
 * in the meantime move over, so a missed run costs time and loses nothing.
 *
 * @returns names of the partitions that were made
 */
export async function ensurePartitions(sql: Sql, now: Date, monthsAhead = 2): Promise<string[]> {
  const made: string[] = []
  for (let month = -1; month <= monthsAhead; month++) {
    const from = monthStart(now, month)
    for (const table of Object.keys(PARTITIONED) as PartitionedTable[]) {
      const name = `${table}_${monthName(from)}`
      if (await makePartition(sql, table, name, uuidFloor(from), uuidFloor(monthStart(now, month + 1))))
        made.push(name)
    }
  }
  return made
}

async function makePartition(
  sql: Sql,
  table: PartitionedTable,
  name: string,
  low: string,
  high: string,
): Promise<boolean> {
  const [known] = await sql`select to_regclass(${name}) is not null as here`
  if (known!.here) return false
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('inquest partitions', 0))`
    const [again] = await tx`select to_regclass(${name}) is not null as here`
    if (again!.here) return false
    const column = tx(PARTITIONED[table])
    const [caught] =
      await tx`select exists (select 1 from ${tx(`${table}_default`)} where ${column} >= ${low}::uuid and ${column} < ${high}::uuid) as any`
    if (!caught!.any) {
      await tx.unsafe(`create table ${name} partition of ${table} for values from ('${low}') to ('${high}')`)
      return true
    }
    await tx`set local inquest.rebuilding = 'on'`
    await tx.unsafe(`lock table ${table} in access exclusive mode`)
    await tx.unsafe(`create table ${name} (like ${table} including all excluding identity)`)
    await tx.unsafe(
      `with moved as (delete from ${table}_default where ${PARTITIONED[table]} >= '${low}' and ${PARTITIONED[table]} < '${high}' returning *)
       insert into ${name} select * from moved`,
    )
    await tx.unsafe(`alter table ${table} attach partition ${name} for values from ('${low}') to ('${high}')`)
    return true
  }) as Promise<boolean>
}
