import type { Decided, DecisionFacts } from './decide'
import type { FiredRule, PathInput } from './path'
import type { PatternFinding } from './patterns'
import { step, type RuleStep, type RuleValue } from '../../model/rule-step'
import type { VerdictFacts } from './verdict-facts'
import type { WhatIf } from './what-if'

/** What is kept of a decision to make it again; null when nothing is, or when it is not of today's shape. */
export function readWhatIf(value: unknown): WhatIf | null {
  const actual = (value as Partial<WhatIf> | null | undefined)?.actual
  return actual?.way?.kind === undefined || actual.gates === undefined ? null : (value as WhatIf)
}

/** The session that the facts tell of; null where none was looked at. */
export const verdictFactsOf = ({ way }: DecisionFacts): VerdictFacts | null =>
  way.kind === 'session' || way.kind === 'stale' ? way.verdict : null

/** An expected pattern and whether it was found; `unknown` where nothing tells. */
export interface PatternReading {
  pattern: string
  state: PatternFinding['state'] | 'unknown'
  why?: string
}

/** Where the source of the rules would have raised, nothing else is asked. */
export const crashStep = (why: string): RuleStep => step('signal', 'peer_parse_exception', { why }, 'failed')

/** What the path of a verdict is drawn from, where it was made here. */
export function pathInputOf(facts: DecisionFacts, decided: Decided): PathInput {
  const verdict = verdictFactsOf(facts)
  const { way } = facts
  return {
    trace: way.kind === 'crashed' ? [...decided.trace, crashStep(way.why)] : decided.trace,
    exitCode: verdict?.exitCode ?? null,
    termination:
      way.kind === 'stale' || way.kind === 'idle_stall' ? way.kind : (verdict?.termination ?? null),
    channel: verdict?.channel ?? null,
    subtype: verdict?.subtype ?? null,
    gates: {
      writes: facts.gates.writeCount,
      earlierInARow: facts.gates.earlierInARow,
      maxConsecutiveRetries: facts.gates.maxConsecutiveRetries,
    },
  }
}

type Evidence = Readonly<Record<string, RuleValue>>
const textOf = (value: RuleValue | undefined): string | null => (typeof value === 'string' ? value : null)

/** What the path of a verdict is drawn from, as it was kept. */
export function keptPathInput(
  { trace, evidence }: { trace: readonly FiredRule[]; evidence: Evidence },
  facts: DecisionFacts | null,
): PathInput {
  return {
    trace,
    exitCode: typeof evidence['exit_code'] === 'number' ? evidence['exit_code'] : null,
    termination: textOf(evidence['termination']),
    channel: textOf(evidence['channel']),
    subtype: textOf(evidence['cli_subtype'] ?? evidence['subtype']),
    gates:
      facts === null
        ? null
        : {
            writes: facts.gates.writeCount,
            earlierInARow: facts.gates.earlierInARow,
            maxConsecutiveRetries: facts.gates.maxConsecutiveRetries,
          },
  }
}

/** Each expected pattern, and whether it was found: by the facts, else by what the rules reported; `unknown` where neither does. */
export function patternReadings(
  kept: { trace: readonly FiredRule[]; evidence: Evidence },
  facts: DecisionFacts | null,
): PatternReading[] {
  const found = facts === null ? [] : (verdictFactsOf(facts)?.patterns ?? [])
  if (found.length > 0) return [...found]
  const asked = kept.evidence['patterns']
  if (!Array.isArray(asked)) return []
  // Of a run that went silent the patterns are not looked for.
  if (facts !== null) return (asked as readonly string[]).map((pattern) => ({ pattern, state: 'unknown' }))
  const trace = kept.trace
    .flatMap(({ inputs }) => inputs['patterns_missing'] ?? inputs['missing'] ?? [])
    .filter((one) => typeof one === 'string')
  const looked = kept.trace.some(({ inputs }) => 'patterns_missing' in inputs || 'missing' in inputs)
  return (asked as readonly string[]).map((pattern) => ({
    pattern,
    state: !looked ? 'unknown' : trace.includes(pattern) ? 'missing' : 'found',
  }))
}
