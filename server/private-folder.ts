import { mkdir } from 'node:fs/promises'
import path from 'node:path'

/** Makes a folder for its owner only. The folders above it are made as the system makes them: others may have to pass through. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true })
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
