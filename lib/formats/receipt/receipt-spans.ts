import { rangeOf } from '../claude/span'
import { hasMoreValues, isTooDeep } from '../../text/json-depth'
import { elementSpans, type ByteSpan } from '../../bytes/json-spans'
import { recordSpans } from '../../bytes/record-spans'
import { limits } from '../../limits'

/**
 * The receipts of a body by their bytes: lines, elements of a list, objects spread over lines, and the list of an export (`{"receipts": […]}`).
 */
export function* receiptSpans(bytes: Uint8Array): Generator<ByteSpan, void, undefined> {
  const spans = [...recordSpans(bytes, true)]
  const list = spans.length === 1 ? listOf(bytes.subarray(spans[0]!.start, spans[0]!.end)) : null
  // With its line end: a line that has none may be torn.
  if (list === null) for (const { start, end } of spans) yield { start, end: end + lineEndAt(bytes, end) }
  else for (const { start, end } of list) yield { start: spans[0]!.start + start, end: spans[0]!.start + end }
}

const lineEndAt = (bytes: Uint8Array, at: number): number =>
  bytes[at] === LF ? 1 : bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0
const LF = 0x0a,
  CR = 0x0d

function listOf(bytes: Uint8Array): ByteSpan[] | null {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!/"receipts"\s*:\s*\[/.test(text) || isTooDeep(text, limits.jsonDepthMax)) return null
    if (hasMoreValues(text, limits.recordValuesMax)) return null
    JSON.parse(text)
  } catch {
    return null
  }
  const range = rangeOf(text, ['receipts'])
  if (range === null || text[range.start] !== '[' || rangeOf(text, ['credentialSubject']) !== null)
    return null
  const before = new TextEncoder().encode(text.slice(0, range.start)).length
  return elementSpans(bytes, before)?.spans ?? null
}
