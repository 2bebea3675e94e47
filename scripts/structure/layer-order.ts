import type { ModuleImport } from '../architecture'
import { byName, folderOf, type FolderImport } from './folder-graph'
import { isTestCode, LAYERS } from './layers'

export interface LayerReport {
  /** Declared folders and modules that are there today. */
  present: string[]
  /** Folders of `lib` without a place in the declared order yet. */
  unplaced: string[]
  /**
   * Imports of a layer from one after it, or of any folder from the last layer, which nothing below may
   * import.
   */
  up: FolderImport[]
  /** Imports of a layer from a folder without a place: up or down is decided when that folder gets one. */
  undecided: FolderImport[]
}

type Layers = readonly (readonly string[])[]

/**
 * Compares the imports within `lib` with the declared order. Dynamic imports count here: a rule has no
 * exceptions.
 */
export function checkLayers(
  modules: readonly string[],
  imports: readonly ModuleImport[],
  layers: Layers = LAYERS,
): LayerReport {
  const declared = layers.flat()
  const product = modules.filter((path) => path.startsWith('lib/') && !isTestCode(path))
  const layerFolderOf = (path: string): string | undefined =>
    declared.find((place) => path === place || path.startsWith(`${place}/`))
  const placeOf = (folder: string): number => layers.findIndex((layer) => layer.includes(folder))
  const top = layers.at(-1) ?? []
  const up = new Map<string, FolderImport>()
  const undecided = new Map<string, FolderImport>()
  for (const { from, to } of imports) {
    if (!from.startsWith('lib/') || !to.startsWith('lib/') || isTestCode(from) || isTestCode(to)) continue
    const [source, target] = [layerFolderOf(from), layerFolderOf(to)]
    if (source === undefined && target !== undefined && top.includes(target))
      add(up, folderOf(from, 2), target)
    if (source !== undefined && target === undefined) add(undecided, source, folderOf(to, 2))
    if (source === undefined || target === undefined || source === target) continue
    if (placeOf(source) < placeOf(target)) add(up, source, target)
  }
  return {
    present: declared.filter((place) => product.some((path) => layerFolderOf(path) === place)),
    unplaced: [
      ...new Set(
        product.filter((path) => layerFolderOf(path) === undefined).map((path) => folderOf(path, 3)),
      ),
    ].sort(),
    up: [...up.values()].sort(byName),
    undecided: [...undecided.values()].sort(byName),
  }
}

function add(arrows: Map<string, FolderImport>, from: string, to: string): void {
  const key = `${from} ${to}`
  const arrow = arrows.get(key) ?? { from, to, count: 0 }
  arrow.count += 1
  arrows.set(key, arrow)
}
