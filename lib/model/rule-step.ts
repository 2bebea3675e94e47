/** The rooms of the path that a decision takes, in their order; in the last one stands what the run says of itself, where that decides. */
export const RULE_STAGES = [
  'recovery',
  'content',
  'success',
  'retry',
  'contradiction',
  'dead_end',
  'gates',
  'signal',
] as const
export type RuleStage = (typeof RULE_STAGES)[number]

export type RuleValue = string | number | boolean | null | readonly string[]

/** A rule that fired, with the values that made it do so and what it did. In the order of evaluation they are the trace of a decision. */
export interface RuleStep {
  rule: string
  stage: RuleStage
  inputs: Readonly<Record<string, RuleValue>>
  effect: string
}

export const step = (
  stage: RuleStage,
  rule: string,
  inputs: RuleStep['inputs'],
  effect: string,
): RuleStep => ({ rule, stage, inputs, effect })
