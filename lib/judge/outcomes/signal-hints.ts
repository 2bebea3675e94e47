import type { Ending } from './ending'
import { pointerTo, type Place } from '../calls/merge-streams'
import type { Judgement } from './outcome'
import type { SignalHintPlace } from '../../model/summary'
import type { RunResultFact } from '../../model/run-facts'
import type { SignalFact } from '../../model/failure-signal'

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
): SignalHintPlace[] {
  if (result) return placed(result.place, result.fact.signal)
  const said = judgement.rule === 'signal_in_last_text' ? ending?.finalSaid : null
  return said ? placed(said.place, said.fact.signal) : []
}

const placed = (place: Place, signal: SignalFact | undefined): SignalHintPlace[] =>
  (signal?.hints ?? []).map(({ breach, text, span }) => ({ breach, text, pointer: pointerTo(place, span) }))
