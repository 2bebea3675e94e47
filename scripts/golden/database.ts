import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDb, type Db } from '@/db/client'
import { startEmbedded } from '@/db/embedded'
import { migrateDb } from '@/db/migrate'

/** Runs work on an empty database of its own, on a server that is removed afterwards. */
export async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(tmpdir(), 'inquest-golden-'))
  const server = await startEmbedded({
    dir,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  try {
    await migrateDb(server.url)
    const db = openDb(server.url, { max: 6 })
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  } finally {
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  }
}
