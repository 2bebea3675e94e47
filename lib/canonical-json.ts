/**
 * JSON with one spelling for equal values (RFC 8785): keys in the order of their UTF-16 units, no blanks, numbers and strings as
 * `JSON.stringify` spells them. What JSON cannot say (functions, undefined) is left out as `JSON.stringify` does.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const object = value as Record<string, unknown>
    const keys = Object.keys(object).filter((key) => object[key] !== undefined && typeof object[key] !== 'function')
    // The default order of `sort` is that of UTF-16 units.
    return `{${keys.sort().map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
