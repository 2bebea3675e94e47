/** Characters of a pattern: it is in an index, which takes no more than about 2,700 bytes. */
const CHARS_MAX = 300

/**
 * A pointer with each index of a list as `*`, so that the same loss in every row is one place. What is longer than fits ends with `/…` behind the
 * last key that fits whole.
 */
export function pathPattern(pointer: string): string {
  let pattern = ''
  for (const token of pointer.split('/').slice(1)) {
    const next = `${pattern}/${/^(0|[1-9]\d*)$/.test(token) ? '*' : token}`
    if (next.length > CHARS_MAX - 2) return `${pattern}/…`
    pattern = next
  }
  return pattern
}
