/** A part of a form. Its bytes are those of the body, not a copy: a patch is large. */
export interface FormPart {
  name: string
  /** Whether it was sent as a file: then its bytes are as they were. */
  isFile: boolean
  bytes: Uint8Array
}

const LINE_END = '\r\n'
const HEADER_BYTES_MAX = 16 * 1024

/** The parts of a body of `multipart/form-data` (RFC 7578); null when it is none, or is damaged. */
export function formParts(body: Uint8Array, type: string): FormPart[] | null {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return null
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const dashes = `--${boundary}`
  const first = bytes.indexOf(dashes)
  // Before the first boundary there may be a line that nobody reads.
  if (first === -1 || (first !== 0 && bytes.toString('latin1', first - 2, first) !== LINE_END)) return null
  const parts: FormPart[] = []
  for (let at = first + dashes.length; ; ) {
    const after = bytes.toString('latin1', at, at + 2)
    if (after === '--') return parts
    const end = after === LINE_END ? bytes.indexOf(LINE_END + dashes, at) : -1
    const part = end === -1 ? null : partOf(bytes.subarray(at + 2, end))
    if (part === null) return null
    parts.push(part)
    at = end + LINE_END.length + dashes.length
  }
}

function partOf(bytes: Buffer): FormPart | null {
  const blank = bytes.subarray(0, HEADER_BYTES_MAX).indexOf(LINE_END + LINE_END)
  if (blank === -1) return null
  const headers = bytes.toString('utf8', 0, blank)
  const name = /^content-disposition:\s*form-data;(?:[^\r\n]*;)?\s*name="([^"]*)"/im.exec(headers)?.[1]
  if (name === undefined) return null
  return {
    name,
    isFile: /^content-disposition:[^\r\n]*;\s*filename\*?=/im.test(headers),
    bytes: bytes.subarray(blank + 4),
  }
}
