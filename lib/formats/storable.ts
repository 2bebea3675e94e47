const lone = /\p{Surrogate}/gu

/** Whether Postgres takes the text as it is. Both questions are answered by the engine itself, far faster than by an expression. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/**
 * Text that Postgres can keep as `text` and in `jsonb`: NUL becomes `␀`, a lone surrogate `\uFFFD`.
 * What was there stays readable in the kept bytes.
 */
export const storable = (text: string): string =>
  isStorable(text) ? text : text.replaceAll('\0', '\u2400').replace(lone, '\ufffd')

/** Properties of records that name something: an id that is stored otherwise than it came may not be found by it. */
const NAMING = /(?:^id|Id|^key|Key|^uuid|Uuid|^identity)$/

/** The first id in a plain value that cannot be stored as it is, by the name of its property; null when there is none. */
export function findUnstorableId(value: unknown, name = ''): string | null {
  if (typeof value === 'string') return NAMING.test(name) && !isStorable(value) ? name : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const found = findUnstorableId(inner, Array.isArray(value) ? name : key)
    if (found !== null) return found
  }
  return null
}

/** The same for every string of a plain value, keys included; what needs no change is handed back as it is. */
export const storableDeep = <T>(value: T): T => (isDeeplyStorable(value) ? value : (made(value) as T))

function isDeeplyStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isDeeplyStorable)
  for (const key of Object.keys(value)) {
    if (!isStorable(key) || !isDeeplyStorable((value as Record<string, unknown>)[key])) return false
  }
  return true
}

function made(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(made)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), made(inner)]))
}
