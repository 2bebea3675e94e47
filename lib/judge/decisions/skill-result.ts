import { historyRecord, type HistoryRecord } from './budget'
import { readContract } from './contract-reader'
import { decide, type Decided, type DecisionFacts } from './decide'
import { gatherer, type Gathered } from './gather-facts'
import type { ParsedStdout } from './parse-stdout'
import { worktreeOf } from './paths-outside'
import type { Policy } from './policies'
import { truncate } from './python-text'
import type { RunContext } from './run-evidence'
import { resultKindOf, type ResultKind, type Session, type TokenUsage } from './session'
import type { VerdictFacts } from './verdict-facts'

/** The result as the source would hand it on. */
export interface SkillResult {
  success: boolean
  /** Null when a fixed notice stands for it; see `resultKind`. */
  result: string | null
  resultKind: ResultKind
  sessionId: string
  subtype: string
  cliSubtype: string
  isError: unknown
  exitCode: number
  killReason: string
  needsRetry: boolean
  /** One of `RETRY_REASONS`. */
  retryReason: string
  stderr: string
  tokenUsage: TokenUsage | null
  writePathWarnings: string[]
  writeCallCount: number
  worktreePath: string | null
}

export interface JudgedRun {
  decided: Decided
  /** What the decision was made of: enough to make it again under another policy. */
  facts: DecisionFacts
  result: SkillResult
  /** After recovery; null when none was looked at. */
  session: Session | null
  /** What this attempt adds to the history; null without one. */
  appended: HistoryRecord[] | null
}

/** The source would have raised: recorded as a crash that is not tried again. */
export interface CrashedRun {
  crashed: 'peer_parse_exception'
  why: string
  decided: Decided
  facts: DecisionFacts
  /** What could be read all the same. */
  session: Session
}

/** More of the output was needed than we hold. */
export interface UnjudgedRun {
  unjudged: 'output_too_long'
  /** As far as it was read. */
  session: Session
}

/**
 * Judges one attempt, whose output was read piece by piece, as the source does: parse, recover, success and retry, guards, gates and budget. Never throws.
 *
 * @see docs/sources/decisions.md
 */
export function judgeParsed(
  context: RunContext,
  parsed: ParsedStdout,
  policy: Policy,
): JudgedRun | CrashedRun | UnjudgedRun {
  if (parsed.tooLong && context.termination !== 'idle_stall')
    return { unjudged: 'output_too_long', session: parsed.session }
  const gathered = gatherer(context, parsed)(context, readContract(context))
  const { facts } = gathered
  const decided = decide(facts, policy)
  switch (facts.way.kind) {
    case 'crashed':
      return { crashed: 'peer_parse_exception', why: facts.way.why, facts, decided, session: parsed.session }
    case 'session':
      return sessionResult(context, gathered, facts.way.verdict, decided)
    case 'stale':
      if (decided.recoveredFromStale) return recoveredResult(context, gathered, facts.way.verdict!, decided)
  }
  return stalledResult(context, facts, decided)
}

function sessionResult(
  context: RunContext,
  { facts, session: given, text, exitCode, warnings }: Gathered,
  verdict: VerdictFacts,
  decided: Decided,
): JudgedRun {
  const session = given!
  const result: SkillResult = {
    ...verdictFields(decided),
    result: text(),
    resultKind: resultKindOf(verdict),
    sessionId: session.sessionId || context.transportSessionId,
    cliSubtype: session.subtype,
    isError: session.isError,
    exitCode,
    killReason: decided.contaminated ? 'natural_exit' : context.killReason,
    stderr: truncate(context.stderr),
    tokenUsage: session.tokenUsage,
    writePathWarnings: warnings,
    writeCallCount: facts.gates.writeCount,
    worktreePath: worktreeOf(session.assistantMessages),
  }
  return { decided, facts, result, session, appended: appendedTo(context, decided, exitCode) }
}

/** What is fixed in the result of an attempt that went silent or stood still. */
const STILL = {
  cliSubtype: '',
  killReason: 'natural_exit',
  writePathWarnings: [],
  writeCallCount: 0,
  worktreePath: null,
}

function recoveredResult(
  context: RunContext,
  { facts, session: given, exitCode }: Gathered,
  verdict: VerdictFacts,
  decided: Decided,
): JudgedRun {
  const session = given!
  const resultKind = resultKindOf(verdict)
  return {
    decided,
    facts,
    session: null,
    appended: context.history === null ? null : [],
    result: {
      ...verdictFields(decided),
      ...STILL,
      result: resultKind === 'text' ? truncate(session.result) : null,
      resultKind,
      sessionId: session.sessionId || context.transportSessionId || context.channelBSessionId,
      isError: false,
      exitCode,
      stderr: context.stderr,
      tokenUsage: session.tokenUsage,
    },
  }
}

function stalledResult(context: RunContext, facts: DecisionFacts, decided: Decided): JudgedRun {
  const idle = facts.way.kind === 'idle_stall'
  return {
    decided,
    facts,
    session: null,
    appended: appendedTo(context, decided, context.exitCode),
    result: {
      ...verdictFields(decided),
      ...STILL,
      result: null,
      resultKind: idle ? 'canned_idle_stall' : 'canned_stale',
      sessionId: context.transportSessionId || context.channelBSessionId,
      isError: idle,
      exitCode: -1,
      stderr: '',
      tokenUsage: null,
    },
  }
}

const verdictFields = ({
  success,
  needsRetry,
  retryReason,
  subtype,
}: Decided): Pick<SkillResult, 'success' | 'needsRetry' | 'retryReason' | 'subtype'> => ({
  success,
  needsRetry,
  retryReason,
  subtype,
})

function appendedTo(
  { history, command, stderr }: RunContext,
  { recorded }: Decided,
  exitCode: number,
): HistoryRecord[] | null {
  if (history === null) return null
  // A success is remembered elsewhere: all the history knows of it is that the row of failures ended.
  if (recorded.success || command === '') return []
  const { subtype, needsRetry, retryReason } = recorded
  return [historyRecord({ command, exitCode, subtype, needsRetry, retryReason, stderr })]
}
