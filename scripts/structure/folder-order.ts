import { mutualFolders, stronglyConnected, type FolderImport } from './folder-graph'

export interface FolderOrder {
  /** From the bottom, which imports nothing above it, to the top. */
  order: string[]
  /** Arrows from a folder to one above it: what has to go before the order holds. */
  up: FolderImport[]
  /** Length of the longest way down, once the arrows that run up are gone. */
  floors: number
  /** Whether no order has fewer arrows that run up; false where a tangle was too large to try every order. */
  isMinimum: boolean
}

/** The time doubles with each folder of a tangle. */
const EXACT_MAX = 16

/**
 * The order of folders under which the fewest arrows run up (a minimum feedback arc set).
 *
 * Of two folders that import each other exactly one arrow runs up in any order, so such pairs are set
 * aside first. What is left falls into small tangles, and of these every order is tried. Of several best
 * orders it takes one in which few module imports run up.
 */
export function orderFolders(arrows: readonly FolderImport[]): FolderOrder {
  const folders = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))].sort()
  const paired = new Set(mutualFolders(arrows).flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]))
  const oneWay = arrows.filter(({ from, to }) => !paired.has(`${from} ${to}`))
  const groups = stronglyConnected(folders, oneWay)
  const isMinimum = groups.every(({ length }) => length <= EXACT_MAX)
  const best = groups.flatMap((group) =>
    group.length > 1 && group.length <= EXACT_MAX ? tryEveryOrder(group, oneWay) : group,
  )
  const order = improve(best, arrows)
  const up = upwardArrows(order, arrows)
  return { order, up, floors: countFloors(order, arrows), isMinimum }
}

export function upwardArrows(order: readonly string[], arrows: readonly FolderImport[]): FolderImport[] {
  const place = new Map(order.map((folder, i) => [folder, i]))
  return arrows.filter(({ from, to }) => place.get(from)! < place.get(to)!)
}

/** Dynamic programming over which folders lie at the bottom. */
function tryEveryOrder(group: string[], arrows: readonly FolderImport[]): string[] {
  const importedBy = group.map((to) =>
    group.reduce(
      (set, from, i) => (arrows.some((a) => a.from === from && a.to === to) ? set | (1 << i) : set),
      0,
    ),
  )
  const size = 1 << group.length
  const cost = new Uint16Array(size).fill(0xffff)
  const last = new Int8Array(size)
  cost[0] = 0
  for (let below = 0; below < size; below++) {
    for (let next = 0; next < group.length; next++) {
      if (below & (1 << next)) continue
      // Those below that import the next one do so upwards.
      const price = cost[below]! + bits(below & importedBy[next]!)
      const then = below | (1 << next)
      if (price < cost[then]!) [cost[then], last[then]] = [price, next]
    }
  }
  const order: string[] = []
  for (let set = size - 1; set !== 0; set &= ~(1 << last[set]!)) order.unshift(group[last[set]!]!)
  return order
}

function bits(set: number): number {
  let count = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** Moves one folder at a time while fewer arrows, or as many arrows with fewer module imports, run up. */
function improve(start: readonly string[], arrows: readonly FolderImport[]): string[] {
  const price = (order: readonly string[]): number =>
    upwardArrows(order, arrows).reduce((sum, { count }) => sum + 1_000_000 + count, 0)
  let best = [...start]
  let bestPrice = price(best)
  for (let improved = true; improved; ) {
    improved = false
    for (const folder of start) {
      const others = best.filter((other) => other !== folder)
      for (let i = 0; i <= others.length; i++) {
        const moved = others.toSpliced(i, 0, folder)
        const movedPrice = price(moved)
        if (movedPrice < bestPrice) [best, bestPrice, improved] = [moved, movedPrice, true]
      }
    }
  }
  return best
}

function countFloors(order: readonly string[], arrows: readonly FolderImport[]): number {
  const place = new Map(order.map((folder, i) => [folder, i]))
  const floor = new Map<string, number>()
  for (const folder of order) {
    const below = arrows.filter(({ from, to }) => from === folder && place.get(to)! < place.get(folder)!)
    floor.set(folder, Math.max(0, ...below.map(({ to }) => floor.get(to)!)) + 1)
  }
  return Math.max(0, ...floor.values())
}
