import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The file that was started, behind the links that package managers make, for texts and settings that tell others how to start it. */
export function programPath(): string {
  try {
    return realpathSync(process.argv[1] ?? '')
  } catch {
    return process.argv[1] ?? 'inquest'
  }
}

/** Set where the program is one file, which has no package around it (`scripts/release/single-file.ts`). */
declare const INQUEST_VERSION: string | undefined

/** Version of the package the program belongs to. */
export function programVersion(program: string): string {
  if (typeof INQUEST_VERSION === 'string') return INQUEST_VERSION
  for (let folder = dirname(program), steps = 0; steps < 4; folder = dirname(folder), steps += 1) {
    try {
      return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
    } catch {
      // One folder further up.
    }
  }
  return 'unknown'
}
