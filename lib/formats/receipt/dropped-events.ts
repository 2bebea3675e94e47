import type { Receipt } from './receipt'
import { member } from './receipt-facts'

/** Events that were lost before it; null when it does not say, or says no number. */
export function droppedBefore({ value }: Receipt): number | null {
  const count = member(
    member(member(member(value, 'credentialSubject'), 'action'), 'emitter_metadata'),
    'drop_count',
  )
  return Number.isSafeInteger(count) && (count as number) > 0 ? (count as number) : null
}
