import type { Db } from '@/db/client'
import type { IngestThreads } from '@/db/threads/ingest-threads'
import { ingestBody } from '@/db/writes/ingest'
import type { IngestBody } from '@/db/writes/receive/ingest-body'
import type { IngestAnswer } from '@/lib/api/schemas'

/** The launcher and the bundled routes are separate module graphs in one process, so they meet at a registered symbol (`server/ingest.ts`). */
const shared = globalThis as { [key: symbol]: IngestThreads | undefined }

/** The threads of the launcher; undefined where there is none. */
export const ingestThreads = (): IngestThreads | undefined => shared[Symbol.for('inquest.ingest')]

/** Takes a body in: in the threads of the launcher, or here where there is none. The bytes must not be used afterwards. */
export const ingest = (db: Db, body: IngestBody): Promise<IngestAnswer> =>
  ingestThreads()?.ingest(body) ?? ingestBody(db, body)
