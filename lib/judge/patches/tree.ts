import type { ByteText } from './bytes'

/** A file of a tree. Of a link `content` is the target; of a submodule there is `commit` and no content. */
export interface TreeFile {
  mode: number
  content: Uint8Array
  commit?: string
}

/** Files by their path. A `Map`, because paths are hostile: `__proto__` is a good name for a file. */
export type Tree = ReadonlyMap<ByteText, TreeFile>

/** A section as it was applied: what the patch alone need not say. */
export interface AppliedSection {
  oldMode: number
  newMode: number
  /** Git's ids of the file before and after; of a submodule its commits. Null on a side without a file. */
  oldBlob: string | null
  newBlob: string | null
  /** For each hunk how many lines from its stated place it was found. */
  offsets: number[]
}
