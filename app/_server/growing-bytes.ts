/** Bytes by which the memory behind grows at a time: small at first, for most bodies are. */
const FIRST_STEP = 64 * 1024
const STEP = 1024 * 1024

/**
 * Bytes that are added at the end, held once however many there will be: the memory behind them grows in place, so there is neither a list of
 * pieces nor a second copy. What is dropped goes back to the system at once and does not wait for the collector.
 */
export interface GrowingBytes {
  readonly length: number
  /** Memory that is held by now; grows in steps. */
  readonly capacity: number
  /** Capacity after this many more bytes. */
  capacityWith(more: number): number
  push(piece: Uint8Array): void
  /** Everything so far; valid until the next `push`. */
  view(): Uint8Array
  /** Everything, in memory of exactly that size. Only large ones keep memory of the kind that can grow, which some interfaces of the web refuse. */
  finish(): Uint8Array<ArrayBuffer>
  drop(): void
}

// ES2024, in Node since 20; the lib of TypeScript that has it brings everything else of that year.
interface Resizable extends ArrayBuffer {
  resize(bytes: number): void
}
const Resizable = ArrayBuffer as unknown as new (
  bytes: number,
  options: { maxByteLength: number },
) => Resizable

/** @param max bytes that there can be at most; only address space is set aside for them */
export function growingBytes(max: number): GrowingBytes {
  const buffer = new Resizable(0, { maxByteLength: max })
  let length = 0
  const capacityWith = (more: number): number => {
    const needed = length + more
    if (needed <= buffer.byteLength) return buffer.byteLength
    const step = needed <= FIRST_STEP ? FIRST_STEP : STEP
    return Math.min(max, Math.ceil(needed / step) * step)
  }
  return {
    get length() {
      return length
    },
    get capacity() {
      return buffer.byteLength
    },
    capacityWith,
    push(piece) {
      const capacity = capacityWith(piece.length)
      if (capacity !== buffer.byteLength) buffer.resize(capacity)
      new Uint8Array(buffer, length, piece.length).set(piece)
      length += piece.length
    },
    view: () => new Uint8Array(buffer, 0, length),
    finish() {
      if (length <= STEP) {
        const copy = new Uint8Array(buffer.slice(0, length))
        buffer.resize(0)
        return copy
      }
      buffer.resize(length)
      return new Uint8Array(buffer)
    },
    drop() {
      length = 0
      buffer.resize(0)
    },
  }
}
