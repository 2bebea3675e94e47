import { isObject, memberAt, parseExactJson } from '../../text/exact-json'
import { isNumber, numberText } from '../../text/exact-number'

/** How the source fetched a diagnosis, with the digits that it wrote; null: not said. */
export interface FetchStatistics {
  pollCount: string | null
  elapsedSeconds: string | null
  deadlineSeconds: string | null
  hitDeadline: boolean | null
}

/** @param json the `_meta` of a diagnosis, as JSON; null when it tells nothing of the fetch */
export function readFetchStatistics(json: string): FetchStatistics | null {
  const meta = parseExactJson(json)
  const fetched = meta.ok ? memberAt(meta.value, 'diagnosis_fetch') : undefined
  if (!isObject(fetched)) return null
  const digitsOf = (key: string): string | null => {
    const value = memberAt(fetched, key)
    return isNumber(value) ? numberText(value) : null
  }
  const hit = memberAt(fetched, 'hit_deadline')
  const read = {
    pollCount: digitsOf('poll_count'),
    elapsedSeconds: digitsOf('elapsed_seconds'),
    deadlineSeconds: digitsOf('deadline_seconds'),
    hitDeadline: typeof hit === 'boolean' ? hit : null,
  }
  return Object.values(read).every((value) => value === null) ? null : read
}
