import path from 'node:path'
import type { Db } from '@/db/client'
import { createIngestThreads } from '@/db/threads/ingest-threads'
import type { Random } from '../support/random'
import { writeSession } from '../support/sessions'

const script = path.resolve(import.meta.dirname, '../../dist/ingest-thread.mjs')
/** As many small files as the importer sends at once. */
const FILES_AT_ONCE = 10

/** Takes in short sessions that end failed, through the server's own threads. */
export async function seedFailures(
  url: string,
  { projectId, random, failures }: { projectId: string; random: Random; failures: number },
): Promise<void> {
  const threads = createIngestThreads({ url, script })
  let left = failures
  const sender = async (): Promise<void> => {
    while (left-- > 0)
      await threads.ingest({
        projectId,
        source: { kind: 'claude-code', name: 'bench' },
        kind: 'claude-transcript',
        bytes: new TextEncoder().encode(writeSession(random, { records: 8, endsFailed: true })),
      })
  }
  try {
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, sender))
  } finally {
    await threads.close()
  }
}

/** Ids of stored executions, in an order that depends on the generator alone. */
export async function pickExecutions(db: Db, random: Random, wanted: number): Promise<string[]> {
  const rows = await db.sql<
    { id: string }[]
  >`select id from executions where outcome = 'failed' order by external_id`
  if (rows.length < wanted) throw new Error(`only ${rows.length} failures are stored`)
  return Array.from({ length: wanted }, () => rows.splice(random.int(rows.length), 1)[0]!.id)
}
