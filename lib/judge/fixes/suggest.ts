import { diffArrays } from 'diff'
import { concatBytes } from '../../bytes/concat-bytes'
import { limits } from '../../limits'
import type { SuggestRefusal } from '../../model/fits'
import { byteText, bytesOf, LF } from '../patches/bytes'
import type { ByteRange, Hunk, PatchSection } from '../patches/patch'
import { hunkLines, type HunkLine } from '../patches/read-hunk'
import { readAsMade } from '../patches/read-as-made'

/** Other lines in the place of lines of the new side of a file. */
export interface Suggestion {
  /** Place of the file in the patch, from 0. */
  file: number
  /** Lines of the new file, from 1, both counted in; they are in one hunk. */
  start: number
  end: number
  /** What is there instead, each without its line ending; none takes the lines out. */
  lines: readonly string[]
}

export interface Suggested {
  bytes: Uint8Array
  /** Bytes of the old patch that were written anew, in its order, and what is there now: the rest is as it was. */
  edits: { from: ByteRange; to: ByteRange }[]
}

/** A line with the bytes that it takes up in the patch: its first character, its ending, and the note that its file ends there. */
interface BodyLine extends HunkLine {
  raw: ByteRange
}

/**
 * The patch with other lines in the place of some. Only the hunk that shows them changes, and what hunks of the same file state of their place in the
 * new file; every other byte stays. A context line that goes becomes a deleted one. The ids of an `index` line stay, too: git reads that of the new file
 * for binary changes only.
 */
export function suggestPatch(
  bytes: Uint8Array,
  suggestion: Suggestion,
): Suggested | { refused: SuggestRefusal } {
  const patch = readAsMade(bytes)
  if (patch.verdict === 'error') return { refused: 'unreadable' }
  const section = patch.sections[suggestion.file]
  if (section === undefined) return { refused: 'no-such-file' }
  if (section.binary) return { refused: 'binary' }
  if (
    patch.sections.some(
      (other) =>
        other !== section &&
        section.newName !== null &&
        [other.oldName, other.newName].includes(section.newName),
    )
  )
    return { refused: 'file-twice' }
  const found = chosenLines(bytes, section, suggestion)
  if (found === null) return { refused: 'no-such-lines' }
  const body = editedBody(bytes, found, suggestion.lines)
  if ('refused' in body) return body
  const shift = suggestion.lines.length - found.chosen.length
  const edits = [
    ...headersOf(bytes, section, found.hunk, shift),
    { start: found.chosen[0]!.raw.start, end: found.chosen.at(-1)!.raw.end, put: body.put },
  ]
  if (edits.some(({ put }) => put === null)) return { refused: 'bad-numbers' }
  const made = rewritten(bytes, edits as Edit[])
  return made.bytes.length > limits.patchBytesMax ? { refused: 'too-large' } : made
}

interface Found {
  hunk: Hunk
  body: BodyLine[]
  chosen: BodyLine[]
}

function chosenLines(bytes: Uint8Array, { hunks }: PatchSection, { start, end }: Suggestion): Found | null {
  for (const hunk of hunks) {
    const body = bodyOf(bytes, hunk)
    const chosen = body.filter(({ newLine }) => newLine !== null && newLine >= start && newLine <= end)
    if (chosen.length > 0 && chosen.length === end - start + 1) return { hunk, body, chosen }
  }
  return null
}

function bodyOf(bytes: Uint8Array, hunk: Hunk): BodyLine[] {
  const lines = [...hunkLines(bytes, hunk)]
  // An empty context line may have lost its blank; then it begins with its line feed.
  const begins = ({ start, end }: HunkLine): number =>
    start === end && bytes[start] === LF && bytes[start - 1] === LF ? start : start - 1
  return lines.map((line, i) => ({
    ...line,
    raw: { start: begins(line), end: i + 1 < lines.length ? begins(lines[i + 1]!) : hunk.end },
  }))
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const utf8 = new TextEncoder()
const [PLUS, MINUS] = ['+', '-'].map((sign) => bytesOf(sign)) as [Uint8Array, Uint8Array]

function textOf(bytes: Uint8Array, { start, end }: HunkLine): string | null {
  try {
    const text = strict.decode(bytes.subarray(start, end))
    return text.includes('\r') ? null : text
  } catch {
    return null
  }
}

/** The lines from the first chosen one to the last, with the deleted ones between them. */
function editedBody(
  bytes: Uint8Array,
  { hunk, body, chosen }: Found,
  lines: readonly string[],
): { put: Uint8Array } | { refused: SuggestRefusal } {
  const texts = chosen.map((line) => textOf(bytes, line))
  if (texts.includes(null)) return { refused: 'not-text' }
  const last = chosen.at(-1)!
  // A line that ends its file without a line feed is another one than the same text with one.
  const key = (text: string | null, isOpen: boolean): string => `${isOpen ? 'open' : 'ended'} ${text}`
  const before = chosen.map((line, i) => key(texts[i]!, line.noNewline))
  const after = lines.map((text, i) => key(text, last.noNewline && i === lines.length - 1))
  const changes = diffArrays(before, after, { maxEditLength: 4_000 }) ?? [
    { removed: true, added: false, count: before.length },
    { removed: false, added: true, count: after.length },
  ]
  if (changes.every(({ added, removed }) => !added && !removed)) return { refused: 'same' }

  const out: Uint8Array[] = []
  let [minus, plus]: [Uint8Array[], Uint8Array[]] = [[], []]
  let [old, fresh, passed, added, deleted] = [0, 0, body.indexOf(chosen[0]!), hunk.added, hunk.deleted]
  const flush = (): void => {
    out.push(...minus, ...plus)
    ;[minus, plus] = [[], []]
  }
  const passDeleted = (): BodyLine => {
    for (; body[passed] !== chosen[old]; passed++)
      minus.push(bytes.subarray(body[passed]!.raw.start, body[passed]!.raw.end))
    passed++
    return chosen[old++]!
  }
  for (const change of changes)
    for (let i = 0; i < change.count; i++) {
      if (change.added) {
        plus.push(
          PLUS,
          newLine(bytes, { body, chosen }, lines[fresh]!, fresh++ === lines.length - 1, fresh - 1),
        )
        added++
        continue
      }
      const line = passDeleted()
      if (!change.removed) {
        flush()
        out.push(bytes.subarray(line.raw.start, line.raw.end))
        fresh++
      } else if (line.kind === 'context') {
        minus.push(MINUS, bytes.subarray(line.start, line.raw.end))
        deleted++
      } else added--
    }
  flush()
  if (added === 0 && deleted === 0) return { refused: 'nothing-left' }
  const keepsEnd = changes.at(-1)!.added !== true && changes.at(-1)!.removed !== true
  if (hunk.trailing > 0 && last === body.at(-1) && !keepsEnd && !last.noNewline)
    return { refused: 'last-line' }
  return { put: concatBytes(out) }
}

/** The bytes of a line that is new: with the ending of the line whose place it takes, and open at its end where the file was. */
function newLine(
  bytes: Uint8Array,
  { body, chosen }: Pick<Found, 'body' | 'chosen'>,
  text: string,
  isLast: boolean,
  at: number,
): Uint8Array {
  const last = chosen.at(-1)!
  const isOpen = isLast && last.noNewline
  const ended = chosen.filter((line) => !line.noNewline)
  const like = isOpen ? last : (ended[Math.min(at, ended.length - 1)] ?? body.find((line) => !line.noNewline))
  return concatBytes([
    utf8.encode(text),
    bytesOf(like?.crlf ? '\r\n' : '\n'),
    isOpen ? bytes.subarray(last.next, last.raw.end) : new Uint8Array(),
  ])
}

type Edit = ByteRange & { put: Uint8Array }

/** Headers of the hunk and of those after it, as far as they change; `put` is null where a number cannot be corrected. */
function headersOf(
  bytes: Uint8Array,
  { hunks }: PatchSection,
  edited: Hunk,
  shift: number,
): (ByteRange & { put: Uint8Array | null })[] {
  if (shift === 0) return []
  return hunks.slice(hunks.indexOf(edited)).map((hunk) => {
    const header = byteText(bytes, hunk.start, hunk.bodyStart)
    const [stated, before] = /^(@@ -\d+(?:,\d+)? \+)\d+(?:,\d+)?/.exec(header)!
    const lines = hunk === edited ? hunk.newLines + shift : hunk.newLines
    // A side without lines names the line before it.
    const start =
      hunk === edited ? (lines === 0 ? Math.max(0, hunk.newStart - 1) : hunk.newStart) : hunk.newStart + shift
    const place = { start: hunk.start, end: hunk.bodyStart }
    if (!Number.isSafeInteger(hunk.newStart) || !Number.isSafeInteger(start) || start < 0)
      return { ...place, put: null }
    const count = lines === 1 && !stated.includes(',', before!.length) ? '' : `,${lines}`
    return { ...place, put: bytesOf(`${before}${start}${count}${header.slice(stated.length)}`) }
  })
}

function rewritten(bytes: Uint8Array, edits: readonly Edit[]): Suggested {
  const parts: Uint8Array[] = []
  const movedEdits: Suggested['edits'] = []
  let [from, to] = [0, 0]
  const push = (part: Uint8Array): void => {
    parts.push(part)
    to += part.length
  }
  for (const { start, end, put } of edits.toSorted((a, b) => a.start - b.start)) {
    push(bytes.subarray(from, start))
    movedEdits.push({ from: { start, end }, to: { start: to, end: to + put.length } })
    push(put)
    from = end
  }
  push(bytes.subarray(from))
  return { bytes: concatBytes(parts), edits: movedEdits }
}

/** Where ranges of the old patch are in the new one. One that reaches into what was written anew takes all of that in. */
export const movedRanges = (ranges: readonly ByteRange[], edits: Suggested['edits']): ByteRange[] =>
  ranges.map(({ start, end }) => ({
    start: moved(start, edits, 'start'),
    end: Math.max(moved(end - 1, edits, 'end') + 1, 1),
  }))

function moved(at: number, edits: Suggested['edits'], side: 'start' | 'end'): number {
  let shift = 0
  for (const { from, to } of edits) {
    if (at < from.start) break
    if (at < from.end) return side === 'start' ? to.start : to.end - 1
    shift = to.end - from.end
  }
  return at + shift
}
