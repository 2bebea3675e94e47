import { limits } from '@/lib/limits'

export interface OddEntry {
  /** In its stream. */
  offset: number
  reason: string
  detail: string
}

/** Odd records of a body: all are counted, and those that its answer lists are held, however many there are. */
export class OddList {
  total = 0
  private held: OddEntry[] = []

  add(entry: OddEntry): void {
    this.total++
    this.held.push(entry)
    if (this.held.length >= 2 * limits.oddListedMax) this.held = this.first()
  }

  /** Adds those of a body that begins at `start` of this one. */
  addAll(others: OddList, start: number): void {
    this.total += others.total - others.held.length
    for (const entry of others.held) this.add({ ...entry, offset: entry.offset + start })
  }

  /** `limits.oddListedMax` of them at most, those that come first in the stream. */
  first(): OddEntry[] {
    return this.held.sort((a, b) => a.offset - b.offset).slice(0, limits.oddListedMax)
  }
}
