import type { Pointer } from '@/lib/model/execution'

export interface Redaction {
  rule: string
  byteStart: number
  byteEnd: number
}

/** Redactions by part, in the order of the bytes. */
export const redactionIndex = (
  parts: readonly { received: string; redactions: Redaction[] }[],
): Map<string, Redaction[]> =>
  new Map(
    parts.map(({ received, redactions }) => [
      received,
      [...redactions].sort((a, b) => a.byteStart - b.byteStart),
    ]),
  )

/** The redactions inside a range, found by halving: a part may hold thousands. */
export function redactionsIn(sorted: readonly Redaction[], byteStart: number, byteEnd: number): Redaction[] {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.byteEnd <= byteStart) low = middle + 1
    else high = middle
  }
  const found: Redaction[] = []
  for (let i = low; i < sorted.length && sorted[i]!.byteStart < byteEnd; i++) found.push(sorted[i]!)
  return found
}

export const isRedacted = (
  index: ReadonlyMap<string, Redaction[]>,
  { received, byteStart, byteEnd }: Pointer,
): boolean => redactionsIn(index.get(received) ?? [], byteStart, byteEnd).length > 0
