import { limits } from '../limits'

/**
 * Milliseconds until a connection is asked again: its interval after a success; after failures twice as long each time, up to a limit, and a
 * part of that by chance, so that many connections to one server do not come back together.
 *
 * @param random from 0 to 1, of which 1 itself is not one
 * @param retryAfterMs what the server asked for; never less than that, within a day
 */
export function nextPollMs({
  intervalSeconds,
  failures,
  retryAfterMs = 0,
  random,
}: {
  intervalSeconds: number
  failures: number
  retryAfterMs?: number
  random: number
}): number {
  const intervalMs = intervalSeconds * 1000
  if (failures === 0) return intervalMs
  const most = Math.max(intervalMs, limits.pollBackOffSecondsMax * 1000)
  const doubled = Math.min(most, intervalMs * 2 ** Math.min(failures, 30))
  return Math.max(Math.min(retryAfterMs, DAY_MS), Math.round(doubled * (0.5 + random / 2)))
}

const DAY_MS = 86_400_000
