import type { Pointer } from './execution'

/** Corrections that a list shows. */
export const CORRECTION_STATES = ['active', 'undone'] as const
export type CorrectionState = (typeof CORRECTION_STATES)[number]

/** A call as a correction names it; without its values where the execution no longer has it. */
export interface CorrectedCall {
  id: string
  tool: string | null
  target: string | null
  /** Place among the calls of its execution, from 1. */
  number: number | null
}

/** What a person says against a judged cause. The verdict itself stays as it was judged. */
export interface CauseCorrection {
  id: string
  executionId: string
  executionTitle: string | null
  /** Slug of the project. */
  project: string
  /** The cause as it was when it was corrected. */
  judged: { rule: string | null; text: string; pointer: Pointer | null; callId: string | null }
  /** The failed call to show instead; null: nothing needs attention. */
  call: CorrectedCall | null
  reason: string
  by: string
  at: string
  undone: { by: string; at: string } | null
  /** How today's cause compares: it is still the one that was corrected, it says what the person said, or it is another one. */
  today: 'same' | 'agrees' | 'other'
  url: string
}

/** How often a rule gave the cause, and how often people corrected it. */
export interface RuleCorrections {
  /** Null: causes from before there were rules. */
  rule: string | null
  /** Active corrections of causes by this rule. */
  corrected: number
  /** Of them, those that say that nothing needs attention. */
  nothing: number
  /** Executions whose cause is by this rule; counting stops behind `limits.countMax`. */
  shown: number
}
