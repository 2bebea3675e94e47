/**
 * Where the values of some members of an object begin, of equal keys the last, and where the object ends: at the end of the input when it has
 * no end. Nothing is built, so neither depth nor size matters.
 */
export function membersOf(
  bytes: Buffer,
  open: number,
  names: readonly string[],
): { members: Map<string, number>; end: number } {
  const members = new Map<string, number>()
  let depth = 0
  let i = open
  while (i < bytes.length) {
    const c = bytes[i]!
    if (c === 0x22) {
      const end = stringEnd(bytes, i)
      const colon = skipBlank(bytes, end)
      if (depth === 1 && bytes[colon] === 0x3a) {
        const name = keyOf(bytes.toString('utf8', i, end))
        if (name !== null && names.includes(name)) members.set(name, skipBlank(bytes, colon + 1))
      }
      i = end
      continue
    }
    if (c === 0x7b || c === 0x5b) depth++
    if (c === 0x7d || c === 0x5d) depth--
    i++
    if (depth === 0) break
  }
  return { members, end: i }
}

function stringEnd(bytes: Buffer, open: number): number {
  for (let i = open + 1; i < bytes.length; i++) {
    if (bytes[i] === 0x5c) i++
    else if (bytes[i] === 0x22) return i + 1
  }
  return bytes.length
}

function skipBlank(bytes: Buffer, from: number): number {
  let i = from
  while (bytes[i] === 32 || bytes[i] === 9 || bytes[i] === 10 || bytes[i] === 13) i++
  return i
}

function keyOf(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return null
  }
}
