import type { Ending } from './ending'
import { pointerTo, type Place } from '../calls/merge-streams'
import type { Judgement } from './outcome'
import type { RunResultFact } from '../../model/run-facts'
import type { Pointer } from '../../model/execution'
import type { SignalFact, SignalHint } from '../../model/failure-signal'

/** A breach, with the place of the block that it is about. */
interface PlacedHint extends SignalHint {
  pointer: Pointer
}

/**
 * Breaches of the contract by the failure block of a run: that of its result record, also where something else decided; without such a record
 * that of its last text, where it decided.
 *
 * @see docs/sources/claude-code.md#result-record
 */
export function signalHintsOf(
  judgement: Judgement,
  result: { place: Place; fact: RunResultFact } | null,
  ending: Ending | null,
): PlacedHint[] {
  if (result) return placed(result.place, result.fact.signal)
  const said = judgement.rule === 'signal_in_last_text' ? ending?.finalSaid : null
  return said ? placed(said.place, said.fact.signal) : []
}

const placed = (place: Place, signal: SignalFact | undefined): PlacedHint[] =>
  (signal?.hints ?? []).map(({ breach, blocks, span }) => ({
    breach,
    blocks,
    pointer: pointerTo(place, span),
  }))
