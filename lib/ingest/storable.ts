const unstorable = /\u0000|\p{Surrogate}/u
const lone = /\p{Surrogate}/gu

/**
 * Text that Postgres can keep as `text` and in `jsonb`: NUL becomes `␀`, a lone surrogate `\uFFFD`.
 * What was there stays readable in the kept bytes.
 */
export function storable(text: string): string {
  return unstorable.test(text) ? text.replaceAll('\u0000', '\u2400').replace(lone, '\ufffd') : text
}

/** The same for every string of a plain value, keys included; what needs no change is handed back as it is. */
export function storableDeep<T>(value: T): T {
  return walk(value) as T
}

function walk(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const next = value.map(walk)
    return next.some((v, i) => v !== value[i]) ? next : value
  }
  let changed = false
  const entries = Object.entries(value).map(([key, v]): [string, unknown] => {
    const entry: [string, unknown] = [storable(key), walk(v)]
    changed ||= entry[0] !== key || entry[1] !== v
    return entry
  })
  return changed ? Object.fromEntries(entries) : value
}
