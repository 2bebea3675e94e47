/**
 * How numbers, times and digests are written. Everything here is pure: the clock and the zone arrive as arguments,
 * so that the server and the browser write the same text.
 */
const grouped = new Intl.NumberFormat('en')

/** `1,117`. */
export const formatCount = (n: number): string => grouped.format(n)

/** `1 call`, `3 calls`; the plural is regular unless it is given. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${formatCount(n)} ${n === 1 ? one : many}`

/** `340 ms`, `4.2 s`, `3 min 05 s`, `2 h 07 min`, `3 d 4 h`: two units at most, never more digits than are of use. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '–'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${pad(seconds % 60)} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h ${pad(minutes % 60)} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** `812 B`, `4.0 KiB`, `61.3 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${formatCount(bytes)} B`
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value.toFixed(1)} ${units[unit]}`
}

/** `just now`, `4 min ago`, `yesterday` is never said: the unit is always a number. */
export function formatRelative(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1000)
  const ahead = seconds < 0
  const s = Math.abs(seconds)
  const say = (n: number, unit: string): string => (ahead ? `in ${n} ${unit}` : `${n} ${unit} ago`)
  if (s < 10) return 'just now'
  if (s < 60) return say(s, 's')
  if (s < 3600) return say(Math.floor(s / 60), 'min')
  if (s < 86_400) return say(Math.floor(s / 3600), 'h')
  if (s < 86_400 * 60) return say(Math.floor(s / 86_400), 'd')
  if (s < 86_400 * 730) return say(Math.floor(s / (86_400 * 30.44)), 'mo')
  return say(Math.floor(s / (86_400 * 365.25)), 'y')
}

/** `2026-01-28 21:46:01 UTC`; with `withMs`, milliseconds too. Copies always carry this form. */
export function formatAbsolute(at: number, withMs = false): string {
  const iso = new Date(at).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, withMs ? 23 : 19)} UTC`
}

/** `21:46:01.244`: time of day, for rows that are under a date. */
export const formatClock = (at: number): string => new Date(at).toISOString().slice(11, 23)

/** The first twelve characters of a digest or id, with a mark that more follow. */
export const shortDigest = (text: string, length = 12): string =>
  text.length > length ? `${text.slice(0, length)}…` : text

/** `$0.42`; small sums keep their digits. */
export const formatCost = (usd: number): string => `$${usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`

/** Keeps head and tail of a long path, which carry its meaning; the mark says that the middle is gone. */
export function shortenMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const tail = Math.ceil((max - 1) * 0.62)
  return `${text.slice(0, max - 1 - tail)}…${text.slice(-tail)}`
}

const pad = (n: number): string => String(n).padStart(2, '0')
