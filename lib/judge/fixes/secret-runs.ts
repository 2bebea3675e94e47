import { lineEnd } from '../patches/bytes'
import type { ByteRange, Patch } from '../patches/patch'

/** Lines that follow each other and hold what looks like a secret: their numbers, from 1, both counted in, and their bytes, with the last line end. */
export interface SecretRun {
  start: number
  end: number
  byteStart: number
  byteEnd: number
}

/** A run as it is stored: numbers in the order of the fields. */
export type StoredRun = [start: number, end: number, byteStart: number, byteEnd: number]
export const storedRun = ({ start, end, byteStart, byteEnd }: SecretRun): StoredRun => [
  start,
  end,
  byteStart,
  byteEnd,
]
export const revivedRun = ([start, end, byteStart, byteEnd]: StoredRun): SecretRun => ({
  start,
  end,
  byteStart,
  byteEnd,
})

/** A line, or several, with the part of the patch that it is in: runs of two parts stay two. */
export interface PlacedRun extends SecretRun {
  zone: number
}

/** More runs than these are joined: better too much is masked than anything left out, or kept without bound. */
const RUNS_MAX = 5_000

/** The parts of a patch in their order: what is before each hunk, and the hunk. Asked for in the order of the patch. */
export function zonesOf({ sections }: Pick<Patch, 'sections'>): (byte: number) => number {
  const hunks = sections.flatMap((section) => section.hunks)
  let [next, last] = [0, 0]
  return (byte) => {
    if (byte < last) next = 0
    last = byte
    while (next < hunks.length && hunks[next]!.end <= byte) next++
    return 2 * next + (next < hunks.length && hunks[next]!.start <= byte ? 1 : 0)
  }
}

/** One run for all that touch each other or are the same, in their order, within one part of the patch. */
export function joinRuns(runs: readonly PlacedRun[]): PlacedRun[] {
  const joined: PlacedRun[] = []
  for (const run of runs.toSorted((a, b) => a.byteStart - b.byteStart)) {
    const last = joined.at(-1)
    if (last === undefined || run.zone !== last.zone || run.byteStart > last.byteEnd) joined.push({ ...run })
    else if (run.byteEnd > last.byteEnd) [last.end, last.byteEnd] = [run.end, run.byteEnd]
  }
  return joined
}

/** Few enough runs to be kept and sent: where they are too many, whole hunks are one, and then the whole patch. */
export function boundRuns(bytes: Uint8Array, runs: readonly PlacedRun[], most = RUNS_MAX): SecretRun[] {
  if (runs.length <= most) return runs.map(bare)
  const zones: PlacedRun[] = []
  for (const run of runs) {
    const last = zones.at(-1)
    if (last?.zone === run.zone) [last.end, last.byteEnd] = [run.end, run.byteEnd]
    else zones.push({ ...run })
  }
  return zones.length <= most ? zones.map(bare) : [wholeRun(bytes)]
}

const bare = ({ start, end, byteStart, byteEnd }: PlacedRun): SecretRun => ({
  start,
  end,
  byteStart,
  byteEnd,
})

function wholeRun(bytes: Uint8Array): SecretRun {
  let lines = 0
  for (let at = 0; at < bytes.length; at = lineEnd(bytes, at)) lines++
  return { start: 1, end: lines, byteStart: 0, byteEnd: bytes.length }
}

/** The lines that hold these bytes, one run for each line. */
export function linesHolding(
  bytes: Uint8Array,
  ranges: readonly ByteRange[],
  zoneAt: (byte: number) => number,
): PlacedRun[] {
  const runs: PlacedRun[] = []
  let [at, line] = [0, 1]
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    for (
      let next = lineEnd(bytes, at);
      next <= start && next < bytes.length;
      next = lineEnd(bytes, at), line++
    )
      at = next
    for (let [from, number] = [at, line]; from < Math.max(end, start + 1) && from < bytes.length; number++) {
      const next = lineEnd(bytes, from)
      runs.push({ start: number, end: number, byteStart: from, byteEnd: next, zone: zoneAt(from) })
      from = next
    }
  }
  return runs
}
