import type { Recorded } from './merge-recorded'
import { inOrder, pointerTo, type HeldStream, type Place } from '../judge/calls/merge-streams'
import type { ExecutionEvidence, WithEvidence } from '../model/summary'
import type { EventFacts } from '../model/event-facts'
import type { CiStepFact, RunFact, RunResultFact } from '../model/run-facts'
import type { Span } from '../model/span'

export interface EvidenceCollector {
  add(place: Place, facts: EventFacts): void
  evidence(result: { place: Place; fact: RunResultFact } | null, recorded: Recorded | null): ExecutionEvidence
}

const evidenceOf = <Fact extends { span: Span }>({
  place,
  fact,
}: {
  place: Place
  fact: Fact
}): WithEvidence<Fact> => ({
  fact,
  at: place.at,
  pointer: pointerTo(place, fact.span),
})

function keepLater<Fact>(
  facts: Map<HeldStream, { place: Place; fact: Fact }>,
  place: Place,
  fact: Fact,
): void {
  const before = facts.get(place.stream)
  if (!before || place.offset > before.place.offset) facts.set(place.stream, { place, fact })
}

/** Collects what was recorded about an execution, in any order. */
export function collectEvidence(): EvidenceCollector {
  // Of a document that came twice, the later one counts.
  const runs = new Map<HeldStream, { place: Place; fact: RunFact }>()
  const ciSteps = new Map<HeldStream, { place: Place; fact: CiStepFact }>()
  const forkedFrom = new Set<string>()
  return {
    add(place, { run, ciStep, forkedFrom: session }) {
      if (session) forkedFrom.add(session)
      if (run) keepLater(runs, place, run)
      if (ciStep) keepLater(ciSteps, place, ciStep)
    },
    evidence: (result, recorded) => ({
      recorded: recorded && {
        fact: recorded.fact,
        pointer: recorded.decided && pointerTo(recorded.decided.place, recorded.decided.fact.span),
      },
      runs: [...runs.values()].sort((a, b) => inOrder(a.place, b.place)).map(evidenceOf),
      ...(ciSteps.size > 0 && {
        ciSteps: [...ciSteps.values()].sort((a, b) => inOrder(a.place, b.place)).map(evidenceOf),
      }),
      forkedFrom: [...forkedFrom].sort(),
      result: result && evidenceOf(result),
    }),
  }
}
