import { rangeOf } from '../claude/span'
import { asObject } from '../claude/wire'
import { elementSpans } from '../../bytes/json-spans'
import { encodeUtf8 } from '../../bytes/kept-bytes'

/** The bytes of a JSON or text file of a run as the element of a bundle holds them; null if it has them in another form. */
export function fileBytes(element: string): Uint8Array | null {
  const record = asObject(JSON.parse(element))
  if (record === null) return null
  // What was no UTF-8 appears as a text of something else.
  if (typeof record['text'] === 'string')
    return 'sha256' in record || 'cutBytes' in record ? null : encodeUtf8(record['text'])
  const range = rangeOf(element, ['json'])
  if (range === null) return null
  const start = element.lastIndexOf('"json":', range.start)
  const behind = /^\s*\}\s*$/.exec(element.slice(range.end))
  if (start === -1 || behind === null) return null
  return encodeUtf8(element.slice(start + '"json":'.length, element.lastIndexOf('}')))
}

/** The lines of a transcript, each as it was in its file; null where it is none. */
export function transcriptBytes(element: string): Uint8Array | null {
  const range = rangeOf(element, ['lines'])
  if (range === null) return null
  const bytes = encodeUtf8(element)
  const spans = elementSpans(bytes, encodeUtf8(element.slice(0, range.start)).length)?.spans ?? []
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return encodeUtf8(spans.map(({ start, end }) => `${decoder.decode(bytes.subarray(start, end))}\n`).join(''))
}
