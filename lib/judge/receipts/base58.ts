const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * Bytes of a base58 text in Bitcoin's alphabet; null when another character is in it. Its time grows with the square of the length: for keys,
 * whose length the caller has bounded.
 */
export function readBase58(text: string): Uint8Array | null {
  let number = 0n
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter)
    if (digit === -1) return null
    number = number * 58n + BigInt(digit)
  }
  const bytes: number[] = []
  for (; number > 0n; number >>= 8n) bytes.unshift(Number(number & 0xffn))
  // A leading 1 is a zero byte, which the number itself does not show.
  const zeros = /^1*/.exec(text)![0].length
  return Uint8Array.from([...Array<number>(zeros).fill(0), ...bytes])
}

/** The base58 text of bytes, by the same alphabet. */
export function writeBase58(bytes: Uint8Array): string {
  let number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  let text = ''
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)]! + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text
}
