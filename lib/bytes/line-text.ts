import { encodeUtf8 } from './kept-bytes'

/** The text of a line, and the way back to its bytes. */
export interface LineText {
  text: string
  isUtf8: boolean
  encode: (text: string) => Uint8Array
}

// Without `ignoreBOM` a mark at the front of any line would be swallowed, and offsets after it would be wrong.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a line. Bytes that are not UTF-8 are read one by one, those above 0x7f as characters of a private area (no rule takes them for
 * letters), so that a line can be redacted and still keep every other byte.
 */
export function readLineText(bytes: Uint8Array): LineText {
  try {
    return { text: strict.decode(bytes), isUtf8: true, encode: encodeUtf8 }
  } catch {
    return { text: readBytewise(bytes), isUtf8: false, encode: writeBytewise }
  }
}

const PRIVATE = 0xf700
const CHUNK = 8192

function readBytewise(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let i = 0; i < bytes.length; i += CHUNK) {
    const units = new Uint16Array(bytes.subarray(i, i + CHUNK))
    for (let k = 0; k < units.length; k++) if (units[k]! > 0x7f) units[k]! += PRIVATE
    parts.push(String.fromCharCode(...units))
  }
  return parts.join('')
}

function writeBytewise(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    bytes[i] = c >= PRIVATE ? c - PRIVATE : c
  }
  return bytes
}
