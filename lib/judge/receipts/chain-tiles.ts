import { rowReason } from './chain-verdict'
import type { ChainHint } from './chain-hints'
import { isBad, type ChainRow } from './chain-row'
import type { ReceiptBrief } from './receipt-brief'
import type { VerifiedChain } from './verify-pages'
import type { ChainReason } from '../../model/chain-reasons'

export const MARKS = ['signature', 'link', 'number'] as const
export type Mark = 'ok' | 'bad' | 'not_checked'
export type TileLook = 'success' | 'failure' | 'pending' | 'event' | 'unknown'

/** One receipt as it is drawn. */
export interface ChainTile {
  index: number
  brief: ReceiptBrief
  row: ChainRow
  marks: Record<(typeof MARKS)[number], Mark>
  look: TileLook
  /** The first receipt that breaks the chain. */
  isBreak: boolean
  /** Stands behind the break: nothing ties it to the head of the chain. */
  unproven: boolean
  /** Another receipt claims the same number. */
  rival: boolean
  /** Pending, and its result is not in any of the chains that were looked at. */
  unanswered: boolean
}

export interface TiledChain {
  tiles: ChainTile[]
  /** Where it breaks and why; `hints` are those about this receipt. */
  break: { index: number; reason: ChainReason; hints: ChainHint[] } | null
}

/** One name for a call over chains: a correlation id means nothing beyond its session. */
const callName = ({ sessionId, correlationId }: ReceiptBrief): string =>
  JSON.stringify([sessionId, correlationId])

/** The calls of which a chain contains a result. */
export const answeredCalls = ({ briefs }: VerifiedChain): string[] =>
  briefs.flatMap((brief) =>
    brief.correlationId !== null && brief.event === null && brief.status !== 'pending'
      ? [callName(brief)]
      : [],
  )

/**
 * A verified chain as tiles. Where no signature could be checked, links and numbers alone say where it breaks.
 *
 * @param answered calls that have a result in another chain of the session
 */
export function tileChain(chain: VerifiedChain, answered: ReadonlySet<string> = new Set()): TiledChain {
  const { briefs, rows, signatures, hints } = chain
  const checked = signatures === 'checked'
  const judged = checked && chain.verdict?.state !== 'other_key'
  const at = judged
    ? (chain.verdict?.firstBadIndex ?? -1)
    : rows.findIndex((row) => row.foreign || isBad(unsigned(row)))
  const reason =
    at === -1 ? null : judged ? (chain.verdict!.reason as ChainReason) : rowReason(unsigned(rows[at]!))
  const tiles = briefs.map((brief, index): ChainTile => {
    const row = rows[index]!
    return {
      index,
      brief,
      row,
      look: lookOf(brief),
      isBreak: index === at,
      unproven: at !== -1 && index > at,
      marks: {
        signature: checked ? markOf(row.signature) : 'not_checked',
        link: markOf(row.hashLink),
        number: markOf(row.sequence),
      },
      rival:
        brief.sequence !== null &&
        (briefs[index - 1]?.sequence === brief.sequence || briefs[index + 1]?.sequence === brief.sequence),
      unanswered: brief.answeredAt === -1 && !answered.has(callName(brief)),
    }
  })
  return {
    tiles,
    break: reason === null ? null : { index: at, reason, hints: hints.filter(({ index }) => index === at) },
  }
}

const markOf = (good: boolean): Mark => (good ? 'ok' : 'bad')

/** The row, as if its signature were good: nobody could look. */
const unsigned = (row: ChainRow): ChainRow => ({ ...row, signature: true, rotationFault: null })

function lookOf({ event, status }: ReceiptBrief): TileLook {
  if (event !== null && event !== 'self_test') return 'event'
  return status === 'success' || status === 'failure' || status === 'pending' ? status : 'unknown'
}
