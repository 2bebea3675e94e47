import { redactWith } from '../ingest/redact'
import { mayHoldSecret } from '../ingest/redact-prefilter'
import { loadRules } from '../ingest/redact-rules'
import type { PatchFlag } from '../patches/flag-catalogue'
import type { PatchSection } from '../patches/patch'
import { hunkLines } from '../patches/read-hunk'

const LISTED_MAX = 20
/** Bytes that are looked through at once: most hold nothing, and one look is quicker than one for each line. */
const WINDOW_BYTES = 64 * 1024

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Lines of hunks in which the rules for secrets find something. A mail address is none: authors stand in most files. */
export async function secretFlags(bytes: Uint8Array, sections: readonly PatchSection[]): Promise<PatchFlag[]> {
  const flags: PatchFlag[] = []
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

/** Windows overlap by more than any secret is long. */
function mayHold(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += WINDOW_BYTES) if (mayHoldSecret(decoder.decode(bytes.subarray(at, Math.min(end, at + WINDOW_BYTES + 4096))))) return true
  return false
}
