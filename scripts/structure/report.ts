import { join } from 'node:path'
import { cruiseFiles, listModules, type ModuleImport } from '../architecture'
import { folderImports, mutualFolders, type FolderImport, type FolderPair } from './folder-graph'
import { orderFolders } from './folder-order'
import { REPORTED } from './check'
import { checkLayers, type LayerReport } from './layer-order'
import { ROOT_MODULES } from './layers'
import { countLines, readLines, type LineCount } from './line-counts'
import { onlyForConformance } from './reach'
import type { Walk } from './stops'

export interface RoomReport {
  room: string
  folders: number
  mutual: FolderPair[]
  /**
   * Folders one level further down, as `lib/formats/claude`, and the order in which the fewest imports
   * run up.
   */
  fine: { folders: number; mutual: number; up: FolderImport[]; floors: number; isMinimum: boolean }
}

export interface StructureReport {
  modules: number
  rooms: RoomReport[]
  layers: LayerReport
  conformance: { modules: { path: string; lines: number }[]; lines: number }
  lines: LineCount[]
  /** Unset when it was not asked for. */
  ingest?: Walk
}

/** Everything but the traced ingest, which needs a database server. */
export async function reportStructure(root: string): Promise<StructureReport> {
  const paths = [...listModules(root), ...ROOT_MODULES]
  const { modules, imports } = await cruiseFiles(root, paths)
  const conformance = onlyForConformance(modules, imports).map((path) => ({
    path,
    lines: readLines(join(root, path)),
  }))
  return {
    modules: modules.length,
    rooms: REPORTED.map((room) => reportRoom(room, imports)),
    layers: checkLayers(modules, imports),
    conformance: { modules: conformance, lines: conformance.reduce((sum, { lines }) => sum + lines, 0) },
    lines: countLines(root, paths),
  }
}

export function reportRoom(room: string, imports: readonly ModuleImport[]): RoomReport {
  const coarse = folderImports(imports, room, 2)
  const fine = folderImports(imports, room, 3)
  const { order, up, floors, isMinimum } = orderFolders(fine)
  return {
    room,
    folders: new Set(coarse.flatMap(({ from, to }) => [from, to])).size,
    mutual: mutualFolders(coarse),
    fine: { folders: order.length, mutual: mutualFolders(fine).length, up, floors, isMinimum },
  }
}
