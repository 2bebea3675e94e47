/** Why a value has no canonical form. `depth`: it nests deeper than was asked for. */
export type NotCanonicalWhy = 'number' | 'surrogate' | 'depth'

export class NotCanonical extends Error {
  constructor(readonly why: NotCanonicalWhy) {
    super(`no canonical JSON: ${why}`)
  }
}

/**
 * JSON with one spelling for equal values (RFC 8785): keys in the order of their UTF-16 units, no blanks, numbers and strings as
 * `JSON.stringify` spells them. What JSON cannot say (functions, undefined) is left out as `JSON.stringify` does.
 *
 * @param depthMax levels of objects and arrays that are written
 * @throws NotCanonical for Infinity and NaN, for half of a surrogate pair (which libraries spell differently), and below `depthMax`
 * @see docs/decisions/0012-canonical-json.md
 */
export function canonicalJson(value: unknown, depthMax = 512): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return finite(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (depthMax === 0) throw new NotCanonical('depth')
  // Pieces are joined by hand: it is the inner loop of verifying a chain.
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonicalJson(item, depthMax - 1)}`
    return `[${text}]`
  }
  const object = value as Record<string, unknown>
  // The default order of `sort` is that of UTF-16 units.
  for (const key of Object.keys(object).sort()) {
    const member = object[key]
    if (member === undefined || typeof member === 'function') continue
    text += `${text === '' ? '' : ','}${quoted(key)}:${canonicalJson(member, depthMax - 1)}`
  }
  return `{${text}}`
}

/** What a text may hold that is not spelled as it is. Looking for it takes half the time of `JSON.stringify`. */
const NOT_PLAIN = /["\\\u0000-\u001f\ud800-\udfff]/

function quoted(text: string): string {
  if (!NOT_PLAIN.test(text)) return `"${text}"`
  if (!text.isWellFormed()) throw new NotCanonical('surrogate')
  return JSON.stringify(text)
}

function finite(number: number): string {
  if (!Number.isFinite(number)) throw new NotCanonical('number')
  return String(number)
}
