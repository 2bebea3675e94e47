/** A reading of a text with a way back: offsets in `text` → offsets in what it was read from. */
export interface Layer {
  text: string
  toRaw: (offset: number) => number
}

/** How often escapes are undone at most: a file inside a result inside a progress record is escaped three times. */
const LAYERS_MAX = 4

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g
const short: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * The readings of what stands between the quotes of a JSON string: decoded once, and again for as long as that still holds escapes,
 * since transcripts hold JSON in strings. An escape is one unit of the way back, so that no range can cut one.
 */
export function* layersOf(raw: string): Generator<Layer, void, undefined> {
  let layer: Layer = { text: raw, toRaw: (offset) => offset }
  for (let n = 0; n < LAYERS_MAX; n++) {
    layer = undoEscapes(layer)
    yield layer
    if (!layer.text.includes('\\')) return
  }
}

/** Undoes the JSON escapes of a text; a backslash that starts none stays. */
export function undoEscapes(layer: Layer): Layer {
  if (!layer.text.includes('\\')) return layer
  const parts: string[] = []
  const readAt: number[] = [0]
  const rawAt: number[] = [0]
  let length = 0
  let done = 0
  for (const found of layer.text.matchAll(ESCAPE)) {
    const char = unitOf(found)
    if (char === null) continue
    parts.push(layer.text.slice(done, found.index), char)
    length += found.index - done + 1
    done = found.index + found[0].length
    readAt.push(length)
    rawAt.push(done)
  }
  parts.push(layer.text.slice(done))
  return {
    text: parts.join(''),
    toRaw: (offset) => {
      const i = lastAtMost(readAt, offset)
      return layer.toRaw(rawAt[i]! + offset - readAt[i]!)
    },
  }
}

function unitOf(found: RegExpExecArray): string | null {
  if (found[1] !== undefined) return String.fromCharCode(parseInt(found[1], 16))
  const letter = found[2]!
  if (letter === '"' || letter === '\\' || letter === '/') return letter
  return short[letter] ?? null
}

function lastAtMost(sorted: number[], value: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (sorted[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}
