import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scratchRoot } from '../../db/testing/scratch-root'

export interface Folder {
  path: string
  put: (name: string, content: string | Uint8Array) => string
  remove: () => void
}

/** A folder of a test's own. */
export function makeFolder(): Folder {
  const path = mkdtempSync(join(scratchRoot(), 'inquest-e2e-'))
  // As root the database runs under another account, which has to get to its files below this folder.
  chmodSync(path, 0o755)
  return {
    path,
    put: (name, content) => {
      const full = join(path, name)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, content)
      return full
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
