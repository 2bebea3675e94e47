import { redactWith } from '../ingest/redact'
import { mayHoldCredential } from '../ingest/redact-prefilter'
import { loadRules } from '../ingest/redact-rules'
import { lineEnd } from '../patches/bytes'
import type { PatchFlag } from '../patches/flag-catalogue'
import type { ByteRange, PatchSection } from '../patches/patch'

/** Of each file, and of what belongs to none. */
const LISTED_MAX = 20
/** Bytes that are looked through at once: most hold nothing, and one look is quicker than one for each line. */
const WINDOW_BYTES = 64 * 1024

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const textOf = (bytes: Uint8Array, start: number, end: number): string => decoder.decode(bytes.subarray(start, end))

/**
 * Lines in which the rules for secrets find something: those of hunks, and all others too, because a message around the patch and a patch that git
 * refuses are shown and downloaded like any other. A mail address is none: authors stand in most files.
 *
 * @param known ranges that hold what is known to be one; their lines are flagged, wherever they stand
 */
export async function secretFlags(bytes: Uint8Array, sections: readonly PatchSection[], known: readonly ByteRange[] = []): Promise<PatchFlag[]> {
  const flags: PatchFlag[] = knownFlags(bytes, sections, known)
  const listed = new Map<number | null, number>()
  const isKnown = (line: number): boolean => known.length > 0 && flags.slice(0, known.length).some(({ lines }) => lines!.start <= line && line <= lines!.end)
  let line = 1
  for (let start = 0; start < bytes.length; ) {
    const end = lineEnd(bytes, Math.min(start + WINDOW_BYTES, bytes.length - 1))
    const find = mayHoldCredential(textOf(bytes, start, end)) ? await loadRules() : null
    for (let at = start; at < end; line++) {
      const next = lineEnd(bytes, at)
      if (find !== null && !isKnown(line) && holdsSecret(find, textOf(bytes, at, next))) {
        const file = fileAt(sections, at)
        const before = listed.get(file) ?? 0
        if (before < LISTED_MAX) flags.push({ code: 'content-secret', file, detail: null, lines: { start: line, end: line } })
        listed.set(file, before + 1)
      }
      at = next
    }
    start = end
  }
  return flags
}

function knownFlags(bytes: Uint8Array, sections: readonly PatchSection[], known: readonly ByteRange[]): PatchFlag[] {
  let [at, line] = [0, 1]
  /** Number of the line that holds a byte; asked for in order. */
  const lineOf = (byte: number): number => {
    for (let next = lineEnd(bytes, at); next <= byte && next < bytes.length; next = lineEnd(bytes, at)) {
      at = next
      line++
    }
    return line
  }
  return known.toSorted((a, b) => a.start - b.start).map(({ start, end }) => {
    const file = sections.findLastIndex((section) => section.start <= start)
    const first = lineOf(start)
    return { code: 'content-secret', file: file === -1 ? null : file, detail: null, lines: { start: first, end: Math.max(first, lineOf(end - 1)) } }
  })
}

const holdsSecret = (find: Parameters<typeof redactWith>[0], text: string): boolean =>
  mayHoldCredential(text) && redactWith(find, text).marks.some(({ rule }) => !/mail/.test(rule))

function fileAt(sections: readonly PatchSection[], byte: number): number | null {
  let [low, high] = [0, sections.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (sections[middle]!.start <= byte) low = middle
    else high = middle - 1
  }
  const section = sections[low]
  return section && section.start <= byte && byte < section.end ? low : null
}
