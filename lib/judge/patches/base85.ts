/** git's base 85 (RFC 1924 order): five characters for four bytes. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'

const VALUES = new Uint8Array(256).fill(255)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

/**
 * Decodes `length` bytes of groups of five that begin at `at`.
 *
 * @param into gets them at `to`; what the last group has beyond `length` is dropped
 * @returns whether all characters are of the alphabet and no group is too large
 */
export function decodeBase85(
  bytes: Uint8Array,
  at: number,
  length: number,
  into: Uint8Array,
  to: number,
): boolean {
  for (let done = 0; done < length; done += 4, at += 5) {
    let value = 0
    for (let i = 0; i < 5; i++) {
      const digit = VALUES[bytes[at + i] ?? 0]!
      if (digit === 255) return false
      value = value * 85 + digit
    }
    if (value > 0xffffffff) return false
    for (let i = 0; i < 4 && done + i < length; i++)
      into[to + done + i] = Math.floor(value / 2 ** (24 - 8 * i)) & 255
  }
  return true
}
