import type { ModuleImport } from '../architecture'
import { isTestCode } from './layers'

/** All imports of the modules of one folder from those of another, as one arrow. */
export interface FolderImport {
  from: string
  to: string
  /** How many imports between modules it stands for. */
  count: number
}

export interface FolderPair {
  a: string
  b: string
  aImportsB: number
  bImportsA: number
}

/**
 * The folder of a module, cut to `depth` parts: of `lib/formats/claude/read.ts` 2 gives `lib/formats`, 3
 * `lib/formats/claude`.
 */
export function folderOf(path: string, depth: number): string {
  return path.split('/').slice(0, -1).slice(0, depth).join('/')
}

/**
 * Arrows between the folders of one room, sorted by name.
 *
 * Type-only imports count: a folder that needs another's types cannot be moved, read or changed without
 * it. Dynamic imports do not: they are how a screen loads its views on demand, and the bundler cuts there.
 * Tests and their support do not count.
 */
export function folderImports(imports: readonly ModuleImport[], room: string, depth: number): FolderImport[] {
  const arrows = new Map<string, FolderImport>()
  const isInside = (path: string): boolean => path.startsWith(`${room}/`) && !isTestCode(path)
  for (const { from, to, isDynamic } of imports) {
    if (isDynamic || !isInside(from) || !isInside(to)) continue
    const [source, target] = [folderOf(from, depth), folderOf(to, depth)]
    if (source === target) continue
    const key = `${source} ${target}`
    const arrow = arrows.get(key) ?? { from: source, to: target, count: 0 }
    arrow.count += 1
    arrows.set(key, arrow)
  }
  return [...arrows.values()].sort(byName)
}

/** Folders that import each other, each pair once, the first by name as `a`. */
export function mutualFolders(arrows: readonly FolderImport[]): FolderPair[] {
  const counts = new Map(arrows.map((arrow) => [`${arrow.from} ${arrow.to}`, arrow.count]))
  return arrows.flatMap(({ from, to, count }) => {
    const back = counts.get(`${to} ${from}`)
    return from < to && back !== undefined ? [{ a: from, b: to, aImportsB: count, bImportsA: back }] : []
  })
}

/**
 * Groups of folders in which each reaches each: one folder alone, or a tangle. A group comes after every
 * group that it imports.
 */
export function stronglyConnected(folders: readonly string[], arrows: readonly FolderImport[]): string[][] {
  const targets = new Map<string, string[]>(folders.map((folder) => [folder, []]))
  for (const { from, to } of arrows) targets.get(from)?.push(to)
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const groups: string[][] = []
  const visit = (folder: string): void => {
    index.set(folder, index.size)
    low.set(folder, index.get(folder)!)
    stack.push(folder)
    for (const target of targets.get(folder)!) {
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) low.set(folder, Math.min(low.get(folder)!, low.get(target)!))
    }
    if (low.get(folder) === index.get(folder)) groups.push(stack.splice(stack.indexOf(folder)).sort())
  }
  for (const folder of folders) if (!index.has(folder)) visit(folder)
  return groups
}

export const byName = (a: { from: string; to: string }, b: { from: string; to: string }): number =>
  a.from === b.from ? compare(a.to, b.to) : compare(a.from, b.from)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
