import type { ByteText } from './bytes'
import type { PatchSection } from './patch'

/** The name by which git lists a section: the new one, or the old one of a file that goes. */
export const sectionName = (section: Pick<PatchSection, 'oldName' | 'newName'>): ByteText =>
  section.newName ?? section.oldName ?? ''
