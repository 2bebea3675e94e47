import type { Db } from '@/db/client'
import { ingestBody } from '@/db/writes/ingest'
import type { IngestBody } from '@/db/writes/receive/ingest-body'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { fixStore, sharedThreads } from './threads'

/** Takes a body in: in the threads of the launcher, or here where there is none. The bytes must not be used afterwards. */
export const ingest = (db: Db, body: IngestBody): Promise<IngestAnswer> =>
  sharedThreads().ingest?.ingest(body) ?? ingestBody(fixStore(db), body)
