import { textOf } from './python-display'
import { WrittenNumber } from '../../text/exact-number'
import { integerOf, isRecord, PeerRaises, type JsonRecord } from './python-values'
import type { Counter, TokenCounters, TokenUsage } from './session'

const FIELDS = [
  ['inputTokens', 'input_tokens'],
  ['outputTokens', 'output_tokens'],
  ['cacheCreationInputTokens', 'cache_creation_input_tokens'],
  ['cacheReadInputTokens', 'cache_read_input_tokens'],
] as const satisfies [keyof TokenCounters, string][]

/** Sums what messages used by model; what a result record says is above that. */
export interface TokenCollector {
  /** @throws PeerRaises for a counter that is no number */
  message(message: JsonRecord): void
  result(usage: JsonRecord): void
  /** Null if nothing reported any usage. */
  usage(): TokenUsage | null
}

export function collectTokens(): TokenCollector {
  const byModel = new Map<string, TokenCounters>()
  let totals: TokenCounters | null = null
  return {
    message(message) {
      const { usage } = message
      if (!isRecord(usage)) return
      const model = message['model']
      const name = model === undefined ? 'unknown' : model === null ? 'null' : textOf(model)
      const sum = byModel.get(name) ?? none()
      byModel.set(name, sum)
      for (const [ours, theirs] of FIELDS)
        sum[ours] = add(sum[ours], usage[theirs] ?? (theirs in usage ? null : 0))
    },
    result(usage) {
      totals = none()
      for (const [ours, theirs] of FIELDS) totals[ours] = theirs in usage ? plain(usage[theirs]) : 0
    },
    usage() {
      if (totals === null && byModel.size === 0) return null
      const sum = none()
      for (const one of byModel.values()) for (const [ours] of FIELDS) sum[ours] = add(sum[ours], one[ours])
      return { ...(totals ?? sum), modelBreakdown: Object.fromEntries(byModel) }
    },
  }
}

const none = (): TokenCounters => ({
  inputTokens: 0,
  outputTokens: 0,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: 0,
})

/** A written number as one, or as a bigint where a number would lose digits. */
function plain(value: unknown): Counter {
  if (!(value instanceof WrittenNumber)) return value
  const number = Number(value.digits)
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(value.digits) ? number : integerOf(value.digits)
}

function add(sum: Counter, value: unknown): Counter {
  const more = typeof value === 'boolean' ? Number(value) : plain(value)
  if (typeof more !== 'number' && typeof more !== 'bigint')
    throw new PeerRaises('a token counter is no number')
  const before = sum as number | bigint
  if (!isWhole(before) || !isWhole(more)) return Number(before) + Number(more)
  const whole = BigInt(before) + BigInt(more)
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole
}

/** A larger number that is no bigint was written as a float. */
const isWhole = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isSafeInteger(value)
