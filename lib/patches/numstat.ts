import type { ByteText } from './bytes'
import type { Patch, PatchSection } from './patch'

export interface NumstatLine {
  /** Null for a binary change, as git prints `-`. */
  added: number | null
  deleted: number | null
  name: ByteText
}

/** The name by which git lists a section: the new one, or the old one of a file that goes. */
export const sectionName = (section: Pick<PatchSection, 'oldName' | 'newName'>): ByteText =>
  section.newName ?? section.oldName ?? ''

/** What `git apply --numstat -z` prints: exactly the sections that git applies, in their order. */
export const numstat = ({ verdict, sections }: Patch): NumstatLine[] =>
  verdict === 'error'
    ? []
    : sections.map((one) => ({
        added: one.binary ? null : one.added,
        deleted: one.binary ? null : one.deleted,
        name: sectionName(one),
      }))
