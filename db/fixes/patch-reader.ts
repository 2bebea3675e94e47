import type { Db } from '../client'
import { readStoredFix, type FixKey } from './read-stored-fix'

/** Reads stored patches somewhere else: what an agent wrote decides how long that takes, and nobody's request should wait for it. */
export interface PatchReader {
  /** Ends when the fix is read, or is known not to be; it says itself why. */
  read(key: FixKey): Promise<void>
}

/** The database, and who reads the patches that are stored in it: whoever stores them, when nobody is named. */
export type FixStore = Pick<Db, 'sql'> & { patches?: PatchReader }

/** Reads the stored patch of a fix. */
export const readPatch = ({ patches, ...db }: FixStore, key: FixKey): Promise<void> =>
  patches?.read(key) ?? readStoredFix(db, key)
