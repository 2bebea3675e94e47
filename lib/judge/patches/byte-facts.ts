import { CR, LF } from './bytes'

/** What bytes are before anybody reads them. */
export interface ByteFacts {
  endsWithNewline: boolean
  byteOrderMark: boolean
  /** `lf`, `crlf`, `mixed`, or `none` without any line end. */
  lineEndings: string
  validUtf8: boolean
  hasNul: boolean
  /** Bytes of the longest line, without its line feed. */
  longestLine: number
  /** U+FFFD, the mark of bytes that were lost when a text was decoded. */
  replacementCharacters: number
}

const CHUNK_BYTES = 1024 * 1024

export function byteFacts(bytes: Uint8Array): ByteFacts {
  let [lf, crlf, longest, start, replacements] = [0, 0, 0, 0, 0]
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (at > start && bytes[at - 1] === CR) crlf++
    else lf++
    longest = Math.max(longest, at - start)
    start = at + 1
  }
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1))
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) replacements++
  return {
    endsWithNewline: bytes.at(-1) === LF,
    byteOrderMark:
      (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) ||
      (bytes[0] === 0xff && bytes[1] === 0xfe) ||
      (bytes[0] === 0xfe && bytes[1] === 0xff),
    lineEndings: lf + crlf === 0 ? 'none' : crlf === 0 ? 'lf' : lf === 0 ? 'crlf' : 'mixed',
    validUtf8: isUtf8(bytes),
    hasNul: bytes.includes(0),
    longestLine: Math.max(longest, bytes.length - start),
    replacementCharacters: replacements,
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}
