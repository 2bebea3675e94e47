import { isUuid } from '@/db/queries/cursor'
import { limits } from '@/lib/limits'
import { requestText } from '@/lib/words/server/requests'
import { Refusal } from './respond'

/** An id of ours from the path. Anything else names no record, so it is answered as one that is not there. */
export function uuidParam(value: string): string {
  if (!isUuid(value)) throw new Refusal('not-found')
  return value.toLowerCase()
}

/** `?limit=`: 1 to the most a reader may ask for. */
export function limitParam(query: URLSearchParams): number {
  const given = query.get('limit')
  if (given === null) return limits.pageRows
  const value = /^\d{1,6}$/.test(given) ? Number(given) : 0
  if (value < 1 || value > limits.pageRowsMax) throw new Refusal('bad-request', requestText.limitRange())
  return value
}
