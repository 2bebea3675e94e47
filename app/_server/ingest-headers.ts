import { bodyText } from '@/lib/words/server/bodies'
import { Refusal } from './respond'

/** What is not written in a name; the database cannot hold NUL at all, and a name that was changed would be another one. */
const CONTROL = /\p{Cc}/u

/**
 * A header that carries percent-encoded text (headers themselves are Latin-1 at best); null when it is missing or empty.
 *
 * @param charsMax after decoding
 * @throws Refusal `bad-request`
 */
export function textHeader(request: Request, name: string, charsMax: number): string | null {
  const raw = request.headers.get(name)
  if (raw === null || raw === '') return null
  let text: string
  try {
    text = decodeURIComponent(raw)
  } catch {
    throw new Refusal('bad-request', `${name}: percent-encode it as UTF-8`)
  }
  if (text.length > charsMax) throw new Refusal('bad-request', `${name}: at most ${charsMax} characters`)
  const control = CONTROL.exec(text)
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    throw new Refusal('bad-request', bodyText.controlCharacter({ name, code }))
  }
  return text
}

function numberHeader(request: Request, name: string): number | null {
  const raw = request.headers.get(name)
  if (raw === null) return null
  if (!/^\d{1,15}$/.test(raw)) throw new Refusal('bad-request', `${name}: a number of bytes`)
  return Number(raw)
}

export interface IngestHeaders {
  sourceName: string | null
  fileName: string | null
  streamId: string | null
  offset: number | null
  more: boolean
  idempotencyKey: string | null
}

/** What a sender says about its body (`docs/api.md#sending`). */
export function readIngestHeaders(request: Request): IngestHeaders {
  const key = request.headers.get('idempotency-key')
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Refusal('bad-request', 'Idempotency-Key: 1 to 255 visible characters')
  const more = request.headers.get('inquest-more')
  if (more !== null && more !== '0' && more !== '1') throw new Refusal('bad-request', bodyText.moreHeader)
  return {
    sourceName: textHeader(request, 'inquest-source', 120),
    fileName: textHeader(request, 'inquest-file', 4096)?.replaceAll('\\', '/') ?? null,
    streamId: textHeader(request, 'inquest-stream', 512),
    offset: numberHeader(request, 'inquest-offset'),
    more: more === '1',
    idempotencyKey: key,
  }
}
