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
