import { RUN_SECRET_IN_PATCH } from '@/lib/formats/async-pipeline/hide'
import type { RedactionMark } from '@/lib/text/redaction/finding'

/** Marks that begin in a range of the kept bytes. They are in order; a part with many is searched, not walked for each record. */
export function marksWithin(marks: readonly RedactionMark[], start: number, end: number): number {
  if (marks.length === 0) return 0
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (marks[middle]!.byteStart < start) low = middle + 1
    else high = middle
  }
  let count = 0
  for (let i = low; i < marks.length && marks[i]!.byteStart < end; i++)
    if (marks[i]!.rule !== RUN_SECRET_IN_PATCH) count++
  return count
}
