import type { FixFile } from '../api/fix-schemas'
import { bytesOf, type ByteText } from '../patches/bytes'
import { sectionStatus } from '../patches/file-change'
import { sectionName } from '../patches/numstat'
import type { Patch, PatchSection } from '../patches/patch'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A name as text; bytes that are no UTF-8 stand as `\ooo`, as git prints them, and then the bytes themselves are told too. */
export function nameText(name: ByteText): { text: string; base64: string | null } {
  const bytes = bytesOf(name)
  try {
    return { text: utf8.decode(bytes), base64: null }
  } catch {
    return { text: name.replace(/[\x80-\xff]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`), base64: btoa(name) }
  }
}

const textOrNull = (name: ByteText | null): string | null => (name === null ? null : nameText(name).text)
const octal = (mode: number): string | null => (mode === 0 ? null : mode.toString(8).padStart(6, '0'))

function fileOf(section: PatchSection, ordinal: number, sha256: string): FixFile {
  const name = nameText(sectionName(section))
  return {
    ordinal, status: sectionStatus(section), name: name.text, nameBase64: name.base64, oldName: textOrNull(section.oldName), newName: textOrNull(section.newName),
    oldMode: octal(section.oldMode), newMode: octal(section.newMode), similarity: section.isRename || section.isCopy ? section.score : null, binary: section.binary,
    additions: section.binary ? null : section.added, deletions: section.binary ? null : section.deleted, hunks: section.hunks.length,
    byteStart: section.start, byteEnd: section.end, line: section.line, sha256,
  }
}

/** The files of a patch as documents: exactly the sections that git applies, in their order; none of a patch that git refuses. */
export const fileList = (bytes: Uint8Array, { verdict, sections }: Patch, digest: (bytes: Uint8Array) => string): FixFile[] =>
  verdict === 'error' ? [] : sections.map((section, i) => fileOf(section, i, digest(bytes.subarray(section.start, section.end))))
