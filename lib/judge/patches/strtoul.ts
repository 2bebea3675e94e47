/** A number as C reads it, and the place after its last digit. */
interface ReadNumber {
  value: bigint
  end: number
}

const ULONG = 1n << 64n

/**
 * Reads a number as C's `strtoul` does on 64 bits: white space of any kind in front, line ends too, then a sign. What is too large is
 * the largest there is, and a minus counts from behind. Null where no digit stands.
 */
export function strtoul(bytes: Uint8Array, at: number, radix: 8 | 10): ReadNumber | null {
  while (bytes[at] === 0x20 || (bytes[at]! >= 0x09 && bytes[at]! <= 0x0d)) at++
  const minus = bytes[at] === 0x2d
  if (minus || bytes[at] === 0x2b) at++
  const first = at
  while (bytes[at]! >= 0x30 && bytes[at]! < 0x30 + radix) at++
  if (at === first) return null
  let start = first
  while (start < at - 1 && bytes[start] === 0x30) start++
  // More digits than this are too large whatever they are.
  const text = at - start > 22 ? null : String.fromCharCode(...bytes.subarray(start, at))
  const size = text === null ? ULONG : BigInt(radix === 8 ? `0o${text}` : text)
  return { value: size >= ULONG ? ULONG - 1n : minus ? BigInt.asUintN(64, -size) : size, end: at }
}
