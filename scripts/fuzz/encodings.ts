import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'

/** A body as it goes over the wire, and what its header says. */
export interface Encoded {
  bytes: Uint8Array
  /** Value of `Content-Encoding`; null: none. */
  encoding: string | null
}

const MIB = 1024 * 1024

let bombs: Encoded[] | null = null

/** Small bodies that grow: far beyond the ratio, and just within it. Made once. */
export function bombsOf(): Encoded[] {
  bombs ??= [
    { encoding: 'gzip', bytes: gzipSync(Buffer.alloc(64 * MIB)) },
    { encoding: 'br', bytes: brotliCompressSync(Buffer.alloc(32 * MIB)) },
    { encoding: 'deflate', bytes: deflateSync(Buffer.alloc(32 * MIB, '{}\n')) },
    // One in another: what is inside must not be undone.
    { encoding: 'gzip', bytes: gzipSync(gzipSync(Buffer.alloc(64 * MIB))) },
  ]
  return bombs
}

const torn = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, Math.max(1, Math.floor(bytes.length * 0.6)))

const WAYS: ((bytes: Uint8Array) => Encoded)[] = [
  (bytes) => ({ bytes: gzipSync(bytes), encoding: 'gzip' }),
  (bytes) => ({ bytes: deflateSync(bytes), encoding: 'deflate' }),
  (bytes) => ({ bytes: brotliCompressSync(bytes), encoding: 'br' }),
  (bytes) => ({ bytes: torn(gzipSync(bytes)), encoding: 'gzip' }),
  (bytes) => ({ bytes: torn(brotliCompressSync(bytes)), encoding: 'br' }),
  (bytes) => ({ bytes: Buffer.concat([gzipSync(bytes), Buffer.from('behind the end')]), encoding: 'gzip' }),
  (bytes) => ({ bytes: Buffer.concat([gzipSync(bytes), gzipSync(bytes)]), encoding: 'gzip' }),
  (bytes) => ({ bytes, encoding: 'gzip' }),
  (bytes) => ({ bytes, encoding: 'br' }),
  (bytes) => ({ bytes: gzipSync(gzipSync(bytes)), encoding: 'gzip, gzip' }),
  (bytes) => ({ bytes, encoding: 'identity' }),
  (bytes) => ({ bytes, encoding: 'zstd' }),
]

const BOMB = WAYS.length

/** Mostly plain; sometimes encoded, torn, mislabelled, and rarely a bomb. */
export const encodedBody = (body: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Encoded> =>
  fc
    .tuple(
      body,
      fc.oneof(
        { weight: 30, arbitrary: fc.constant(-1) },
        { weight: 10, arbitrary: fc.integer({ min: 0, max: BOMB - 1 }) },
        { weight: 1, arbitrary: fc.constant(BOMB) },
      ),
      fc.nat({ max: 3 }),
    )
    .map(([bytes, way, bomb]) => {
      if (way === -1) return { bytes, encoding: null }
      return way === BOMB ? bombsOf()[bomb]! : WAYS[way]!(bytes)
    })
