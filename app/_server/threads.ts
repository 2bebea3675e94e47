import type { Db } from '@/db/client'
import type { FixStore, PatchReader } from '@/db/fixes/patch-reader'
import type { IngestThreads } from '@/db/threads/ingest-threads'

/** What the launcher runs beside the requests; nothing where there is no launcher. */
export interface SharedThreads {
  ingest?: IngestThreads
  patches?: PatchReader
}

/** The launcher and the bundled routes are separate module graphs in one process, so they meet at a registered symbol (`server/ingest.ts`). It is asked for here alone. */
const KEY = Symbol.for('inquest.threads')
const holder = globalThis as { [KEY]?: SharedThreads }

export const sharedThreads = (): SharedThreads => holder[KEY] ?? {}

/** The database, with who reads the patches that are stored in it. */
export const fixStore = ({ sql }: Db): FixStore => ({ sql, patches: sharedThreads().patches })
