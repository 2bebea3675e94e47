import { redactWith } from '../ingest/redact'
import { mayHoldSecret } from '../ingest/redact-prefilter'
import { loadRules } from '../ingest/redact-rules'
import { lineEnd } from '../patches/bytes'
import type { PatchFlag } from '../patches/flag-catalogue'
import type { ByteRange, PatchSection } from '../patches/patch'
import { hunkLines } from '../patches/read-hunk'

const LISTED_MAX = 20
/** Bytes that are looked through at once: most hold nothing, and one look is quicker than one for each line. */
const WINDOW_BYTES = 64 * 1024

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Lines of hunks in which the rules for secrets find something, or that hold what is known to be one. A mail address is none: authors stand in most files.
 *
 * @param known ranges of the bytes; each of their lines is flagged, wherever it stands
 */
export async function secretFlags(bytes: Uint8Array, sections: readonly PatchSection[], known: readonly ByteRange[] = []): Promise<PatchFlag[]> {
  const flags: PatchFlag[] = knownFlags(bytes, sections, known)
  for (const [file, section] of sections.entries()) {
    let listed = 0
    for (const hunk of section.hunks) {
      if (listed >= LISTED_MAX || !mayHold(bytes, hunk.bodyStart, hunk.end)) continue
      const find = await loadRules()
      for (const line of hunkLines(bytes, hunk)) {
        const text = decoder.decode(bytes.subarray(line.start, line.end))
        if (!mayHoldSecret(text) || !redactWith(find, text).marks.some(({ rule }) => !/mail/.test(rule))) continue
        flags.push({ code: 'content-secret', file, detail: null, lines: { start: line.line, end: line.line } })
        if (++listed >= LISTED_MAX) break
      }
    }
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

/** Windows overlap by more than any secret is long. */
function mayHold(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += WINDOW_BYTES) if (mayHoldSecret(decoder.decode(bytes.subarray(at, Math.min(end, at + WINDOW_BYTES + 4096))))) return true
  return false
}
