/** How many tries a name (an address, a mail) has within a window, before it must wait. */
export interface TryRule {
  tries: number
  windowMs: number
}

/** A limiter of tries; names are forgotten when their window has passed, so memory is bounded by the tries within it. */
export interface TryLimit {
  /** Counts one try. @returns milliseconds to wait: 0 when the try is allowed. */
  take(name: string, nowMs: number): number
  /** Forgets the tries of a name, after a success. */
  clear(name: string): void
}

/** Most names kept; the oldest make room, so that made-up names cannot fill the memory. */
const NAMES_MAX = 20_000

/** Counts tries in a sliding window; the clock is the caller's. */
export function createTryLimit({ tries, windowMs }: TryRule): TryLimit {
  const taken = new Map<string, number[]>()
  return {
    take(name, nowMs) {
      const recent = (taken.get(name) ?? []).filter((at) => at > nowMs - windowMs)
      if (recent.length >= tries) {
        taken.set(name, recent)
        return recent[0]! + windowMs - nowMs
      }
      taken.delete(name) // set again below: the map keeps the order of use
      taken.set(name, [...recent, nowMs])
      for (const oldest of taken.keys()) {
        if (taken.size <= NAMES_MAX) break
        taken.delete(oldest)
      }
      return 0
    },
    clear: (name) => void taken.delete(name),
  }
}
