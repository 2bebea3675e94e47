import type { Db } from '../client'
import { readStoredFix, type FixKey } from './read-stored-fix'

/** Reads stored patches beside the threads that answer requests and take bodies in. */
export interface PatchReader {
  /** Ends when the fix is read, or is known not to be; it says itself why. */
  read(key: FixKey): Promise<void>
}

/** The launcher, its threads and the bundled routes are separate module graphs, so they meet at a registered symbol. */
const shared = globalThis as { [key: symbol]: PatchReader | undefined }
const NAME = Symbol.for('inquest.patches')

/** Says who reads patches from now on in this thread. */
export const sharePatchReader = (reader: PatchReader | undefined): void => void (shared[NAME] = reader)

/** Reads the stored patch of a fix: beside this thread, or here where nobody else is there for it. */
export const readFixAside = (db: Pick<Db, 'sql'>, key: FixKey): Promise<void> =>
  shared[NAME]?.read(key) ?? readStoredFix(db, key)
