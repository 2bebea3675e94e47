import path from 'node:path'
import { createIngestThreads, type IngestThreads } from '@/db/threads/ingest-threads'
import { keepHeapSmall } from './heap'
import { projectRoot } from './settings'

/** Makes the ingest threads, and lets the bundled routes find them (`app/_server/ingest.ts`). */
export function shareIngestThreads(url: string): IngestThreads {
  const threads = createIngestThreads({ url, script: path.join(projectRoot, 'dist', 'ingest-thread.mjs'), prepare: process.env.INQUEST_PREPARE !== 'off', onBegun: keepHeapSmall })
  Object.assign(globalThis, { [Symbol.for('inquest.ingest')]: threads })
  return threads
}
