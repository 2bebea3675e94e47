import type { Cruised } from '../architecture'
import { folderImports, mutualFolders } from './folder-graph'
import { orderFolders } from './folder-order'
import { checkLayers } from './layer-order'

/** Top-level folders in which no two folders may import each other. */
export const REPORTED = ['lib', 'components', 'db'] as const

/**
 * What must not be found, each in a line: two folders that import each other, folders of `components` or `db` that do
 * so in a ring, and what in `lib` has no place in the declared order. Imports that run up that order break a rule of
 * `.dependency-cruiser.mjs`.
 */
export function checkStructure({ modules, imports }: Pick<Cruised, 'modules' | 'imports'>): string[] {
  return [
    ...REPORTED.flatMap((room) =>
      mutualFolders(folderImports(imports, room, 2)).map(({ a, b }) => `${a} and ${b} import each other`),
    ),
    ...['components', 'db'].flatMap((room) =>
      orderFolders(folderImports(imports, room, 3)).up.map(
        ({ from, to }) => `${from} imports ${to}, which imports it in a ring`,
      ),
    ),
    ...checkLayers(modules, imports).unplaced.map(
      (folder) => `${folder} has no place in scripts/structure/lib-layers.mjs`,
    ),
  ]
}
