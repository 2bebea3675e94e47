import { LF } from '@/lib/judge/patches/bytes'
import { inflate } from '@/lib/judge/patches/inflate'
import { packedBytes } from '@/lib/judge/patches/read-binary'
import type { BinaryPayload } from '@/lib/judge/patches/patch'

/** What a payload holds; null when it is damaged. @param payload of this patch, as the reader found it */
export function payloadBytes(bytes: Uint8Array, payload: BinaryPayload): Uint8Array | null {
  const found = packedBytes(bytes, bytes.indexOf(LF, payload.start) + 1)
  if ('kind' in found) return null
  const whole = new Uint8Array(payload.size)
  let length = 0
  const ended = inflate(found.packed, payload.size, (piece) => {
    whole.set(piece, length)
    length += piece.length
  })
  return ended ? whole : null
}
