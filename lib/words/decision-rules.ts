import type { DecisionRule } from '../model/decision-rules'
import type { RuleStage } from '../model/rule-step'

export const STAGE_WORDS: Record<RuleStage, { name: string; asks: string }> = {
  recovery: { name: 'Recovery', asks: 'Did the agent give an answer that is not in the result record?' },
  content: { name: 'Content', asks: 'Does the result match the contract?' },
  success: { name: 'Success', asks: 'Did the run succeed?' },
  retry: { name: 'Retry', asks: 'Does how the run ended call for a retry?' },
  contradiction: { name: 'Contradiction guard', asks: 'Do success and retry contradict each other?' },
  dead_end: {
    name: 'Dead-end guard',
    asks: 'A channel saw the end, but it failed. Was only the output lost?',
  },
  gates: { name: 'Gates', asks: 'Do paths, writes or the retry budget change the verdict?' },
  signal: {
    name: 'Declared failure',
    asks: 'Does the run itself say that it failed?',
  },
}

interface RuleWords {
  /** When it fires, as a sentence. */
  says: string
  /** What it does then. */
  does: string
}

const rule = (says: string, does: string): RuleWords => ({ says, does })

/**
 * What each rule says, for pages and documents.
 *
 * @see docs/rules.md
 */
export const RULE_WORDS: Readonly<Record<DecisionRule, RuleWords>> = {
  'recover:separate_marker': rule(
    'The agent printed its completion marker in a message of its own.',
    'Its messages replace the result.',
  ),
  'recover:channel_b_promoted': rule(
    'No readable result, but channel B saw the end and a message has the marker.',
    'The run counts as a success without an error.',
  ),
  'recover:dir_missing_promoted': rule(
    'No readable result and no folder of the agent’s log, but a message has the marker.',
    'The run counts as a success without an error.',
  ),
  'recover:dir_missing_failed': rule(
    'No readable result, no folder of the agent’s log, and no message with only the marker.',
    'Nothing can be recovered.',
  ),
  'recover:pattern_block': rule(
    'The messages match the expected patterns, but the result does not.',
    'The messages are added to the result.',
  ),
  'recover:artifact_synthesis': rule(
    'A path was expected and not named, but a file was written.',
    'A generated line that names the last written file is added to the result.',
  ),
  'content:ok': rule('The result matches the contract.', 'Success.'),
  'content:fail:is_error': rule('The result record reports an error.', 'Not a success.'),
  'content:fail:empty_result': rule('The result is blank.', 'Not a success.'),
  'content:fail:failure_subtype': rule('The output does not say how the session ended.', 'Not a success.'),
  'content:fail:result_is_only_marker': rule(
    'The result contains only the completion marker.',
    'Not a success.',
  ),
  'content:fail:completion_marker_absent': rule('The result lacks the completion marker.', 'Not a success.'),
  'content:fail:expected_artifact_absent': rule(
    'The result does not match every expected pattern.',
    'Not a success.',
  ),
  pattern_engine_differs: rule(
    'RE2 cannot search an expected pattern the way Python does.',
    'Whether it matches stays unknown, and so does everything that depends on it.',
  ),
  'success:channel_b_bypass': rule(
    'Channel B saw the end, and every expected pattern was found (or none was expected).',
    'Success. The content, the exit code and how it ended are not checked.',
  ),
  'success:channel_b_bypass_refused': rule(
    'Channel B saw the end, but patterns were expected and the session did not end well.',
    'Channel B does not decide. How it ended and the content do.',
  ),
  'success:channel_b_patterns_missing': rule(
    'Channel B saw the end, but an expected pattern was not found.',
    'Not a success.',
  ),
  'success:post_completion_kill': rule(
    'The process was stopped after it had printed its result and marker.',
    'The exit code is ignored, and the content decides.',
  ),
  'retry:api_signal': rule('The run reached its turn or context limit.', 'A retry is requested.'),
  'retry:kill_anomaly': rule('The process ended without a readable result.', 'A retry is requested.'),
  'retry:early_stop': rule(
    'There is a result, but the agent stopped before printing its completion marker.',
    'A retry is requested.',
  ),
  'retry:none': rule('Nothing about how it ended calls for a retry.', 'No retry.'),
  'stale:recovered': rule('It went silent after it had delivered its result.', 'Success.'),
  'idle_stall:killed': rule(
    'It stalled and was stopped. Its output is not checked.',
    'A retry is requested.',
  ),
  'guard:contradiction': rule(
    'It counts as a success and asks for a retry at the same time.',
    'The success is dropped and the retry stays.',
  ),
  'guard:dead_end_promoted:absent': rule(
    'A channel saw the end, but the output is missing: it was lost.',
    'Retried.',
  ),
  'guard:dead_end_promoted:contract_violation': rule(
    'A channel saw the end, and the policy retries results that violate the contract.',
    'Retried.',
  ),
  'guard:dead_end_promoted:session_error': rule(
    'A channel saw the end, and the policy retries sessions that report an error.',
    'Retried.',
  ),
  'guard:dead_end_promoted:complete': rule(
    'A channel saw the end, and the policy retries even complete results.',
    'Retried.',
  ),
  'guard:dead_end_terminal:absent': rule(
    'A channel saw the end and the output is missing, but the policy does not retry that.',
    'It stays failed.',
  ),
  'guard:dead_end_terminal:contract_violation': rule(
    'A channel saw the end, and the result violates the contract.',
    'It stays failed.',
  ),
  'guard:dead_end_terminal:session_error': rule(
    'A channel saw the end, and the session reports an error.',
    'It stays failed.',
  ),
  'guard:dead_end_terminal:complete': rule(
    'A channel saw the end and the result is complete. Something else failed.',
    'It stays failed.',
  ),
  'gate:path_contamination': rule(
    'The agent named a path outside its working directory.',
    'Retried, whatever the verdict was.',
  ),
  'warn:write_paths': rule('Calls wrote or named paths outside the working directory.', 'Only a warning.'),
  'gate:budget_exhausted': rule(
    'The allowed number of attempts in a row have asked for a retry.',
    'No more retries.',
  ),
  'gate:contract_recovery': rule(
    'Files were written, but the result lacks the lines that name them.',
    'Retried, asking for the missing lines.',
  ),
  'gate:zero_writes': rule(
    'It succeeded, but none of the expected files were written.',
    'The success is dropped, and the run is retried.',
  ),
  agent_signal: rule('The agent declared in its result that it failed.', 'Failed, whatever it delivered.'),
  permission_denied: rule('Tool requests were denied.', 'Failed, whatever it delivered.'),
  peer_parse_exception: rule(
    'AutoSkillit’s own parser crashes on the output.',
    'Failed. Nothing else is checked.',
  ),
}

/** What a rule says; null for a code that only a newer version knows. */
export const ruleWords = (code: string): RuleWords | null =>
  Object.hasOwn(RULE_WORDS, code) ? RULE_WORDS[code as DecisionRule] : null
