import type { ByteText } from '@/lib/judge/patches/bytes'
import type { Tree } from '@/lib/judge/patches/tree'

/** Every path that has files below it. */
export function folders(tree: Tree): Set<ByteText> {
  const found = new Set<ByteText>()
  for (const path of tree.keys()) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash)
      if (found.has(folder)) break
      found.add(folder)
    }
  }
  return found
}

/** All folders of a path, the nearest first. */
export function* parents(path: ByteText): Generator<ByteText, void> {
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
    yield path.slice(0, slash)
}
