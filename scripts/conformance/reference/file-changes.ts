import type { ByteText } from '@/lib/judge/patches/bytes'
import { sectionStatus } from '@/lib/judge/patches/file-change'
import type { FileStatus, PatchSection } from '@/lib/judge/patches/patch'
import type { AppliedSection } from '@/lib/judge/patches/tree'

/** A changed file as a list of changes shows it. Null is what neither the patch nor the files before it tell. */
export interface FileChange {
  status: FileStatus
  /** Null for a new file. */
  oldName: ByteText | null
  /** Null for a deleted file. */
  newName: ByteText | null
  /** Six octal digits. */
  oldMode: string | null
  newMode: string | null
  oldBlob: string | null
  newBlob: string | null
  similarity: number | null
  binary: boolean
  /** Null for a binary change. */
  added: number | null
  deleted: number | null
  hunkCount: number
}

const octal = (mode: number): string | null => (mode === 0 ? null : mode.toString(8).padStart(6, '0'))

const fileId = (blob: string | null): string | null => (blob === null || /^0*$/.test(blob) ? null : blob)

function changeOf(section: PatchSection, applied: AppliedSection | null): FileChange {
  const status = sectionStatus(section)
  const sameMode = section.newMode === 0 && section.oldMode !== 0
  return {
    status,
    oldName: status === 'A' ? null : section.oldName,
    newName: status === 'D' ? null : section.newName,
    oldMode: status === 'A' ? null : octal(applied?.oldMode ?? section.oldMode),
    newMode:
      status === 'D' ? null : octal(applied?.newMode ?? (sameMode ? section.oldMode : section.newMode)),
    oldBlob: status === 'A' ? null : (applied?.oldBlob ?? fileId(section.oldBlob)),
    newBlob: status === 'D' ? null : (applied?.newBlob ?? fileId(section.newBlob)),
    similarity: status === 'R' || status === 'C' ? section.score : null,
    binary: section.binary,
    added: section.binary ? null : section.added,
    deleted: section.binary ? null : section.deleted,
    hunkCount: section.hunks.length,
  }
}

/**
 * The changed files in the order of the patch. A deletion that is followed at once by a creation of the same name with another
 * kind of file is one change of kind (`T`).
 *
 * @param applied what applying found, if it was done: ids and modes that the patch leaves out
 */
export function fileChanges(
  sections: readonly PatchSection[],
  applied: readonly (AppliedSection | null)[] = [],
): FileChange[] {
  const changes: FileChange[] = []
  for (const [i, section] of sections.entries()) {
    const change = changeOf(section, applied[i] ?? null)
    const before = changes.at(-1)
    const changesKind =
      before?.status === 'D' &&
      change.status === 'A' &&
      before.oldName === change.newName &&
      before.oldMode?.slice(0, 2) !== change.newMode?.slice(0, 2)
    if (!changesKind) changes.push(change)
    else
      changes[changes.length - 1] = {
        ...change,
        status: 'T',
        oldName: before.oldName,
        oldMode: before.oldMode,
        oldBlob: before.oldBlob,
        deleted: before.deleted,
        binary: before.binary || change.binary,
        hunkCount: before.hunkCount + change.hunkCount,
      }
  }
  return changes
}
