import { parseMultibaseKey, type PublicKey } from './keys'
import { member } from '../../formats/receipt/receipt-facts'

/** What of a rotation is not as it must be; `null` when all is. */
export type RotationFault = 'constants' | 'algorithm' | 'old_fingerprint' | 'new_key' | 'new_fingerprint'

/**
 * Reads the fields of a rotation. That its receipt is signed by the old key is another check, and without it the new key counts for nothing.
 *
 * @param active the key that holds until then
 * @see docs/sources/receipts.md
 */
export function readRotation(
  rotation: unknown,
  active: PublicKey,
): { next: PublicKey } | { fault: RotationFault } {
  const field = (key: string): unknown => member(rotation, key)
  if (field('event_type') !== 'key_rotated' || field('signed_with') !== 'old') return { fault: 'constants' }
  if (field('old_algorithm') !== 'ed25519' || field('new_algorithm') !== 'ed25519')
    return { fault: 'algorithm' }
  if (field('old_key_fingerprint') !== active.fingerprint) return { fault: 'old_fingerprint' }
  const next = parseMultibaseKey(field('new_public_key'))
  if (next === null) return { fault: 'new_key' }
  return field('new_key_fingerprint') === next.fingerprint ? { next } : { fault: 'new_fingerprint' }
}
