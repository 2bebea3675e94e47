import type { Hunk } from '../../judge/patches/patch'
import { hunkLines, type HunkLine, type LineKind } from '../../judge/patches/read-hunk'
import { readAsMade } from '../../judge/patches/read-as-made'
import { patchFaultText } from '../../words/patches'
import { limits } from '../../limits'

/** A line of a hunk as a screen draws it. */
export interface DiffRow {
  kind: LineKind
  oldLine: number | null
  newLine: number | null
  /** Number of the line in the whole patch, from 1: what flags point at. */
  line: number
  /** Without the line feed; a carriage return before it stays, so that it can be made visible. */
  text: string
  /** Bytes at the end of a very long line that are not in `text`. */
  bytesLeftOut: number
  /** The bytes are not UTF-8: `text` holds replacement characters that the patch does not. */
  isLossy: boolean
  noNewline: boolean
}

export interface DiffHunk {
  line: number
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  /** What follows the second `@@`. */
  heading: string
  rows: DiffRow[]
}

export interface FileRows {
  hunks: DiffHunk[]
  /** Lines that are not drawn, when a file has more of them than a screen holds. */
  rowsLeftOut: number
  /** Why reading ended early; null when it did not. */
  problem: string | null
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

function decode(bytes: Uint8Array): { text: string; isLossy: boolean } {
  try {
    return { text: strict.decode(bytes), isLossy: false }
  } catch {
    return { text: lenient.decode(bytes), isLossy: true }
  }
}

/** The last place up to `end` that is not inside a character of UTF-8; bytes that are none stay where they are. */
function characterEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start && end - at < 4 && (bytes[at]! & 0xc0) === 0x80) at--
  return end - at < 4 ? at : end
}

/** A line of a hunk as a row. @param firstLine number, in the patch, of the first line that `bytes` hold */
export function rowOf(
  bytes: Uint8Array,
  { kind, oldLine, newLine, line, start, end, crlf, noNewline }: HunkLine,
  firstLine: number,
): DiffRow {
  const whole = end + (crlf ? 1 : 0)
  const shown =
    whole - start > limits.diffLineBytesShown
      ? characterEnd(bytes, start, start + limits.diffLineBytesShown)
      : whole
  return {
    kind,
    oldLine,
    newLine,
    line: line + firstLine - 1,
    ...decode(bytes.subarray(start, shown)),
    bytesLeftOut: whole - shown,
    noNewline,
  }
}

function headingOf(bytes: Uint8Array, hunk: Hunk): string {
  const header = bytes.subarray(hunk.start, Math.min(hunk.bodyStart, hunk.start + limits.diffLineBytesShown))
  return /^@@ [^@]*@@ ?(.*)/.exec(decode(header).text.replace(/[\r\n]+$/, ''))?.[1] ?? ''
}

/**
 * The hunks of one file as rows, read by git's rules: what is drawn is what is applied.
 *
 * @param bytes the section of the patch that is about the file, from its header to its end
 * @param firstLine number of the section's first line in the patch
 */
export function readFileRows(bytes: Uint8Array, firstLine: number): FileRows {
  const patch = readAsMade(bytes)
  const section = patch.sections[0]
  const hunks: DiffHunk[] = []
  let [rows, rowsLeftOut] = [0, 0]
  for (const hunk of section?.hunks ?? []) {
    const { oldStart, oldLines, newStart, newLines } = hunk
    const drawn: DiffHunk = {
      line: hunk.line + firstLine - 1,
      oldStart,
      oldLines,
      newStart,
      newLines,
      heading: headingOf(bytes, hunk),
      rows: [],
    }
    for (const line of hunkLines(bytes, hunk)) {
      if (rows++ < limits.diffRowsMax) drawn.rows.push(rowOf(bytes, line, firstLine))
      else rowsLeftOut++
    }
    if (drawn.rows.length > 0) hunks.push(drawn)
  }
  return { hunks, rowsLeftOut, problem: patch.problem && patchFaultText(patch.problem.why) }
}
