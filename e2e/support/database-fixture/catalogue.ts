import type { Sql } from '@/db/client'
import type { Manifest } from './archive'

/**
 * Tables of the product, with parents before the tables that refer to them. Partitions are part of their
 * parent.
 */
export async function listTables(sql: Sql): Promise<{ name: string; columns: string[]; key: string[] }[]> {
  const tables = await sql<{ name: string; columns: string[]; key: string[]; refersTo: string[] }[]>`
    select c.relname as name,
      (select array_agg(attname::text order by attnum) from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select array_agg(a.attname::text order by k.place) from pg_index i, unnest(i.indkey) with ordinality k(attnum, place), pg_attribute a
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum) as key,
      coalesce((select array_agg(distinct confrelid::regclass::text) from pg_constraint where conrelid = c.oid and contype = 'f' and confrelid <> c.oid), '{}') as "refersTo"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`
  const ordered: (typeof tables)[number][] = []
  const isDone = (name: string): boolean => ordered.some((table) => table.name === name)
  while (ordered.length < tables.length) {
    const next = tables.filter(({ name, refersTo }) => !isDone(name) && refersTo.every(isDone))
    if (next.length === 0) throw new Error('tables refer to each other in a circle')
    ordered.push(...next)
  }
  return ordered.map(({ name, columns, key }) => ({ name, columns, key }))
}

/** Partitions as they are, apart from the default ones, which migrations make. */
export const listPartitions = async (sql: Sql): Promise<Manifest['partitions']> => [
  ...(await sql<Manifest['partitions']>`
  select c.relname as name, i.inhparent::regclass::text as parent, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT' order by 1`),
]

export async function listSequences(sql: Sql): Promise<Manifest['sequences']> {
  const found = await sql<{ table: string; column: string; sequence: string }[]>`
    select c.relname as table, a.attname as column, pg_get_serial_sequence(c.relname, a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attidentity <> '' order by 1`
  return Promise.all(
    found.map(async ({ table, column, sequence }) => {
      const [row] = await sql.unsafe<{ lastValue: string; isCalled: boolean }[]>(
        `select last_value::text as "lastValue", is_called as "isCalled" from ${sequence}`,
      )
      return { table, column, ...row! }
    }),
  )
}

/** What the migrator remembers of the migrations that it ran. */
export const listMigrations = async (sql: Sql): Promise<Manifest['migrations']> => [
  ...(await sql<Manifest['migrations']>`
  select hash, created_at::text as "createdAt" from inquest_migrations.__drizzle_migrations order by created_at`),
]

/** How values are spelled in COPY depends on these settings of a session. */
export async function settleSpelling(sql: Sql): Promise<void> {
  await sql`set time zone 'UTC'`
  await sql`set datestyle = 'ISO, YMD'`
  await sql`set intervalstyle = 'iso_8601'`
  await sql`set bytea_output = 'hex'`
  await sql`set extra_float_digits = 1`
}

export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
