import type { FileStatus, PatchSection } from './patch'

/** The status of one section; a change of kind comes as two sections. */
export function sectionStatus({ isNew, isDelete, isRename, isCopy }: PatchSection): FileStatus {
  if (isNew === true) return 'A'
  if (isDelete === true) return 'D'
  return isRename ? 'R' : isCopy ? 'C' : 'M'
}
