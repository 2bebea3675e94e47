import { errorText } from '../describe-error'
import { parentPort, workerData } from 'node:worker_threads'
import { openDb } from '../client'
import { readStoredFix, type FixKey } from '../fixes/read-stored-fix'
import type { PatchThreadSettings, PatchMessage } from './patch-reader'

/** What runs in the thread that reads patches: one after the other, each from the database and back to it. Bundled as `dist/patch-thread.mjs`. */
const { url, prepare } = workerData as PatchThreadSettings
const db = openDb(url, { prepare, max: 1 })
const port = parentPort!
const tell = (message: PatchMessage): void => port.postMessage(message)

port.on('message', async (key: FixKey | 'end') => {
  if (key === 'end') {
    await db.close()
    return port.close()
  }
  await readStoredFix(db, key).then(
    () => tell({ failed: null }),
    (error: unknown) => tell({ failed: errorText(error) }),
  )
})
