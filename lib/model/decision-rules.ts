import type { RuleStage } from './rule-step'

/**
 * Every rule of the decision engine by its code with the stage that it belongs to, in the order of evaluation. Their English is in
 * `lib/words/decision-rules.ts`.
 *
 * @see docs/rules.md
 */
export const DECISION_RULES = {
  'recover:separate_marker': 'recovery',
  'recover:channel_b_promoted': 'recovery',
  'recover:dir_missing_promoted': 'recovery',
  'recover:dir_missing_failed': 'recovery',
  'recover:pattern_block': 'recovery',
  'recover:artifact_synthesis': 'recovery',
  'content:ok': 'content',
  'content:fail:is_error': 'content',
  'content:fail:empty_result': 'content',
  'content:fail:failure_subtype': 'content',
  'content:fail:result_is_only_marker': 'content',
  'content:fail:completion_marker_absent': 'content',
  'content:fail:expected_artifact_absent': 'content',
  pattern_engine_differs: 'content',
  'success:channel_b_bypass': 'success',
  'success:channel_b_bypass_refused': 'success',
  'success:channel_b_patterns_missing': 'success',
  'success:post_completion_kill': 'success',
  'retry:api_signal': 'retry',
  'retry:kill_anomaly': 'retry',
  'retry:early_stop': 'retry',
  'retry:none': 'retry',
  'stale:recovered': 'retry',
  'idle_stall:killed': 'retry',
  'guard:contradiction': 'contradiction',
  'guard:dead_end_promoted:absent': 'dead_end',
  'guard:dead_end_promoted:contract_violation': 'dead_end',
  'guard:dead_end_promoted:session_error': 'dead_end',
  'guard:dead_end_promoted:complete': 'dead_end',
  'guard:dead_end_terminal:absent': 'dead_end',
  'guard:dead_end_terminal:contract_violation': 'dead_end',
  'guard:dead_end_terminal:session_error': 'dead_end',
  'guard:dead_end_terminal:complete': 'dead_end',
  'gate:path_contamination': 'gates',
  'warn:write_paths': 'gates',
  'gate:budget_exhausted': 'gates',
  'gate:contract_recovery': 'gates',
  'gate:zero_writes': 'gates',
  agent_signal: 'signal',
  permission_denied: 'signal',
  peer_parse_exception: 'signal',
} as const satisfies Record<string, RuleStage>
export type DecisionRule = keyof typeof DECISION_RULES

/** The stage of a rule; null for a code that only a newer version knows. */
export const stageOfRule = (code: string): RuleStage | null =>
  Object.hasOwn(DECISION_RULES, code) ? DECISION_RULES[code as DecisionRule] : null
