import type { PatchFaultId } from '../../model/messages/patches'
import type { ByteText } from './bytes'

/** A run of bytes of the patch: from `start` up to and without `end`. */
export interface ByteRange {
  start: number
  end: number
}

/** A place of the patch: a byte range and the number of its first line, from 1. */
export interface PatchPlace extends ByteRange {
  line: number
}

/** A hunk with the counts that its header states; the reader has seen that its body holds exactly these. */
export interface Hunk extends PatchPlace {
  /** Where the body begins: after the header line. */
  bodyStart: number
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  /** The line, from 0, at which git begins to look: it wraps a stated number at 32 bits. */
  seekLine: number
  added: number
  deleted: number
  /** Context lines before the first and after the last change. */
  leading: number
  trailing: number
}

/** One half of a `GIT binary patch`. */
export interface BinaryPayload extends PatchPlace {
  method: 'literal' | 'delta'
  /** Size in bytes after inflating, as stated; the reader has seen that it is so unless `checked` is false. */
  size: number
  /** Bytes of deflated data. */
  packedSize: number
  /** False when the payloads of the patch together are larger than the reader inflates. */
  checked: boolean
  /** Git's id of the inflated bytes as a blob; for a literal only. */
  blob: string | null
}

/** What a header says about names: the two of the git line where they can be separated, those of `---` and `+++`, those of rename or copy lines. */
export interface StatedNames {
  gitLine: ByteText | null
  /** There is a git line, and its two names are not the two that git goes by. */
  gitLineDiffers: boolean
  /** Both names of the git line, or of a header without one, are equal before any prefix is taken off. */
  sameWithPrefix: boolean
  before: ByteText | null
  after: ByteText | null
  from: ByteText | null
  to: ByteText | null
  /** Names as they are written, with whatever is taken off before git uses them; of a git line only the text that begins with them. */
  written: ByteText[]
}

export type FileStatus = 'A' | 'M' | 'D' | 'R' | 'C' | 'T'

/** What the header of a section says. Git carries the names of a git line without any further header line over to the next header. */
export interface PatchHeader {
  form: 'git' | 'traditional'
  oldName: ByteText | null
  newName: ByteText | null
  /** Whether the file is new or goes; `null` where a traditional header leaves it open and the file itself decides. */
  isNew: boolean | null
  isDelete: boolean | null
  isRename: boolean
  isCopy: boolean
  /** As octal numbers mean it; 0 where none is stated. */
  oldMode: number
  newMode: number
  /** From similarity or dissimilarity, 0 to 100; null where none is stated. */
  score: number | null
  oldBlob: string | null
  newBlob: string | null
  stated: StatedNames
  /** A line of the header ends in CR LF. */
  crlfHeader: boolean
}

/** A section of a patch: what git does to one file. Names are without the prefix that `-p1` takes off. */
export interface PatchSection extends PatchPlace, PatchHeader {
  /** Where the header ends and hunks or a payload begin. */
  bodyStart: number
  binary: boolean
  payload: BinaryPayload | null
  reversePayload: BinaryPayload | null
  hunks: Hunk[]
  added: number
  deleted: number
}

export const PATCH_PROBLEMS = [
  'no-patch',
  'hunk-without-header',
  'hunk-header',
  'hunk-too-short',
  'hunk-counts-differ',
  'hunk-cut',
  'hunk-foreign-line',
  'hunk-without-change',
  'names-missing',
  'names-disagree',
  'mode-unreadable',
  'header-lines-disagree',
  'new-with-old-lines',
  'deleted-with-new-lines',
  'binary-damaged',
  'patch-too-large',
] as const

/** Why reading ended. `fatal` is false where git stops reading in silence and takes what was before. */
export interface PatchProblem extends PatchPlace {
  kind: (typeof PATCH_PROBLEMS)[number]
  why: PatchFaultId
  fatal: boolean
}

/** A patch as git reads it. */
export interface Patch {
  verdict: 'ok' | 'error'
  sections: PatchSection[]
  /** Why reading ended before the end of the bytes; null when it did not. */
  problem: PatchProblem | null
  /** What git passes over: before, between and after the sections, in order. */
  ignored: PatchPlace[]
  size: number
  /** Its names have no prefix and were read with `-p0`, which git has to be told. */
  withoutPrefix?: true
}
