import { CR, LF, lineEnd, hasTextAt } from './bytes'
import type { Hunk, PatchProblem } from './patch'

type Range = { start: number; lines: number; startText: string; end: number }

/** `12,3` and what must follow it; null when it is not there. */
function readRange(bytes: Uint8Array, at: number, end: number, then: string): Range | null {
  const first = digits(bytes, at, end)
  if (first === null) return null
  let next = first.end
  let lines = 1
  if (bytes[next] === COMMA) {
    const second = digits(bytes, next + 1, end)
    if (second === null) return null
    lines = Number(second.text)
    next = second.end
  }
  return next + then.length <= end && hasTextAt(bytes, next, then)
    ? { start: Number(first.text), lines, startText: first.text, end: next + then.length }
    : null
}

const COMMA = 0x2c
const MAX_UNSIGNED = 18446744073709551615n

/** Digits as git's `strtoul` reads them: what is too large stays at the largest. */
function digits(bytes: Uint8Array, at: number, end: number): { text: string; end: number } | null {
  let next = at
  let text = ''
  while (next < end && bytes[next]! >= 0x30 && bytes[next]! <= 0x39) {
    // More than 20 digits after leading zeros are too large in any case.
    if (text !== '0' && text.length <= 20) text += String.fromCharCode(bytes[next]!)
    else if (text === '0') text = String.fromCharCode(bytes[next]!)
    next++
  }
  if (next === at) return null
  return { text: text.length > 19 && BigInt(text) > MAX_UNSIGNED ? String(MAX_UNSIGNED) : text, end: next }
}

/** The line, from 0, that a stated start stands for in git's 32 bits. */
const seekLine = (start: string): number =>
  start === '0' ? 0 : Number(BigInt.asIntN(32, BigInt(start) - 1n))

/** What a header `@@ -1,2 +3,4 @@` says; null when it is none. */
export function readHunkHeader(
  bytes: Uint8Array,
  at: number,
  end: number,
): Pick<Hunk, 'oldStart' | 'oldLines' | 'newStart' | 'newLines' | 'seekLine'> | null {
  if (bytes[end - 1] !== LF || !hasTextAt(bytes, at, '@@ -')) return null
  const before = readRange(bytes, at + 4, end, ' +')
  const after = before && readRange(bytes, before.end, end, ' @@')
  if (!before || !after) return null
  return {
    oldStart: before.start,
    oldLines: before.lines,
    newStart: after.start,
    newLines: after.lines,
    seekLine: seekLine(after.startText),
  }
}

export type HunkFault = Pick<PatchProblem, 'kind' | 'why'> & { at: number; lines: number }

/**
 * Reads one hunk. Its body ends where the counts of its header are used up, whatever follows.
 *
 * @param line number of its header line
 * @returns the hunk and how many lines it has, or what is wrong with it
 */
export function readHunk(
  bytes: Uint8Array,
  at: number,
  line: number,
): { hunk: Hunk; lines: number; old: number; new: number } | HunkFault {
  const bodyStart = lineEnd(bytes, at)
  const header = readHunkHeader(bytes, at, bodyStart)
  if (header === null)
    return {
      kind: 'hunk-header',
      why: 'hunk_range_unreadable',
      at,
      lines: 0,
    }
  let [old, fresh] = [header.oldLines, header.newLines]
  let [added, deleted, leading, trailing] = [0, 0, 0, 0]
  let end = bodyStart
  let lines = 1
  for (; end < bytes.length && (old !== 0 || fresh !== 0); lines++) {
    const next = lineEnd(bytes, end)
    if (bytes[next - 1] !== LF)
      return {
        kind: 'hunk-cut',
        why: 'hunk_cut',
        at: end,
        lines,
      }
    const first = bytes[end]
    if (first === BLANK || first === LF) {
      old--
      fresh--
      if (added === 0 && deleted === 0) leading++
      trailing++
    } else if (first === MINUS) {
      old--
      deleted++
      trailing = 0
    } else if (first === PLUS) {
      fresh--
      added++
      trailing = 0
    } else if (first !== BACKSLASH || next - end < 12 || bytes[end + 1] !== BLANK) {
      return { ...shortBody(old, fresh, 'foreign'), at: end, lines }
    }
    end = next
  }
  if (old !== 0 || fresh !== 0) return { ...shortBody(old, fresh, 'end'), at: end, lines }
  if (added === 0 && deleted === 0)
    return { kind: 'hunk-without-change', why: 'hunk_without_change', at, lines }
  if (bytes.length - end > 12 && hasTextAt(bytes, end, '\\ ')) {
    end = lineEnd(bytes, end)
    lines++
  }
  const hunk: Hunk = { start: at, end, line, bodyStart, ...header, added, deleted, leading, trailing }
  return { hunk, lines, old: header.oldLines, new: header.newLines }
}

const [BLANK, MINUS, PLUS, BACKSLASH] = [0x20, 0x2d, 0x2b, 0x5c]

/** Counts below zero mean that a side had more lines than stated. */
function shortBody(old: number, fresh: number, at: 'end' | 'foreign'): Pick<PatchProblem, 'kind' | 'why'> {
  if (old < 0 || fresh < 0 || old === 0 || fresh === 0)
    return {
      kind: 'hunk-counts-differ',
      why: 'hunk_counts_differ',
    }
  if (at === 'end')
    return {
      kind: 'hunk-too-short',
      why: 'hunk_too_short',
    }
  return {
    kind: 'hunk-foreign-line',
    why: 'hunk_foreign_line',
  }
}

export type LineKind = 'context' | 'added' | 'deleted'

/** A line of a hunk. `start` to `end` is its text without the first character and the line ending; `next` is where the following begins. */
export interface HunkLine {
  kind: LineKind
  /** Number in the file of the old and the new side, from 1; null on the side that does not have it. */
  oldLine: number | null
  newLine: number | null
  /** Number of the line in the patch. */
  line: number
  start: number
  end: number
  next: number
  /** CR before the line feed; it is not in the range. */
  crlf: boolean
  /** "\ No newline at end of file" follows. */
  noNewline: boolean
}

/** The lines of a hunk one after the other, each with its bytes: nothing is kept, so a screen can draw any part of a large patch. */
export function* hunkLines(bytes: Uint8Array, hunk: Hunk): Generator<HunkLine, void> {
  let [oldLine, newLine, line] = [Math.max(hunk.oldStart, 1), Math.max(hunk.newStart, 1), hunk.line + 1]
  if (hunk.oldLines === 0) oldLine = hunk.oldStart + 1
  if (hunk.newLines === 0) newLine = hunk.newStart + 1
  for (let at = hunk.bodyStart; at < hunk.end; ) {
    const next = lineEnd(bytes, at)
    const first = bytes[at]
    if (first !== BACKSLASH) {
      const kind: LineKind = first === PLUS ? 'added' : first === MINUS ? 'deleted' : 'context'
      const crlf = bytes[next - 2] === CR && next - 2 > at
      yield {
        kind,
        oldLine: kind === 'added' ? null : oldLine,
        newLine: kind === 'deleted' ? null : newLine,
        line,
        start: first === LF ? at : at + 1,
        end: next - (crlf ? 2 : 1),
        next,
        crlf,
        noNewline: next < hunk.end && bytes[next] === BACKSLASH,
      }
      if (kind !== 'added') oldLine++
      if (kind !== 'deleted') newLine++
    }
    at = next
    line++
  }
}
