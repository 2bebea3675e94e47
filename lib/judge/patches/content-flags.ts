import { CR, LF, lineEnd } from './bytes'
import type { FlagCode, PatchFlag } from '../../model/flags'
import { hasBidi, hasInvisible } from './hidden-marks'
import type { ByteRange, Hunk, PatchSection } from './patch'

/** Lines of one code in one file that are listed one by one; the others are counted. */
const LISTED_MAX = 20
const LINE_BYTES_MAX = 20_000
const DECODED_BYTES_MAX = 64 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lossy = new TextDecoder('utf-8', { ignoreBOM: true })

const [BLANK, BACKSLASH, BACKSPACE, ESCAPE] = [0x20, 0x5c, 0x08, 0x1b]

/** Bytes that make a line worth a look: controls other than tab and line ends, and whatever is not ASCII. */
const LOOK = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++)
  LOOK[byte] =
    byte >= 0x80 ||
    byte === CR ||
    byte === 0x5b ||
    byte === 0x7f ||
    (byte < 0x20 && byte !== 9 && byte !== LF)
      ? 1
      : 0

/** Flags of what is in the lines of hunks. Bytes are walked once; a line is decoded only where something in it may count. */
export function contentFlags(bytes: Uint8Array, sections: readonly PatchSection[]): PatchFlag[] {
  const flags: PatchFlag[] = []
  for (const [file, section] of sections.entries()) {
    const found = new Map<FlagCode, { lines: number[]; total: number }>()
    for (const hunk of section.hunks) {
      lookAtHunk(bytes, hunk, (code, line) => {
        const known = found.get(code) ?? { lines: [], total: 0 }
        known.total++
        if (known.lines.length < LISTED_MAX) known.lines.push(line)
        found.set(code, known)
      })
    }
    for (const [code, { lines, total }] of found) {
      for (const [i, line] of lines.entries())
        flags.push({
          code,
          file,
          detail:
            i === LISTED_MAX - 1 && total > LISTED_MAX
              ? { id: 'more_lines', params: { count: total - LISTED_MAX, inFile: true } }
              : null,
          lines: { start: line, end: line },
        })
    }
  }
  return flags
}

function lookAtHunk(bytes: Uint8Array, hunk: Hunk, tell: (code: FlagCode, line: number) => void): void {
  for (const code of hiddenCodes(bytes, { start: hunk.start, end: hunk.bodyStart })) tell(code, hunk.line)
  let line = hunk.line + 1
  let kind = 0
  // Sides that a marker has ended: a line behind it that belongs to the same side shows that it ended nothing.
  let ended: { line: number; kind: number }[] = []
  for (let at = hunk.bodyStart; at < hunk.end; line++) {
    const next = lineEnd(bytes, at)
    const first = bytes[at]!
    if (first === LF) tell('blank-context-line', line)
    if (first === BACKSLASH) ended = [...ended.filter((one) => one.kind !== kind), { line, kind }]
    else {
      kind = first === LF ? BLANK : first
      if (ended.length > 0) {
        for (const one of ended)
          if (kind === BLANK || one.kind === BLANK || one.kind === kind)
            tell('misplaced-no-newline-marker', one.line)
        ended = ended.filter((one) => kind !== BLANK && one.kind !== BLANK && one.kind !== kind)
      }
    }
    if (next - at > LINE_BYTES_MAX) tell('line-too-long', line)
    if (isWorthALook(bytes, at, next)) for (const code of codesOf(bytes, at, next)) tell(code, line)
    at = next
  }
}

function isWorthALook(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (LOOK[bytes[at]!] === 1) return true
  return false
}

/** Marks of a line that is no line of a hunk by which it reads other than it is. Git cuts the headings of hunks, so they need not be UTF-8. */
export function hiddenCodes(bytes: Uint8Array, { start, end }: ByteRange): FlagCode[] {
  if (!isWorthALook(bytes, start, end)) return []
  return textCodes(lossy.decode(bytes.subarray(start, Math.min(end, start + DECODED_BYTES_MAX))))
}

function textCodes(text: string): FlagCode[] {
  const codes: FlagCode[] = []
  if (/[\b\u001b\u009b]/.test(text)) codes.push('content-escape-sequence')
  if (hasBidi(text)) codes.push('content-bidi')
  if (hasInvisible(text)) codes.push('content-invisible')
  return codes
}

function codesOf(bytes: Uint8Array, at: number, next: number): FlagCode[] {
  const codes: FlagCode[] = []
  const end = bytes[next - 2] === CR ? next - 2 : next - 1
  const whole = bytes.subarray(at + 1, end)
  const part = whole.subarray(0, DECODED_BYTES_MAX)
  if (whole.includes(0)) codes.push('nul-byte')
  if (whole.includes(ESCAPE) || whole.includes(BACKSPACE)) codes.push('content-escape-sequence')
  if (whole.includes(CR)) codes.push('content-lone-cr')
  let text: string
  try {
    // A line that is cut may be cut inside a character.
    text = part.length < DECODED_BYTES_MAX ? utf8.decode(part) : lossy.decode(part)
  } catch {
    codes.push('content-not-utf8')
    text = ''
  }
  if (text.includes('\ufffd') && part.length < DECODED_BYTES_MAX) codes.push('content-replacement-character')
  if (/\[redacted(?:\]|:)/i.test(text)) codes.push('content-redacted')
  return [...new Set([...codes, ...textCodes(text)])]
}
