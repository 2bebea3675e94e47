import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import postgres from 'postgres'
import { promptSockets } from '@/db/socket'
import { databaseCpuMs } from '../support/database-cpu'

export interface DumpedTable {
  name: string
  rows: number
  bytes: number
  chunks: Buffer[]
}

/** Tables with rows, those that others refer to first. */
async function filledTables(sql: postgres.Sql): Promise<string[]> {
  const tables = await sql<{ name: string; needs: string[] }[]>`
    select t.relname as name, array(select distinct r.relname::text from pg_constraint c join pg_class r on r.oid = c.confrelid where c.conrelid = t.oid and c.contype = 'f' and r.oid <> t.oid) as needs
    from pg_class t join pg_namespace n on n.oid = t.relnamespace where n.nspname = 'public' and t.relkind in ('r', 'p') and not t.relispartition order by t.relname`
  const ordered: string[] = []
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name, needs }) => !ordered.includes(name) && needs.every((need) => ordered.includes(need)),
    )
    if (!next) throw new Error('the tables refer to each other in a circle')
    ordered.push(next.name)
  }
  return ordered
}

/** Every row of every table, in the binary format of COPY, held in memory so that writing it again costs nothing but COPY. */
export async function dumpRows(url: string): Promise<DumpedTable[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const dumped: DumpedTable[] = []
    for (const name of await filledTables(sql)) {
      const [{ n }] = (await sql.unsafe(`select count(*)::int as n from ${name}`)) as unknown as [
        { n: number },
      ]
      if (n === 0) continue
      const all = await copyOut(sql, name)
      // Whole rows do not matter to COPY; few large writes do.
      const large = Array.from({ length: Math.ceil(all.length / 262_144) }, (_, i) =>
        all.subarray(i * 262_144, (i + 1) * 262_144),
      )
      dumped.push({ name, rows: n, bytes: all.length, chunks: large })
    }
    return dumped
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function copyOut(sql: postgres.Sql, table: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  const rows = await sql.unsafe(`copy (select * from ${table}) to stdout with (format binary)`).readable()
  for await (const chunk of rows) chunks.push(Buffer.from(chunk as Uint8Array))
  // The driver leaves its socket paused when the last rows came faster than they were read, and would hear nothing more.
  rows._read(0)
  return Buffer.concat(chunks)
}

/** Writes the rows into the same tables of a fresh database, in one transaction. */
export async function copyRowsBack(
  url: string,
  tables: readonly DumpedTable[],
): Promise<{ ms: number; databaseCpuMs: number | null }> {
  // Small packets at once: with the driver's own sockets every COPY waits for an acknowledgement first, which is no cost of COPY.
  const sql = postgres(url, { max: 1, onnotice: () => {}, ...{ socket: promptSockets() } })
  try {
    await sql`select 1`
    const start = performance.now()
    await sql.begin(async (tx) => {
      for (const { name, chunks } of tables) {
        const target = await tx.unsafe(`copy ${name} from stdin with (format binary)`).writable()
        await pipeline(Readable.from(chunks), target)
      }
    })
    return { ms: performance.now() - start, databaseCpuMs: databaseCpuMs(url) }
  } finally {
    await sql.end({ timeout: 5 })
  }
}
