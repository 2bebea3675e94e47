import { outsideStatementScope } from '../statement-scope'
import { unlessAborted } from './pace'

interface Flight<T> {
  result: Promise<T>
  stop: AbortController
  waiting: number
}

/**
 * Does work once for all who ask for it while it is under way. Whoever does not want to wait any more leaves, and the work ends when nobody is left.
 *
 * @returns called with the key of the work, the work, and the signal of one who waits; throws what that was aborted with
 */
export function sharedWork<T>(): (
  key: string,
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T> {
  const flights = new Map<string, Flight<T>>()
  const forget = (key: string, flight: Flight<T>): void =>
    void (flights.get(key) === flight && flights.delete(key))
  return async (key, work, signal) => {
    signal?.throwIfAborted()
    let flight = flights.get(key)
    if (flight === undefined) {
      const stop = new AbortController()
      flight = { stop, waiting: 0, result: outsideStatementScope(() => work(stop.signal)) }
      flights.set(key, flight)
    }
    flight.waiting++
    try {
      return await unlessAborted(flight.result, signal)
    } finally {
      if (--flight.waiting === 0) {
        forget(key, flight)
        flight.stop.abort()
      }
    }
  }
}
