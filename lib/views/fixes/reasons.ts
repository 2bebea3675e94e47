import type { DiffHunk } from './diff-rows'
import type { FixFile, FixReason } from '../../model/fix'

export interface FileReasons {
  /** About the whole file, or about a line that no hunk shows. */
  whole: FixReason[]
  /** By the place of the hunk in its file, from 0. */
  hunks: ReadonlyMap<number, FixReason[]>
  /** No reason names the file. */
  isSilent: boolean
}

const names = ({ name, oldName, newName }: FixFile): (string | null)[] => [name, oldName, newName]

/** What the proposer says of a file and its hunks. Before its hunks are read a reason for a line has no place yet, and is in neither. */
export function reasonsOf(
  file: FixFile,
  reasons: readonly FixReason[],
  hunks: readonly DiffHunk[] | undefined,
): FileReasons {
  const about = reasons.filter((reason) => names(file).includes(reason.file))
  const found: FileReasons & { hunks: Map<number, FixReason[]> } = {
    whole: [],
    hunks: new Map(),
    isSilent: about.length === 0,
  }
  for (const reason of about) {
    const { line } = reason
    if (line !== null && hunks === undefined) continue
    const at =
      line === null
        ? -1
        : hunks!.findIndex(
            ({ newStart, newLines }) => line >= newStart && line < newStart + Math.max(newLines, 1),
          )
    if (at === -1) found.whole.push(reason)
    else found.hunks.set(at, [...(found.hunks.get(at) ?? []), reason])
  }
  return found
}

/** Reasons that name none of these files. */
export const strayReasons = (files: readonly FixFile[], reasons: readonly FixReason[]): FixReason[] => {
  const known = new Set(files.flatMap(names))
  return reasons.filter(({ file }) => !known.has(file))
}
