import type { WorkBetween } from '../model/messages/run-retry'
import { oneLine } from '../text/visible'
import { callName, quoted, some } from './phrases'

const CALLS_NAMED = 2

/** `Edit on a/b.go and 2 more calls`. */
export function workBetweenWords({ said, calls, total }: WorkBetween): string {
  const person = said === null ? '' : `a person said ${quoted(oneLine(said), 80)}`
  if (calls.length === 0) return person
  const names = calls.map(
    ({ call, failed }) => `${callName(call, 40)}${failed ? ' (which also failed)' : ''}`,
  )
  const named = [...new Set(names)].slice(0, CALLS_NAMED)
  const more = total - named.length
  return `${person === '' ? '' : `${person}; `}${named.join(', ')}${more > 0 ? ` and ${some(more, 'more call')}` : ''}`
}
