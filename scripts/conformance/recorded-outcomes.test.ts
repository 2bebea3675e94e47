import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readContract } from '@/lib/judge/decisions/contract-reader'
import { decide } from '@/lib/judge/decisions/decide'
import { factsOf } from '@/lib/judge/decisions/gather-facts'
import { CURRENT_POLICY } from '@/lib/judge/decisions/policies'
import { PeerRaises } from '@/lib/judge/decisions/python-values'
import { sessionFacts } from '@/lib/judge/decisions/testing/arbitrary-facts'
import { bruteForce, idsOf } from '@/lib/judge/decisions/testing/brute-force'
import type { VerdictFacts } from '@/lib/judge/decisions/verdict-facts'
import { applyChanges, smallestSuccess, type WhatIf } from '@/lib/judge/decisions/what-if'
import { readCases } from './read-cases'
import { processOf, sessionOf, type OutcomeCase } from './suites/content-state'

const recorded = resolve(import.meta.dirname, '../../../shared/conformance/content-state/outcome.jsonl')

/** The facts of the recorded cases, each of them once: of exit codes and patterns only what makes a difference. */
function recordedFacts(): VerdictFacts[] {
  const distinct = new Map<string, VerdictFacts>()
  for (const { input } of readCases<OutcomeCase>(recorded)) {
    try {
      const facts = factsOf(
        sessionOf(input),
        processOf(input),
        readContract({ marker: input.completion_marker, patterns: input.expected_output_patterns }),
      )
      const patterns = facts.patterns
        .map(({ state }) => state)
        .toSorted()
        .map((state, i) => ({ pattern: String(i), state }))
      const plain = {
        ...facts,
        exitCode: facts.exitCode === 0 || facts.termination === 'timed_out' ? facts.exitCode : 1,
        patterns,
      }
      distinct.set(JSON.stringify(plain), plain)
    } catch (error) {
      if (!(error instanceof PeerRaises)) throw error
    }
  }
  return [...distinct.values()]
}

const PARTS = [0, 1, 2, 3, 4, 5, 6, 7]

// The recorded cases are not part of the repository.
if (existsSync(recorded))
  test.each(PARTS)(
    'the smallest sets of changes that make a success of a recorded case are those that a search through all sets finds (%i)',
    (part) => {
      const facts = recordedFacts().filter((_, i) => i % PARTS.length === part)
      expect(facts.length).toBeGreaterThan(100)
      for (const one of facts) {
        const whatIf: WhatIf = { actual: sessionFacts(one), byChannel: {} }
        const found = smallestSuccess(whatIf, CURRENT_POLICY)
        expect(idsOf(found), JSON.stringify(one)).toEqual(idsOf(bruteForce(whatIf, CURRENT_POLICY)))
        for (const set of found)
          expect(decide(applyChanges(whatIf, set), CURRENT_POLICY).outcome).toBe('succeeded')
      }
    },
  )
