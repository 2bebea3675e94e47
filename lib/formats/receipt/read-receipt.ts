import { canonicalJson, NotCanonical } from '../../text/canonical-json'
import { limits } from '../../limits'
import type { JsonObject, Receipt } from './receipt'
import { factsOf, hasNeededParts, isObject, member } from './receipt-facts'
import type { MalformedWhy } from '../../model/receipt-facts'

/**
 * Reads a receipt from its received text. Never throws: what cannot be checked is `malformed` and says why. Of keys that occur twice the last
 * counts, `__proto__` is a key like others, and unknown members stay, for they are part of what was signed.
 *
 * @see docs/sources/receipts.md
 */
export function readReceipt(text: string): Receipt {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformed(null, 'not_json')
  }
  return receiptOf(value)
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a receipt from its bytes. Bytes that are not UTF-8 are not JSON: with a mark in their place two different files could carry one
 * signature.
 */
export function receiptFrom(bytes: Uint8Array): Receipt {
  let text: string
  try {
    text = strict.decode(bytes)
  } catch {
    return readReceipt('')
  }
  return readReceipt(text)
}

/** A receipt whose text was read already, by `JSON.parse` and nothing that rebuilds objects. */
export function receiptOf(value: unknown): Receipt {
  if (!isObject(value)) return malformed(value, 'not_an_object')
  try {
    const { proof: _, ...unsigned } = value
    const signed = canonicalJson(unsigned, limits.jsonDepthMax)
    const { hashed, holdsNulls } = hashedForm(unsigned, signed)
    // The proof is neither signed nor hashed, and yet handed on with the rest.
    canonicalJson(member(value, 'proof'), limits.jsonDepthMax - 1)
    return {
      value,
      facts: factsOf(value),
      malformed: hasNeededParts(value) ? null : 'part',
      signed,
      hashed,
      holdsNulls,
    }
  } catch (error) {
    if (error instanceof NotCanonical)
      return malformed(error.why === 'depth' ? null : value, error.why, value)
    throw error
  }
}

const malformed = (value: unknown, why: MalformedWhy, facts = value): Receipt => ({
  value: isObject(value) ? value : null,
  facts: factsOf(facts),
  malformed: why,
  signed: null,
  hashed: null,
  holdsNulls: false,
})

const PREVIOUS_IS_NULL = '"previous_receipt_hash":null'

/**
 * The form that is hashed. Receipts as issuers write them hold no null but the one of the first link, and then it is the signed form: members
 * are searched only when another `null` is in the text.
 */
function hashedForm(unsigned: JsonObject, signed: string): { hashed: string; holdsNulls: boolean } {
  const chain = member(member(unsigned, 'credentialSubject'), 'chain')
  const previous = member(chain, 'previous_receipt_hash')
  const others = previous === null ? signed.replace(PREVIOUS_IS_NULL, '') : signed
  if ((previous !== undefined || !isObject(chain)) && !others.includes('null'))
    return { hashed: signed, holdsNulls: false }
  const dropped = { count: previous === null ? -1 : 0 }
  const bare = withoutNulls(unsigned, dropped) as JsonObject
  const bareChain = member(member(bare, 'credentialSubject'), 'chain')
  if (isObject(bareChain)) bareChain.previous_receipt_hash = previous ?? null
  return { hashed: canonicalJson(bare, limits.jsonDepthMax), holdsNulls: dropped.count > 0 }
}

/** A copy without the members that are null; items of arrays stay. `fromEntries` makes `__proto__` a member, where an assignment would not. */
function withoutNulls(value: unknown, dropped: { count: number }): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, dropped))
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const kept = entries.filter(([, one]) => one !== null)
  dropped.count += entries.length - kept.length
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutNulls(one, dropped)]))
}
