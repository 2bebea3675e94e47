import { folderOf } from './folder-graph'

export interface Walk {
  /** Modules of which a function ran, in the order in which each was first entered. */
  modules: string[]
  folders: string[]
  /** The folders that the first entries pass, one for each change of folder. */
  stops: string[]
  /** Stops in a folder that was a stop before. */
  returns: number
}

/**
 * Reads an order of first entries as a way through the folders. Each module counts once, when it is first
 * entered: a helper that is called a thousand times is one stop at most, so the figure tells how scattered
 * the code of one ingest is, not how long it ran.
 */
export function walkFolders(modules: readonly string[], depth = 3): Walk {
  const passed = modules.map((path) => folderOf(path, depth))
  const stops = passed.filter((folder, i) => folder !== passed[i - 1])
  const folders = [...new Set(stops)]
  return { modules: [...modules], folders, stops, returns: stops.length - folders.length }
}
