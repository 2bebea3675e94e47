import path from 'node:path'
import { createIngestThreads } from '@/db/threads/ingest-threads'
import { createPatchReader } from '@/db/threads/patch-reader'
import { projectRoot } from './settings'

/** Makes the threads that take bodies in and read patches, and lets the bundled routes find them (`app/_server/threads.ts`). */
export function shareIngestThreads(url: string, say: (line: string) => void): { close: () => Promise<void> } {
  const script = (name: string): string => path.join(projectRoot, 'dist', name)
  const common = { url, prepare: process.env.INQUEST_PREPARE !== 'off' }
  const patches = createPatchReader({ ...common, script: script('patch-thread.mjs'), onError: say })
  const threads = createIngestThreads({ ...common, script: script('ingest-thread.mjs'), patches })
  Object.assign(globalThis, { [Symbol.for('inquest.threads')]: { ingest: threads, patches } })
  return {
    close: async () => {
      await threads.close()
      await patches.close()
    },
  }
}
