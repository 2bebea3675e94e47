/** A number of seven bits a byte, the lowest first; null when the delta ends in it. */
function readSize(delta: Uint8Array, at: number): { size: number; at: number } | null {
  let size = 0
  for (let shift = 0; at < delta.length && shift < 49; shift += 7) {
    const byte = delta[at++]!
    size += (byte & 127) * 2 ** shift
    if (byte < 128) return { size, at }
  }
  return null
}

/**
 * Applies git's binary delta: commands that copy a part of the old file or bring bytes of their own.
 *
 * @param sizeMax largest file that is made
 * @returns null when it is not a delta of this file
 */
export function applyDelta(base: Uint8Array, delta: Uint8Array, sizeMax: number): Uint8Array | null {
  const stated = readSize(delta, 0)
  const result = stated && readSize(delta, stated.at)
  if (!stated || !result || stated.size !== base.length || result.size > sizeMax) return null
  const whole = new Uint8Array(result.size)
  let [at, to] = [result.at, 0]
  while (at < delta.length) {
    const command = delta[at++]!
    if (command === 0) return null
    if (command < 128) {
      if (at + command > delta.length || to + command > whole.length) return null
      whole.set(delta.subarray(at, at + command), to)
      at += command
      to += command
      continue
    }
    let [offset, size] = [0, 0]
    for (let i = 0; i < 4; i++) if (command & (1 << i)) offset += (delta[at++] ?? 0) * 2 ** (8 * i)
    for (let i = 0; i < 3; i++) if (command & (16 << i)) size += (delta[at++] ?? 0) * 2 ** (8 * i)
    if (size === 0) size = 0x10000
    if (at > delta.length || offset + size > base.length || to + size > whole.length) return null
    whole.set(base.subarray(offset, offset + size), to)
    to += size
  }
  return to === whole.length ? whole : null
}
