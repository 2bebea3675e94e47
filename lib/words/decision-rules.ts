import type { DecisionRule } from '../model/decision-rules'
import type { RuleStage } from '../model/rule-step'

export const STAGE_WORDS: Record<RuleStage, { name: string; asks: string }> = {
  recovery: { name: 'Recovery', asks: 'Did the agent give an answer that the result record does not hold?' },
  content: { name: 'Content', asks: 'Does the result hold what was agreed on?' },
  success: { name: 'Success', asks: 'Did the run succeed?' },
  retry: { name: 'Retry', asks: 'Does the run itself ask for another attempt?' },
  contradiction: { name: 'Contradiction guard', asks: 'Do success and retry contradict each other?' },
  dead_end: {
    name: 'Dead-end guard',
    asks: 'A channel saw the end, and still it failed: was only the output lost?',
  },
  gates: { name: 'Gates', asks: 'Paths, writes and the retry budget: may the verdict pass?' },
  signal: {
    name: 'The run’s own word',
    asks: 'Does the run itself say that it failed, whatever the rules make of it?',
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
    'The agent printed its marker in a message of its own.',
    'All its messages take the place of the result.',
  ),
  'recover:channel_b_promoted': rule(
    'No readable result, but channel B saw the end and the marker stands in a message.',
    'The run is read as a success, without error.',
  ),
  'recover:dir_missing_promoted': rule(
    'No readable result and no folder of the agent’s log, but the marker stands in a message.',
    'The run is read as a success, without error.',
  ),
  'recover:dir_missing_failed': rule(
    'No readable result, no folder of the agent’s log, and no message with the marker alone.',
    'Nothing can be put together.',
  ),
  'recover:pattern_block': rule(
    'The expected patterns stand in the messages, but not in the result.',
    'The messages are added to the result.',
  ),
  'recover:artifact_synthesis': rule(
    'A path was asked for and not named, but a file was written.',
    'A line that names the last written file is put in front of the result: it is synthetic.',
  ),
  'content:ok': rule('The result holds everything that was agreed on.', 'Success.'),
  'content:fail:is_error': rule('The result record says that it is an error.', 'No success.'),
  'content:fail:empty_result': rule('The result is blank.', 'No success.'),
  'content:fail:failure_subtype': rule('The output does not say how the session ended.', 'No success.'),
  'content:fail:result_is_only_marker': rule(
    'The result holds nothing but the completion marker.',
    'No success.',
  ),
  'content:fail:completion_marker_absent': rule('The completion marker is not in the result.', 'No success.'),
  'content:fail:expected_artifact_absent': rule(
    'Not every expected pattern is found in the result.',
    'No success.',
  ),
  pattern_engine_differs: rule(
    'An expected pattern is one that RE2 cannot search with Python’s meaning.',
    'Whether it is found stays unknown, and with it all that hangs on it.',
  ),
  'success:channel_b_bypass': rule(
    'Channel B saw the end, and every expected pattern was found (or none was asked for).',
    'Success without a look at the content, the exit code or the end.',
  ),
  'success:channel_b_bypass_refused': rule(
    'Channel B saw the end, but patterns were asked for and the session did not end well.',
    'The channel does not decide: the end and the content do.',
  ),
  'success:channel_b_patterns_missing': rule(
    'Channel B saw the end, but an expected pattern is not found.',
    'No success.',
  ),
  'success:post_completion_kill': rule(
    'The process was stopped after it had printed its result and marker.',
    'The exit code is forgiven, and the content decides.',
  ),
  'retry:api_signal': rule('The run was cut by its turns or its context.', 'Another try is asked for.'),
  'retry:kill_anomaly': rule(
    'The process ended without a result that can be read.',
    'Another try is asked for.',
  ),
  'retry:early_stop': rule(
    'There is a result, but the agent stopped before its completion marker.',
    'Another try is asked for.',
  ),
  'retry:none': rule('Nothing in how it ended asks for another attempt.', 'No retry.'),
  'stale:recovered': rule('It went silent, but had delivered its result before.', 'Success.'),
  'idle_stall:killed': rule(
    'It stood still and was stopped; its output is not looked at.',
    'Another try is asked for.',
  ),
  'guard:contradiction': rule(
    'It reads as a success and asks for another attempt at once.',
    'The success is dropped, the retry stands.',
  ),
  'guard:dead_end_promoted:absent': rule(
    'A channel saw the end, but the output is absent: it was lost on the way.',
    'Another try is made.',
  ),
  'guard:dead_end_promoted:contract_violation': rule(
    'A channel saw the end, and the policy retries output that breaks the contract.',
    'Another try is made.',
  ),
  'guard:dead_end_promoted:session_error': rule(
    'A channel saw the end, and the policy retries a session that reports an error.',
    'Another try is made.',
  ),
  'guard:dead_end_promoted:complete': rule(
    'A channel saw the end, and the policy retries although the output is complete.',
    'Another try is made.',
  ),
  'guard:dead_end_terminal:absent': rule(
    'A channel saw the end and the output is absent, but the policy does not retry that.',
    'It stays failed.',
  ),
  'guard:dead_end_terminal:contract_violation': rule(
    'A channel saw the end: the output is there and is not what was asked for.',
    'It stays failed.',
  ),
  'guard:dead_end_terminal:session_error': rule(
    'A channel saw the end: the session reports an error.',
    'It stays failed.',
  ),
  'guard:dead_end_terminal:complete': rule(
    'A channel saw the end: the output is complete, and something else failed.',
    'It stays failed.',
  ),
  'gate:path_contamination': rule(
    'The agent named a path outside of its working directory.',
    'Another try is made, whatever the verdict was.',
  ),
  'warn:write_paths': rule(
    'Calls wrote or named paths outside of the working directory.',
    'Told, never judged.',
  ),
  'gate:budget_exhausted': rule(
    'As many attempts in a row as are allowed have asked for another one.',
    'No further attempt is made.',
  ),
  'gate:contract_recovery': rule(
    'Files were written, but the result does not name what was expected.',
    'Another try is made: it is asked for the missing lines.',
  ),
  'gate:zero_writes': rule(
    'It succeeded, but nothing was written although that was expected.',
    'The success is taken back, another attempt is made.',
  ),
  agent_signal: rule('The agent declared in its result that it failed.', 'Failed, whatever it delivered.'),
  permission_denied: rule('Tools that it asked for were refused.', 'Failed, whatever it delivered.'),
  peer_parse_exception: rule(
    'The output is such that reading it raises where the rules come from.',
    'Failed, without a look at anything else.',
  ),
}

/** What a rule says; null for a code that only a newer version knows. */
export const ruleWords = (code: string): RuleWords | null =>
  Object.hasOwn(RULE_WORDS, code) ? RULE_WORDS[code as DecisionRule] : null
