import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf } from './folder-graph'
import { isTestCode } from './layers'

export interface LineCount {
  /** A room, or a folder of `lib`, `db` and `components`. */
  folder: string
  modules: number
  lines: number
  testLines: number
}

const BY_FOLDER = /^(lib|db|components)\//

/**
 * Lines as they are in the files, blank ones too, by folder of `lib`, `db` and `components`, by room
 * elsewhere; tests apart.
 */
export function countLines(root: string, paths: readonly string[], read = readLines): LineCount[] {
  const counts = new Map<string, LineCount>()
  for (const path of paths) {
    const folder = folderOf(path, BY_FOLDER.test(path) ? 2 : 1) || '(root)'
    const count = counts.get(folder) ?? { folder, modules: 0, lines: 0, testLines: 0 }
    const lines = read(join(root, path))
    if (isTestCode(path)) count.testLines += lines
    else {
      count.modules += 1
      count.lines += lines
    }
    counts.set(folder, count)
  }
  return [...counts.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

export const readLines = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1
