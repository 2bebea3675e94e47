import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { startEmbedded } from '@/db/embedded'
import { migrateDb } from '@/db/migrate'
import type { BenchContext } from './result'

export interface BenchServer {
  /** A migrated database of its own; dropped with the server, or before by `drop`. */
  fresh(): Promise<{ url: string; drop: () => Promise<void> }>
  /** Writes out what earlier rounds left, so that each begins alike. */
  settle(): Promise<void>
}

const TEMPLATE = 'bench_template'

/** A PostgreSQL of the bench's own in a temporary folder, with the product's settings, and gone afterwards. */
export async function startBenchServer(
  { log, machine, after }: BenchContext,
  now = new Date(),
): Promise<BenchServer> {
  const dir = await mkdtemp(path.join(tmpdir(), 'inquest-bench-'))
  after(() => rm(dir, { recursive: true, force: true }))
  log('starting a database server for this bench')
  const server = await startEmbedded({ dir })
  after(() => server.stop())
  const at = (name: string): string => {
    const url = new URL(server.url)
    url.pathname = `/${name}`
    return url.href
  }
  const admin = async (statement: string): Promise<postgres.RowList<postgres.Row[]>> => {
    const sql = postgres(server.url, { max: 1, onnotice: () => {} })
    try {
      return await sql.unsafe(statement)
    } finally {
      await sql.end({ timeout: 5 })
    }
  }
  const [version] = await admin('show server_version')
  machine.postgres = String(version!.server_version)
  await admin(`create database ${TEMPLATE}`)
  await migrateDb(at(TEMPLATE), now)
  let made = 0
  return {
    settle: async () => void (await admin('checkpoint')),
    fresh: async () => {
      // No other bench of this machine has a database of this name: its processes are distinguished by it.
      const name = `bench_${process.pid}_${++made}`
      await admin(`create database ${name} template ${TEMPLATE}`)
      return {
        url: at(name),
        drop: async () => void (await admin(`drop database if exists ${name} with (force)`)),
      }
    },
  }
}
