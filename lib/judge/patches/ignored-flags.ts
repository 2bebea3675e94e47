import { byteText, lineEnd, LF, hasTextAt } from './bytes'
import { hiddenCodes } from './content-flags'
import type { FlagCode, PatchFlag } from '../../model/flags'
import type { ByteRange, Patch, PatchPlace, PatchSection } from './patch'

/** Lines of one code that are listed one by one. */
const LISTED_MAX = 20
const MESSAGE_START = /^From [0-9a-f]{40}/
const COMBINED = ['diff --cc ', 'diff --combined ', '@@@ ']

type Tell = (code: FlagCode, line: number, file?: number) => void

/**
 * Flags of what git passes over: that there is any, marks that hide in it, a combined diff, and lines that look like a part of the
 * change before them. Git stops at the stated counts of a hunk, where other readers go on.
 */
export function ignoredFlags(bytes: Uint8Array, { ignored, sections, problem }: Patch): PatchFlag[] {
  const flags: PatchFlag[] = []
  const counts = new Map<FlagCode, number>()
  const tell: Tell = (code, line, file) => {
    const count = (counts.get(code) ?? 0) + 1
    counts.set(code, count)
    if (count <= LISTED_MAX)
      flags.push({ code, file: file ?? null, detail: null, lines: { start: line, end: line } })
  }
  let file = -1
  let isMail = false
  for (const place of ignored) {
    while (file + 1 < sections.length && sections[file + 1]!.end <= place.start) file++
    const lines = (): Generator<IgnoredLine, void> => ignoredLines(bytes, place, isMail)
    if (file >= 0) lookBehindSection(bytes, lines(), sections[file]!, (code, line) => tell(code, line, file))
    isMail = lookAtPlace(bytes, lines(), sections.length > 0, tell)
  }
  if (problem !== null) {
    // What was passed over before reading ended is not listed.
    const start = sections.at(-1)?.end ?? 0
    const place = {
      start,
      end: Math.max(start, problem.end),
      line: problem.line - feedsIn(bytes, start, problem.start),
    }
    for (const line of ignoredLines(bytes, place, isMail))
      if (isCombined(bytes, line)) tell('combined-diff', line.line)
    if (problem.kind === 'hunk-without-header' && sections.length > 0)
      lookBehindSection(bytes, ignoredLines(bytes, place, isMail), sections.at(-1)!, (code, line) =>
        tell(code, line, sections.length - 1),
      )
  }
  return flags
}

function feedsIn(bytes: Uint8Array, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) if (bytes[at] === LF) count++
  return count
}

interface IgnoredLine extends PatchPlace {
  /** In the head or the message of a mail: up to its `---`. */
  isMail: boolean
  isBlank: boolean
}

/** @param isMail whether the place begins in a mail: one may contain a whole diff in its message */
function* ignoredLines(bytes: Uint8Array, place: PatchPlace, isMail: boolean): Generator<IgnoredLine, void> {
  for (let [start, line] = [place.start, place.line]; start < place.end; line++) {
    const end = Math.min(lineEnd(bytes, start), place.end)
    if (
      hasTextAt(bytes, start, 'From ') &&
      MESSAGE_START.test(byteText(bytes, start, Math.min(end, start + 45)))
    )
      isMail = true
    yield { start, end, line, isMail, isBlank: isBlank(bytes, start, end) }
    if (isLine(bytes, start, end, '---')) isMail = false
    start = end
  }
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++)
    if (!(bytes[at] === BLANK || (bytes[at]! >= 9 && bytes[at]! <= 13))) return false
  return true
}

/** Whether these words are the whole line, but for white space behind them. */
const isLine = (bytes: Uint8Array, start: number, end: number, words: string): boolean =>
  hasTextAt(bytes, start, words) && isBlank(bytes, start + words.length, end)

const isCombined = (bytes: Uint8Array, { start, isMail }: IgnoredLine): boolean =>
  !isMail && COMBINED.some((words) => hasTextAt(bytes, start, words))

/** @returns whether the place ends in a mail */
function lookAtPlace(
  bytes: Uint8Array,
  lines: Iterable<IgnoredLine>,
  surrounds: boolean,
  tell: Tell,
): boolean {
  let isText = false
  let isMail = false
  for (const line of lines) {
    isMail = line.isMail && !isLine(bytes, line.start, line.end, '---')
    if (isCombined(bytes, line)) tell('combined-diff', line.line)
    if (line.isBlank) continue
    if (surrounds && !isText) tell('surrounding-text', line.line)
    isText = true
    for (const code of hiddenCodes(bytes, withoutMark(bytes, line))) tell(code, line.line)
  }
  return isMail
}

/** A byte order mark has a flag of its own. */
const withoutMark = (bytes: Uint8Array, { start, end }: ByteRange): ByteRange => ({
  start: start === 0 && hasTextAt(bytes, 0, '\xef\xbb\xbf') ? 3 : start,
  end,
})

const [TAB, BLANK, PLUS, MINUS, BACKSLASH] = [0x09, 0x20, 0x2b, 0x2d, 0x5c]

/** Tells the first line behind a section that a reader could take for a part of it. */
function lookBehindSection(
  bytes: Uint8Array,
  lines: Iterable<IgnoredLine>,
  { hunks, end: sectionEnd }: PatchSection,
  tell: Tell,
): void {
  const hasHunks = hunks.length > 0
  let isText = false
  let isSigned = false
  for (const line of lines) {
    if (line.isBlank) continue
    if (isCombined(bytes, line)) return
    const { start, end } = line
    const first = bytes[start]
    if (hasTextAt(bytes, start, '@@')) {
      tell('hunk-header-malformed', line.line)
      if (!hasHunks) return
    }
    if (!isSigned && isLine(bytes, start, end, '--')) isSigned = true
    else if (
      first === PLUS ||
      first === BACKSLASH ||
      hasTextAt(bytes, start, '@@') ||
      (first === BLANK && hasHunks && start === sectionEnd) ||
      (first === MINUS && !((isText || line.isMail) && isMailLine(bytes, start, end)))
    )
      return tell('hunk-count-mismatch', line.line)
    else isText = true
  }
}

/** Lists in messages begin with a dash, and a line of three parts a message from what follows. */
const isMailLine = (bytes: Uint8Array, start: number, end: number): boolean =>
  bytes[start + 1] === BLANK ||
  bytes[start + 1] === TAB ||
  isLine(bytes, start, end, '---') ||
  bytes[start + 1] === LF
