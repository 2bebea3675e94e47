/** One thing that was told, with its place in the order of telling. */
export interface Told<T> {
  serial: number
  atMs: number
  what: T
}

/**
 * The last things that were told, so that a reader who was away for a moment, or whose page was made a moment before it
 * connected, hears exactly what it missed.
 */
export interface Backlog<T> {
  tell(what: T, nowMs: number): Told<T>
  /** Everything told since; null when that may reach back further than the backlog does. */
  sinceTime(fromMs: number): Told<T>[] | null
  sinceSerial(serial: number): Told<T>[] | null
  /** Serial of the last thing told; 0 when nothing was. */
  last(): number
}

/**
 * @param startMs when listening began: before that nothing was heard
 * @param max how many are kept
 */
export function createBacklog<T>(startMs: number, max: number): Backlog<T> {
  const kept: Told<T>[] = []
  let serial = 0
  /** Nothing told after this moment, or after this serial, has been forgotten. */
  let wholeFromMs = startMs
  let forgotten = 0
  return {
    tell(what, nowMs) {
      serial += 1
      const told = { serial, atMs: nowMs, what }
      kept.push(told)
      if (kept.length > max) {
        const oldest = kept.shift()!
        forgotten = oldest.serial
        wholeFromMs = oldest.atMs + 1
      }
      return told
    },
    sinceTime: (fromMs) => (fromMs < wholeFromMs ? null : kept.filter((told) => told.atMs >= fromMs)),
    sinceSerial: (last) =>
      last < forgotten || last > serial ? null : kept.filter((told) => told.serial > last),
    last: () => serial,
  }
}
