import { requestText } from '@/lib/words/server/requests'
import { Refusal } from './respond'

/** First byte, and the one behind the last; `partial` when the reader asked for less than all. */
export interface ByteRange {
  start: number
  end: number
  partial: 'range' | 'query' | null
}

const number = (text: string | null): number | null =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null

/**
 * The bytes a reader wants: `?start=&end=` (end exclusive), else one `Range: bytes=` of RFC 9110. A range header of another
 * shape, or of several ranges, is left alone, as that standard allows.
 *
 * @param size length of the whole
 * @throws Refusal `bad-request` for a bad query
 */
export function byteRange(
  query: URLSearchParams,
  header: string | null,
  size: number,
): ByteRange | 'unsatisfiable' {
  if (query.has('start') || query.has('end')) {
    const start = query.has('start') ? number(query.get('start')) : 0
    const end = query.has('end') ? number(query.get('end')) : size
    if (start === null || end === null || end < start)
      throw new Refusal('bad-request', requestText.startAndEnd)
    return { start: Math.min(start, size), end: Math.min(end, size), partial: 'query' }
  }
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === ''))
    return { start: 0, end: size, partial: null }
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size, partial: 'range' }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  if (last !== '' && Number(last) < start) return { start: 0, end: size, partial: null }
  return start >= size ? 'unsatisfiable' : { start, end, partial: 'range' }
}
