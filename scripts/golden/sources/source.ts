import { existsSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Db } from '@/db/client'
import type { Conclusions } from '../product-rows'

/** Something that the product is given, and for which there is one golden file. */
export interface Source {
  /** Path of the golden file below its folder, without its ending. */
  name: string
  conclude(db: Db): Promise<Conclusions>
}

/** Third parties' files; what is in here is compared only where the folder is. */
export const sharedFolder = resolve(import.meta.dirname, '../../../../shared')
export const hasShared = existsSync(join(sharedFolder, 'samples'))

/** Prefixes of the names of sources that need it. */
export const SHARED_AREAS = ['samples/', 'conformance/'] as const
export const isShared = (name: string): boolean => SHARED_AREAS.some((area) => name.startsWith(area))

/**
 * Files below a folder of the shared material in one order, by their path in it. Texts about the files are
 * none of them.
 */
export function sharedFiles(folder: string): string[] {
  const root = join(sharedFolder, folder)
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/^README|^LICENSE|^\./.test(entry.name))
    .map((entry) => relative(sharedFolder, join(entry.parentPath, entry.name)).split('\\').join('/'))
    .sort()
}
