import { bytesOf, type ByteText } from '../patches/bytes'
import { sectionStatus } from '../patches/file-change'
import { sectionName } from '../patches/numstat'
import type { Patch, PatchSection } from '../patches/patch'
import type { FixFile } from '../../model/fix'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A name as text; bytes that are not UTF-8 appear as `\ooo`, as git prints them, and then the bytes themselves are given too. */
export function nameText(name: ByteText): { text: string; base64: string | null } {
  const bytes = bytesOf(name)
  try {
    return { text: utf8.decode(bytes), base64: null }
  } catch {
    return {
      text: name.replace(/[\x80-\xff]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`),
      base64: btoa(name),
    }
  }
}

const textOrNull = (name: ByteText | null): string | null => (name === null ? null : nameText(name).text)
const octal = (mode: number): string | null => (mode === 0 ? null : mode.toString(8).padStart(6, '0'))

/** The id of a side without a file is all zeros. */
const statedBlob = (id: string | null): string | null => (id === null || /^0+$/.test(id) ? null : id)

const kindOf = (mode: number): number => mode >> 12
const areOtherKinds = (oldMode: number, newMode: number): boolean =>
  oldMode !== 0 && newMode !== 0 && kindOf(oldMode) !== kindOf(newMode)

/** The deletion right before a creation that puts another kind of file in its place. */
const deletionBefore = (section: PatchSection, before: PatchSection | undefined): PatchSection | undefined =>
  before?.isDelete === true &&
  section.isNew === true &&
  before.oldName === section.newName &&
  areOtherKinds(before.oldMode, section.newMode)
    ? before
    : undefined

function fileOf(
  section: PatchSection,
  previous: PatchSection | undefined,
  ordinal: number,
  sha256: string,
): FixFile {
  const name = nameText(sectionName(section))
  const before = deletionBefore(section, previous)
  const isOtherKind = before !== undefined || areOtherKinds(section.oldMode, section.newMode)
  return {
    ordinal,
    status: isOtherKind ? 'T' : sectionStatus(section),
    name: name.text,
    nameBase64: name.base64,
    oldName: textOrNull(section.oldName),
    oldNameBase64: section.oldName === null ? null : nameText(section.oldName).base64,
    newName: textOrNull(section.newName),
    oldMode: octal(isOtherKind && before !== undefined ? before.oldMode : section.oldMode),
    newMode: octal(section.newMode),
    oldBlob: statedBlob(section.oldBlob),
    newBlob: statedBlob(section.newBlob),
    similarity: section.isRename || section.isCopy ? section.score : null,
    binary: section.binary,
    additions: section.binary ? null : section.added,
    deletions: section.binary ? null : section.deleted,
    hunks: section.hunks.length,
    byteStart: section.start,
    byteEnd: section.end,
    line: section.line,
    sha256,
  }
}

/** The files of a patch as documents: exactly the sections that git applies, in their order; none of a patch that git refuses. */
export const fileList = (
  bytes: Uint8Array,
  { verdict, sections }: Patch,
  digest: (bytes: Uint8Array) => string,
): FixFile[] =>
  verdict === 'error'
    ? []
    : sections.map((section, i) =>
        fileOf(section, sections[i - 1], i, digest(bytes.subarray(section.start, section.end))),
      )
