import type { Sql } from '../client'

/**
 * Of each table of the database, those of the background jobs included: a digest of its rows, also of who wrote them last.
 *
 * @param only condition on the rows `t` of a table, by its name
 */
export async function tableContents(
  sql: Sql,
  only: Readonly<Record<string, string>> = {},
): Promise<Map<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and c.relpersistence <> 't' and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') order by 1`
  const contents = new Map<string, string>()
  for (const { name } of tables) {
    // `xmin` is another one also where a row was written anew with the same values.
    const [row] = await sql.unsafe<{ digest: string | null }[]>(
      `select md5(string_agg(t.xmin::text || t::text, ',' order by t.ctid)) as digest from ${name} t where ${only[name] ?? 'true'}`,
    )
    contents.set(name, row!.digest ?? '')
  }
  return contents
}

/** Names of the tables whose rows are others than before. */
export const changedTables = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] => [...after].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name)
