/** A stretch of a long text. Findings count only between `from` and `until`: at the edges the neighbour sees them whole. */
export interface Window {
  start: number
  text: string
  from: number
  until: number
}

const SIZE = 256 * 1024
/** Longer than the longest secret (a private key, 20,000 characters, escaped more than once). */
const OVERLAP = 96 * 1024
const EDGE = 2 * 1024

/**
 * Cuts a long text into overlapping stretches, so that undoing the escapes of a line of 60 MB needs no maps of its length. No cut goes
 * through an escape.
 */
export function* windowsOf(text: string): Generator<Window, void, undefined> {
  for (let start = 0; ; ) {
    const last = start + SIZE + OVERLAP >= text.length
    const end = last ? text.length : cutBefore(text, start + SIZE)
    yield {
      start,
      text: start === 0 && last ? text : text.slice(start, end),
      from: start === 0 ? 0 : EDGE,
      until: last ? end - start : end - start - EDGE,
    }
    if (last) return
    start = cutBefore(text, end - OVERLAP)
  }
}

/** The last place at or before `at` where no escape is open. */
function cutBefore(text: string, at: number): number {
  let cut = at
  if (text.charCodeAt(cut) >= 0xdc00 && text.charCodeAt(cut) <= 0xdfff) cut--
  const slash = text.lastIndexOf('\\', cut - 1)
  if (slash === -1 || slash < cut - 6) return cut
  let run = slash
  while (run > 0 && text.charCodeAt(run - 1) === 0x5c) run--
  // Backslashes pair up from the front of their run; a single one left over opens an escape of up to six characters.
  return (slash - run) % 2 === 0 ? slash : slash + 1
}

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
 * The readings of what is between the quotes of a JSON string: decoded once, and again for as long as that still holds escapes,
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
