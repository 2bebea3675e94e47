import type { DecisionReason } from '../../model/messages/decision'
import type { RuleStep } from '../../model/rule-step'
import type { WhatIf } from './what-if'
import type { RunFact } from '../../model/run-facts'

/** What stands for a value that the evidence does not tell. */
export const UNKNOWN = 'unknown'

/** What is missing of an execution whose process nobody recorded. */
export const ALL_MISSING = [
  'exit code',
  'termination',
  'channel',
  'completion marker',
  'expected patterns',
  'output',
] as const

/** A verdict, by whomever; each value is one of the words of `vocabulary.ts`, a newer one, or `unknown`. */
export interface VerdictWords {
  contentState: string
  outcome: string
  retryReason: string
  subtype: string
}

/** What the recorder of a run judged where it ran, and in what we say something else. */
export interface RecorderVerdict extends NonNullable<RunFact['verdict']> {
  /** `outcome`: one of both calls it failed and the other does not; `reason`: both do, for another reason; null: they agree, or we know nothing. */
  differs: 'outcome' | 'reason' | null
}

/** What was decided about an execution, by whom, and from what. */
export interface Decision extends VerdictWords {
  /** `recorded` by the source, `recomputed` by us from the evidence, or `inferred` from what the execution did. */
  basis: 'recorded' | 'recomputed' | 'inferred'
  policy: string
  /** The rule that decided. */
  rule: string
  reason: DecisionReason
  /** Inputs that nothing reported. */
  missing: string[]
  /** Fields in which the recorded and the recomputed verdict say different things. */
  differs: (keyof VerdictWords)[]
  recorded: VerdictWords | null
  recomputed: VerdictWords | null
  /** What `inquest record` judged where the run was made; null where nobody recorded its end. It changes nothing here. */
  recorder: RecorderVerdict | null
  trace: RuleStep[]
  /** The inputs, for people: short values only. */
  evidence: Record<string, string | number | boolean | null | string[]>
  /** What the verdict was recomputed from, to be replayed under other policies and with changes; null when too little is known. */
  whatIf: WhatIf | null
  /** Something was taken out of the evidence before it was kept. */
  inputRedacted: boolean
}
