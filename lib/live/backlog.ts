/** One message, with its place in the order. */
export interface BacklogEntry<T> {
  serial: number
  atMs: number
  what: T
}

/**
 * The last messages, so that a reader who was away for a moment, or whose page was made a moment before it
 * connected, hears exactly what it missed.
 */
export interface Backlog<T> {
  tell(what: T, nowMs: number): BacklogEntry<T>
  /** Every message since; null if that may reach back further than the backlog does. */
  sinceTime(fromMs: number): BacklogEntry<T>[] | null
  sinceSerial(serial: number): BacklogEntry<T>[] | null
  /** Serial of the last message; 0 without one. */
  last(): number
}

/**
 * @param startMs when listening began: before that nothing was heard
 * @param max how many are kept
 */
export function createBacklog<T>(startMs: number, max: number): Backlog<T> {
  const kept: BacklogEntry<T>[] = []
  let serial = 0
  /** No message after this moment, or after this serial, has been dropped. */
  let wholeFromMs = startMs
  let forgotten = 0
  return {
    tell(what, nowMs) {
      serial += 1
      const entry = { serial, atMs: nowMs, what }
      kept.push(entry)
      if (kept.length > max) {
        const oldest = kept.shift()!
        forgotten = oldest.serial
        wholeFromMs = oldest.atMs + 1
      }
      return entry
    },
    sinceTime: (fromMs) => (fromMs < wholeFromMs ? null : kept.filter((entry) => entry.atMs >= fromMs)),
    sinceSerial: (last) =>
      last < forgotten || last > serial ? null : kept.filter((entry) => entry.serial > last),
    last: () => serial,
  }
}
