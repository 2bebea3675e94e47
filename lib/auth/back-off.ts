/** How attempts under one name are slowed down. */
export interface BackOffRule {
  /** Attempts that need no wait; afterwards each has to wait, twice as long as the one before. */
  free: number
  firstDelayMs: number
  /** Longest wait, and the time in which one attempt is forgotten. */
  maxDelayMs: number
  /** Most names kept; the one that was used least lately goes, so that made-up names cannot fill the memory. */
  namesMax: number
}

/** Slows attempts down and never locks a name: the wait depends on attempts that were made, not on those that were refused. */
export interface BackOff {
  /**
   * @param extra attempts to add to those that were counted, for a stricter answer
   * @returns milliseconds until the next attempt under this name, at most `maxDelayMs`; 0: now
   */
  wait(name: string, nowMs: number, extra?: number): number
  /** Counts an attempt. */
  count(name: string, nowMs: number): void
  /** Takes back one attempt that turned out to be none. */
  uncount(name: string): void
  /** Forgets all attempts under a name. */
  clear(name: string): void
  /** Whether more attempts than the free ones are remembered. */
  isOver(name: string, nowMs: number): boolean
  /** Names that are kept. */
  size(): number
}

/** Attempts that are remembered, and when the last one was made. */
interface Count {
  level: number
  atMs: number
}

/** A back-off by name that leaks: one attempt is forgotten in each `maxDelayMs`. The clock is the caller's. */
export function createBackOff({ free, firstDelayMs, maxDelayMs, namesMax }: BackOffRule): BackOff {
  const counts = new Map<string, Count>()
  /** Beyond this the wait grows no more; so it is also forgotten within a bounded time. */
  const levelMax = free + Math.ceil(Math.log2(maxDelayMs / firstDelayMs))
  const delayAfter = (attempts: number): number =>
    attempts < free ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - free))
  const passedMs = (count: Count, nowMs: number): number => {
    count.atMs = Math.min(count.atMs, nowMs) // a clock that was set back makes nobody wait longer
    return nowMs - count.atMs
  }
  /** Forgetting begins when the wait is over; otherwise a long wait would shorten the next one. */
  const levelAt = (count: Count | undefined, nowMs: number): number => {
    if (!count) return 0
    const idleMs = Math.max(0, passedMs(count, nowMs) - delayAfter(Math.ceil(count.level)))
    return Math.max(0, count.level - idleMs / maxDelayMs)
  }
  return {
    wait(name, nowMs, extra = 0) {
      const count = counts.get(name)
      if (!count || count.level <= 0) return 0
      return Math.max(0, delayAfter(Math.ceil(count.level) + extra) - passedMs(count, nowMs))
    },
    count(name, nowMs) {
      const level = Math.min(levelMax, levelAt(counts.get(name), nowMs) + 1)
      counts.delete(name) // set again below: the map keeps the order of use
      counts.set(name, { level, atMs: nowMs })
      for (const oldest of counts.keys()) {
        if (counts.size <= namesMax) break
        counts.delete(oldest)
      }
    },
    uncount(name) {
      const count = counts.get(name)
      if (!count) return
      if (count.level <= 1) counts.delete(name)
      else count.level -= 1
    },
    clear: (name) => void counts.delete(name),
    isOver: (name, nowMs) => levelAt(counts.get(name), nowMs) > free,
    size: () => counts.size,
  }
}
