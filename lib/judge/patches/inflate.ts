/** zlib (RFC 1950) and deflate (RFC 1951) with a bound: a payload that swells never takes more memory than its window. */

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
]
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
]
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const WINDOW = 32768

/** `entries[next bits] = symbol * 16 + code length`, 0 where no code begins so. */
interface Codes {
  entries: Int32Array
  bits: number
}

/** Codes for the given lengths; null when they are more than there can be, or fewer and `mayLack` does not allow it. */
function codesOf(lengths: Uint8Array, mayLack: boolean): Codes | null {
  const counts = new Array<number>(16).fill(0)
  for (const length of lengths) counts[length]!++
  counts[0] = 0
  let bits = 15
  while (bits > 0 && counts[bits] === 0) bits--
  let left = 1
  for (let length = 1; length <= 15; length++) {
    left = left * 2 - counts[length]!
    if (left < 0) return null
  }
  // zlib takes an incomplete set only when it is a single code of one bit, or none at all.
  if (left > 0 && !(mayLack && bits <= 1)) return null
  const starts = new Array<number>(17).fill(0)
  for (let length = 1; length <= 15; length++) starts[length + 1] = (starts[length]! + counts[length]!) * 2
  const entries = new Int32Array(2 ** bits)
  lengths.forEach((length, symbol) => {
    if (length === 0) return
    const code = starts[length]!++
    let reversed = 0
    for (let i = 0; i < length; i++) reversed |= ((code >> i) & 1) << (length - 1 - i)
    for (let at = reversed; at < entries.length; at += 2 ** length) entries[at] = symbol * 16 + length
  })
  return { entries, bits }
}

const fixedLengths = Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))
const FIXED_LITERALS = codesOf(fixedLengths, false)!
const FIXED_DISTANCES = codesOf(new Uint8Array(32).fill(5), false)!

/** Copies what is `distance` bytes before; the ranges may overlap, which repeats it. */
function copyBack(out: Uint8Array, from: number, until: number, distance: number): void {
  for (let to = from; to < until; to++) out[to] = out[to - distance]!
}

/** The two halves of the checksum (Adler-32) after further bytes. */
function adler(piece: Uint8Array, a: number, b: number): [number, number] {
  for (let i = 0; i < piece.length; ) {
    // So many sums fit into 32 bits before the remainder must be taken.
    const until = Math.min(i + 3800, piece.length)
    for (; i < until; i++) {
      a += piece[i]!
      b += a
    }
    a %= 65521
    b %= 65521
  }
  return [a, b]
}

class Damaged extends Error {}

/**
 * Inflates a zlib stream and hands on what comes out, piece by piece; a piece is valid only during the call.
 *
 * @param size bytes that must come out: not one more is made
 * @returns whether the stream is whole, has exactly that size and its checksum; bytes after its end do not matter, as they do not for git
 */
export function inflate(data: Uint8Array, size: number, onPiece: (piece: Uint8Array) => void): boolean {
  const [method, flags] = [data[0] ?? 0, data[1] ?? 0]
  if (
    data.length < 2 ||
    (method & 15) !== 8 ||
    method >> 4 > 7 ||
    (method * 256 + flags) % 31 !== 0 ||
    (flags & 32) !== 0
  )
    return false
  const stream = deflateStream(data, size, onPiece)
  try {
    while (!stream.block()) continue
    return stream.ends()
  } catch (error) {
    if (error instanceof Damaged) return false
    throw error
  }
}

function deflateStream(data: Uint8Array, size: number, onPiece: (piece: Uint8Array) => void) {
  // Twice the window: the first half is what was handed on, the second what is being made.
  const out = new Uint8Array(WINDOW * 2)
  let [at, held, heldBits, to, total, sumA, sumB] = [2, 0, 0, WINDOW, 0, 1, 0]

  const need = (bits: number): void => {
    while (heldBits < bits) {
      if (at >= data.length) throw new Damaged()
      held |= data[at++]! << heldBits
      heldBits += 8
    }
  }
  const take = (bits: number): number => {
    if (bits === 0) return 0
    need(bits)
    const value = held & ((1 << bits) - 1)
    held >>>= bits
    heldBits -= bits
    return value
  }
  const symbol = ({ entries, bits }: Codes): number => {
    // The last code of a stream may be shorter than the longest one.
    while (heldBits < bits && at < data.length) {
      held |= data[at++]! << heldBits
      heldBits += 8
    }
    const entry = entries[held & (2 ** bits - 1)]!
    const length = entry & 15
    if (length === 0 || length > heldBits) throw new Damaged()
    held >>>= length
    heldBits -= length
    return entry >> 4
  }
  const flush = (): void => {
    const piece = out.subarray(WINDOW, to)
    ;[sumA, sumB] = adler(piece, sumA, sumB)
    if (piece.length > 0) onPiece(piece)
    out.copyWithin(0, to - WINDOW, to)
    to = WINDOW
  }
  const put = (byte: number): void => {
    if (++total > size) throw new Damaged()
    out[to++] = byte
    if (to === out.length) flush()
  }
  const compressed = (literals: Codes, distances: Codes): void => {
    for (;;) {
      const code = symbol(literals)
      if (code === 256) return
      if (code < 256) {
        put(code)
        continue
      }
      const base = LENGTH_BASE[code - 257]
      if (base === undefined) throw new Damaged()
      let length = base + take(LENGTH_BITS[code - 257]!)
      const place = symbol(distances)
      const distanceBase = DISTANCE_BASE[place]
      if (distanceBase === undefined) throw new Damaged()
      const distance = distanceBase + take(place < 4 ? 0 : (place >> 1) - 1)
      if (distance > total || total + length > size) throw new Damaged()
      total += length
      while (length > 0) {
        const until = Math.min(to + length, out.length)
        length -= until - to
        copyBack(out, to, until, distance)
        to = until
        if (to === out.length) flush()
      }
    }
  }
  const stored = (): void => {
    take(heldBits & 7)
    const length = take(16)
    if (length !== (take(16) ^ 0xffff)) throw new Damaged()
    for (let i = 0; i < length; i++) put(take(8))
  }
  const dynamic = (): void => {
    const [literalCount, distanceCount, codeCount] = [take(5) + 257, take(5) + 1, take(4) + 4]
    if (literalCount > 286 || distanceCount > 30) throw new Damaged()
    const codeLengths = new Uint8Array(19)
    for (let i = 0; i < codeCount; i++) codeLengths[CODE_ORDER[i]!] = take(3)
    const codes = codesOf(codeLengths, false)
    if (codes === null) throw new Damaged()
    const lengths = new Uint8Array(literalCount + distanceCount)
    for (let i = 0; i < lengths.length; ) {
      const code = symbol(codes)
      if (code < 16) {
        lengths[i++] = code
        continue
      }
      if (code === 16 && i === 0) throw new Damaged()
      const value = code === 16 ? lengths[i - 1]! : 0
      const times = code === 16 ? 3 + take(2) : code === 17 ? 3 + take(3) : 11 + take(7)
      if (i + times > lengths.length) throw new Damaged()
      lengths.fill(value, i, i + times)
      i += times
    }
    const literals = lengths[256] === 0 ? null : codesOf(lengths.subarray(0, literalCount), true)
    const distances = codesOf(lengths.subarray(literalCount), true)
    if (literals === null || distances === null) throw new Damaged()
    compressed(literals, distances)
  }
  return {
    /** Reads a block. @returns whether it was the last one */
    block(): boolean {
      const last = take(1) === 1
      const kind = take(2)
      if (kind === 0) stored()
      else if (kind === 1) compressed(FIXED_LITERALS, FIXED_DISTANCES)
      else if (kind === 2) dynamic()
      else throw new Damaged()
      return last
    },
    /** Whether size and checksum are right. */
    ends(): boolean {
      flush()
      take(heldBits & 7)
      let sum = 0
      for (let i = 0; i < 4; i++) sum = sum * 256 + take(8)
      return total === size && sum === sumB * 65536 + sumA
    },
  }
}
