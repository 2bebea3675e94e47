import { concludeVerdict } from '@/lib/judge/decisions/verdict'
import { contentFaultOf } from '@/lib/judge/decisions/content-state'
import { readContract } from '@/lib/judge/decisions/contract-reader'
import { factsOf } from '@/lib/judge/decisions/gather-facts'
import { CURRENT_POLICY, policyNamed } from '@/lib/judge/decisions/policies'
import { codePointCount } from '@/lib/judge/decisions/python-text'
import { PeerRaises } from '@/lib/judge/decisions/python-values'
import {
  isComplete,
  isKillAnomaly,
  resultKindOf,
  type Session,
  type TokenCounters,
  type ToolUse,
} from '@/lib/judge/decisions/session'
import type { JudgedRun } from '@/lib/judge/decisions/skill-result'
import { judgeAttempt, parseStdout } from '@/lib/judge/decisions/testing/whole-output'
import { patternsFound, type ProcessFacts } from '@/lib/judge/decisions/verdict-facts'
import { jsonLines } from './json-lines'
import type { RunEvidence } from '@/lib/judge/decisions/testing/whole-output'

type Wire = Record<string, unknown>

const LEGACY = policyNamed('legacy-promote-all')!
const file =
  (name: string) =>
  (path: string): boolean =>
    path.endsWith(`content-state/${name}.jsonl`)

const countersOut = (counters: TokenCounters): Wire => ({
  input_tokens: counters.inputTokens,
  output_tokens: counters.outputTokens,
  cache_creation_input_tokens: counters.cacheCreationInputTokens,
  cache_read_input_tokens: counters.cacheReadInputTokens,
})

function usageOut(usage: Session['tokenUsage']): Wire | null {
  if (usage === null) return null
  const breakdown = Object.entries(usage.modelBreakdown).map(([model, counters]) => [
    model,
    countersOut(counters),
  ])
  return { ...countersOut(usage), model_breakdown: Object.fromEntries(breakdown) }
}

const toolUseOut = ({ name, id, filePath }: ToolUse): Wire => ({ name, id, file_path: filePath })

/** Runs what the source raises in: its class is Python's own, so only that it raises can be compared. */
function raising<T>(work: () => T): T | 'raises' {
  try {
    return work()
  } catch (error) {
    if (error instanceof PeerRaises) return 'raises'
    throw error
  }
}

/** Neither how a process ended nor a contract has a part in what its output alone tells. */
const ENDED: ProcessFacts = { exitCode: 0, termination: 'natural_exit', channel: 'unmonitored' }
const NO_CONTRACT = readContract({ marker: '', patterns: [] })

export const contentStateParse = jsonLines<{ id: string; input: { stdout: string }; expected: Wire }>(
  'content-state/parse',
  file('parse'),
  ({ input, expected }) => {
    const { session, raises } = parseStdout(input.stdout)
    if ('raises' in expected) return { expected: 'raises', got: raises === null ? 'no exception' : 'raises' }
    const read = {
      subtype: session.subtype,
      is_error: session.isError,
      result: session.result,
      session_id: session.sessionId,
      errors: session.errors,
      token_usage: usageOut(session.tokenUsage),
      assistant_messages: session.assistantMessages,
      tool_uses: session.toolUses.map(toolUseOut),
      jsonl_context_exhausted: session.exhaustedFlag,
    }
    const derived = raising(() => {
      const { exhaustion } = factsOf(session, ENDED, NO_CONTRACT)
      const retry = session.subtype === 'error_max_turns' || exhaustion !== null
      return {
        session_complete: isComplete(session),
        context_exhausted: exhaustion !== null,
        needs_retry: retry,
        retry_reason: retry ? 'resume' : 'none',
        agent_result_kind: resultKindOf({ exhaustion, subtype: session.subtype }),
      }
    })
    const { derived_raises: derivedRaises, ...plain } = expected
    if (derivedRaises !== undefined)
      return { expected: { ...plain, derived: 'raises' }, got: { ...read, derived } }
    return { expected, got: derived === 'raises' ? derived : { ...read, ...derived } }
  },
)

export interface OutcomeCase {
  id: string
  input: {
    session: {
      subtype: string
      is_error: unknown
      result: string
      errors: unknown[]
      jsonl_context_exhausted: boolean
      tool_uses: { name: string; id: string; file_path?: string }[]
    }
    returncode: number
    termination: string
    completion_marker: string
    channel_confirmation: string
    expected_output_patterns: string[]
  }
  expected: Wire
}

export const sessionOf = ({ session }: OutcomeCase['input']): Session => ({
  subtype: session.subtype,
  isError: session.is_error,
  result: session.result,
  sessionId: '',
  errors: session.errors,
  tokenUsage: null,
  assistantMessages: [],
  exhaustedFlag: session.jsonl_context_exhausted,
  toolUses: session.tool_uses.map(({ name, id, file_path: filePath }) => ({ name, id, filePath })),
})

export const processOf = ({
  returncode,
  termination,
  channel_confirmation: channel,
}: OutcomeCase['input']): ProcessFacts => ({ exitCode: returncode, termination, channel })

export const contentStateOutcome = jsonLines<OutcomeCase>(
  'content-state/outcome',
  file('outcome'),
  ({ input, expected }) => {
    const session = sessionOf(input)
    const contract = readContract({
      marker: input.completion_marker,
      patterns: input.expected_output_patterns,
    })
    const facts = factsOf(session, processOf(input), contract)
    const verdict = concludeVerdict(facts, CURRENT_POLICY)
    const legacy = concludeVerdict(facts, LEGACY)
    const got = {
      content_state: verdict.contentState,
      content_ok: contentFaultOf(facts) === null,
      patterns_ok: patternsFound(facts),
      session_complete: isComplete(session),
      context_exhausted: facts.exhaustion !== null,
      kill_anomaly: isKillAnomaly(facts.subtype, facts.blank),
      success_signal: verdict.successSignal,
      retry_signal: [verdict.retrySignal.needsRetry, verdict.retrySignal.reason],
      outcome: verdict.outcome,
      success: verdict.success,
      needs_retry: verdict.needsRetry,
      retry_reason: verdict.retryReason,
      subtype: verdict.subtype,
      result_kind: resultKindOf(facts),
      trace: verdict.trace.map(({ rule }) => rule),
      legacy: { outcome: legacy.outcome, retry_reason: legacy.retryReason, subtype: legacy.subtype },
    }
    return { expected, got }
  },
)

export interface EndToEndCase {
  id: string
  input: {
    stdout: string
    stderr: string
    returncode: number
    termination: string
    channel_confirmation: string
    kill_reason: string
    transport_session_id: string
    channel_b_session_id: string
    completion_marker: string
    skill_command: string
    audit_history:
      | { kind: string; skill_command: string; needs_retry?: boolean; retry_reason?: string }[]
      | null
    max_consecutive_retries: number
    expected_output_patterns: string[]
    cwd: string
    write_behavior: { mode: string | null; expected_when: string[] } | null
  }
  expected: Wire
}

export const evidenceOf = (input: EndToEndCase['input']): RunEvidence => ({
  stdout: input.stdout,
  stderr: input.stderr,
  exitCode: input.returncode,
  termination: input.termination,
  channel: input.channel_confirmation,
  killReason: input.kill_reason,
  transportSessionId: input.transport_session_id,
  channelBSessionId: input.channel_b_session_id,
  marker: input.completion_marker,
  command: input.skill_command,
  maxConsecutiveRetries: input.max_consecutive_retries,
  patterns: input.expected_output_patterns,
  cwd: input.cwd,
  history:
    input.audit_history?.map((one) => ({
      command: one.skill_command,
      exitCode: 0,
      subtype: one.kind,
      needsRetry: one.needs_retry ?? false,
      retryReason: one.retry_reason ?? 'none',
      stderr: '',
    })) ?? null,
  writeExpectation: input.write_behavior && {
    mode: input.write_behavior.mode,
    expectedWhen: input.write_behavior.expected_when,
  },
})

const RESULT_CHARS_RECORDED = 3_000

function runOut({ decided, result, session, appended }: JudgedRun): Wire {
  return {
    skill_result: {
      success: result.success,
      result: result.result,
      session_id: result.sessionId,
      subtype: result.subtype,
      cli_subtype: result.cliSubtype,
      is_error: result.isError,
      exit_code: result.exitCode,
      kill_reason: result.killReason,
      needs_retry: result.needsRetry,
      retry_reason: result.retryReason,
      stderr: result.stderr,
      token_usage: usageOut(result.tokenUsage),
      write_path_warnings: result.writePathWarnings,
      write_call_count: result.writeCallCount,
      worktree_path: result.worktreePath ?? undefined,
    },
    result_kind: result.resultKind,
    outcome: decided.outcome,
    content_state: decided.contentState,
    adjudicated_session: session && {
      subtype: session.subtype,
      is_error: session.isError,
      result_chars: codePointCount(session.result),
      result: codePointCount(session.result) > RESULT_CHARS_RECORDED ? null : session.result,
    },
    audit_appended:
      appended?.map((one) => ({
        skill_command: one.command,
        exit_code: one.exitCode,
        subtype: one.subtype,
        needs_retry: one.needsRetry,
        retry_reason: one.retryReason,
        stderr: one.stderr,
      })) ?? null,
    trace: decided.trace.map(({ rule }) => rule),
  }
}

export const contentStateEndToEnd = jsonLines<EndToEndCase>(
  'content-state/e2e',
  file('e2e'),
  ({ input, expected }) => {
    const judged = judgeAttempt(evidenceOf(input), CURRENT_POLICY)
    if ('raises' in expected)
      return { expected: 'raises', got: 'crashed' in judged ? 'raises' : 'no exception' }
    const legacy = judgeAttempt(evidenceOf(input), LEGACY)
    if (!('result' in judged) || !('result' in legacy)) return { expected, got: 'no result' }
    const { outcome, success, needsRetry, retryReason, subtype } = legacy.decided
    return {
      expected,
      got: {
        ...runOut(judged),
        legacy: { outcome, success, needs_retry: needsRetry, retry_reason: retryReason, subtype },
      },
    }
  },
)
