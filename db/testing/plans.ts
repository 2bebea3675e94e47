import type { Db } from '../client'
import type { Statement } from '../queries/execution-walk'

interface Plan {
  'Rows Removed by Join Filter'?: number
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Sort Key'?: string[]
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const literal = (value: unknown): string =>
  Array.isArray(value)
    ? `'{${value.map((item) => `"${String(item)}"`).join(',')}}'`
    : `'${String(value).replaceAll("'", "''")}'`

/** What the first readers of a connection get, planned with their values, and what the thousandth gets. */
export const MODES = ['force_custom_plan', 'force_generic_plan'] as const
export type Mode = (typeof MODES)[number]

/** Partitions without rows. */
export async function emptyPartitions(db: Db): Promise<Set<string>> {
  const empty = new Set<string>()
  for (const { name } of await db.sql<
    { name: string }[]
  >`select inhrelid::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relkind = 'r'`) {
    const [row] = await db.sql.unsafe(`select not exists (select 1 from ${name}) as empty`)
    if (row!.empty) empty.add(name)
  }
  return empty
}

/**
 * The plan of the prepared text, as it ran. Scans of the partitions that hold nothing are left out: those cost nothing, whatever they are
 * called.
 */
export async function explain(
  db: Db,
  { text, params }: Statement,
  mode: Mode,
  empty: ReadonlySet<string> = new Set(),
): Promise<Plan[]> {
  const [row] = await db.sql.begin(async (tx) => {
    await tx.unsafe(`set local plan_cache_mode = ${mode}`)
    await tx.unsafe(`prepare explained as ${text}`)
    const rows = await tx.unsafe(
      `explain (analyze, format json) execute explained${params.length === 0 ? '' : `(${params.map(literal).join(', ')})`}`,
    )
    await tx.unsafe('deallocate explained')
    return rows as unknown as { 'QUERY PLAN': { Plan: Plan }[] }[]
  })
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
  return flat(row!['QUERY PLAN'][0]!.Plan).filter((node) => !empty.has(node['Relation Name'] ?? ''))
}

/** Everything that the work asks of executions, in the order it is asked. */
export async function statementsOf<D extends Db>(
  db: D,
  work: (db: D) => Promise<unknown>,
): Promise<Statement[]> {
  const statements: Statement[] = []
  const sql = new Proxy(db.sql, {
    get(target, key) {
      if (key !== 'unsafe') return Reflect.get(target, key) as unknown
      return (text: string, params: never[], options: { prepare?: boolean }) => {
        statements.push({ text, params })
        return target.unsafe(text, params, options)
      }
    },
  })
  await work({ ...db, sql })
  return statements
}

export const kinds = (nodes: Plan[]): string[] => [...new Set(nodes.map((node) => node['Node Type']))]

const PARTITION = /^execution(?:s|_marks)_(?:\d{4}_\d\d|default)_/
/** Names of the indexes, without those of the partitions they are of. */
export const indexes = (nodes: Plan[]): string[] => [
  ...new Set(
    nodes.flatMap((node) => (node['Index Name'] ? [node['Index Name'].replace(PARTITION, '')] : [])),
  ),
]

/** Rows that were put in order. */
export const sorted = (nodes: Plan[]): number =>
  nodes
    .filter((node) => node['Node Type'] === 'Sort')
    .reduce((n, node) => n + (node.Plans?.[0]?.['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1), 0)

/** Rows that scans of tables and indexes looked at, those they threw away included. */
export const touched = (nodes: Plan[]): number =>
  nodes
    .filter((node) => node['Relation Name'] !== undefined || node['Node Type'] === 'Bitmap Index Scan')
    .reduce(
      (n, node) =>
        n +
        ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
      0,
    )
