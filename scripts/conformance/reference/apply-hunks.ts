import { LF } from '@/lib/judge/patches/bytes'
import { imageLine, sameLine, type ImageLine } from '@/lib/judge/patches/image'
import { imageOf, joinLines } from './image-lines'
import type { Hunk } from '@/lib/judge/patches/patch'
import { hunkLines } from '@/lib/judge/patches/read-hunk'

/** Line comparisons and moves after which applying gives up: a hostile patch can ask for their product. */
export const APPLY_STEPS_MAX = 400_000_000

export interface Steps {
  left: number
}

/** What a hunk wants to find and what it leaves. */
function sidesOf(bytes: Uint8Array, hunk: Hunk): { before: ImageLine[]; after: ImageLine[] } {
  const [before, after]: [ImageLine[], ImageLine[]] = [[], []]
  for (const { kind, start, next, noNewline } of hunkLines(bytes, hunk)) {
    const end = next - (noNewline ? 1 : 0)
    // An empty context line that lost its blank and its line feed leaves nothing.
    if (bytes[start - 1] === LF && start === end) continue
    const line = imageLine(bytes, start, end)
    if (kind !== 'added') before.push(line)
    if (kind !== 'deleted') after.push({ ...line, patched: true })
  }
  return { before, after }
}

/** Whether `before` is in the image at this line, untouched by an earlier hunk. */
function fitsAt(
  image: readonly ImageLine[],
  before: readonly ImageLine[],
  at: number,
  steps: Steps,
): boolean {
  if (at < 0 || at + before.length > image.length) return false
  for (let i = 0; i < before.length; i++) {
    steps.left--
    const line = image[at + i]!
    if (line.patched || !sameLine(line, before[i]!)) return false
  }
  return true
}

/**
 * The line nearest to `from` at which `before` stands; of two as near the later one first. -1 when there is none.
 * One pass over the image (Knuth, Morris, Pratt), so that a file of equal lines takes no longer than another.
 */
function nearestFit(
  image: readonly ImageLine[],
  before: readonly ImageLine[],
  from: number,
  steps: Steps,
): number {
  const back = new Int32Array(before.length + 1)
  for (let i = 1, k = 0; i < before.length; i++) {
    while (k > 0 && !sameLine(before[i]!, before[k]!)) k = back[k]!
    if (sameLine(before[i]!, before[k]!)) k++
    back[i + 1] = k
  }
  steps.left -= before.length + image.length
  let best = -1
  for (let i = 0, k = 0; i < image.length; i++) {
    const line = image[i]!
    if (line.patched) k = 0
    else {
      while (k > 0 && (k === before.length || !sameLine(line, before[k]!))) k = back[k]!
      if (before.length > 0 && sameLine(line, before[k]!)) k++
    }
    if (k !== before.length || k === 0) continue
    const at = i - k + 1
    if (best === -1 || Math.abs(at - from) <= Math.abs(best - from)) best = at
  }
  return best
}

export type HunksApplied =
  | { content: Uint8Array; offsets: number[] }
  /** The number of the hunk, from 1, that does not fit. */
  | { hunk: number; gaveUp: boolean }

/**
 * Applies the hunks of a section to a file as git does without options: context must fit byte for byte; a hunk may stand
 * elsewhere than stated, but one that begins at line 1 must be at the beginning and one without context after it at the end.
 *
 * @returns the file, and for each hunk how many lines from the stated place it was found
 */
export function applyHunks(
  bytes: Uint8Array,
  hunks: readonly Hunk[],
  content: Uint8Array,
  steps: Steps,
): HunksApplied {
  const image = imageOf(content)
  const offsets: number[] = []
  for (const [i, hunk] of hunks.entries()) {
    const { before, after } = sidesOf(bytes, hunk)
    const at = findPlace(image, before, hunk, steps)
    steps.left -= (image.length >> 4) + after.length
    if (at === -1 || steps.left < 0) return { hunk: i + 1, gaveUp: steps.left < 0 }
    splice(image, at, before.length, after)
    offsets.push(at - hunk.seekLine)
  }
  return { content: joinLines(image), offsets }
}

function findPlace(
  image: readonly ImageLine[],
  before: readonly ImageLine[],
  hunk: Hunk,
  steps: Steps,
): number {
  const atStart = hunk.oldStart <= 1
  const atEnd = hunk.trailing === 0
  if (atStart || atEnd) {
    const at = atStart ? 0 : image.length - before.length
    return (!atEnd || at + before.length === image.length) && fitsAt(image, before, at, steps) ? at : -1
  }
  const from = hunk.seekLine < 0 || hunk.seekLine > image.length ? image.length : hunk.seekLine
  if (fitsAt(image, before, from, steps)) return from
  return nearestFit(image, before, from, steps)
}

/** `Array.splice` with any number of lines: spreading them as arguments would overflow the stack. */
function splice(image: ImageLine[], at: number, remove: number, insert: readonly ImageLine[]): void {
  const tail = image.splice(at)
  for (const line of insert) image.push(line)
  for (let i = remove; i < tail.length; i++) image.push(tail[i]!)
}
