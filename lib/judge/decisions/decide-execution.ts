import { UNKNOWN, type Decision, type VerdictWords } from './decision'
import type { ParsedStdout } from './parse-stdout'
import { CURRENT_POLICY } from './policies'
import { decidingRule, readingOf } from './reading'
import { gatherWhatIf } from './gather-what-if'
import { crashStep } from './kept'
import { step, type RuleStep } from '../../model/rule-step'
import type { RunContext } from './run-evidence'
import { messageText } from '../message-text'
import { gatherPossible } from './possible-facts'
import { judgeParsed } from './skill-result'
import { besideDecision } from './recorder'
import { recordedWords } from './recorded'
import { decideWithUnknowns, patternOfInput, type PossibleFacts } from './unknowns'
import { contentStatesOf } from '../../model/content-states'
import { cutAtWord } from '../../text/visible'
import { judgeRun, type RunVerdict } from '../../formats/claude/run-verdict'
import type { DecisionReason } from '../../model/messages/decision'
import type { OutcomeMessage } from '../../model/messages/outcome'
import type { ExecutionSummary, SourceVerdict, WithEvidence } from '../../model/summary'
import type { RunFact } from '../../model/run-facts'

export interface StdoutEvidence {
  parsed: ParsedStdout
  redacted: boolean
}

/** What is known without the evidence. */
type Inferred = Pick<ExecutionSummary, 'outcome' | 'outcomeRule' | 'outcomeParams' | 'evidence'>

/** Of what was analysed alone, the rule is always one of an outcome. */
const outcomeOf = ({ outcomeRule: id, outcomeParams: params }: Inferred): OutcomeMessage =>
  ({ id, params }) as OutcomeMessage

/**
 * Decides about an execution: what its source recorded stands, beside what we make of the process that was recorded last. Null when
 * there is neither, and what the execution did is all there is to go by.
 *
 * @param stdout what that process printed; null when not all of it is here
 * @see docs/sources/decisions.md
 */
export function decideExecution(inferred: Inferred, stdout: StdoutEvidence | null): Decision | null {
  const newestRun = inferred.evidence.runs.at(-1)
  const decision = beside(inferred.evidence, newestRun ? decideRun(inferred, newestRun.fact, stdout) : null)
  const verdict = newestRun?.fact.verdict
  return decision && verdict ? { ...decision, recorder: besideDecision(verdict, decision) } : decision
}

/** What the source recorded, where it did, with ours beside it. */
function beside(
  { recorded: source, result }: ExecutionSummary['evidence'],
  ours: Decision | null,
): Decision | null {
  const words = source && recordedWords(source.fact, result?.fact.isError ?? null)
  if (!source || !words) return ours
  const recomputed = ours?.recomputed ?? null
  return {
    ...(ours ?? NO_EVIDENCE),
    ...words,
    contentState: knownOf(recomputed?.contentState) ?? words.contentState,
    basis: 'recorded',
    policy: CURRENT_POLICY.name,
    rule: 'recorded_by_source',
    reason: {
      id: 'recorded_by_source',
      params: { outcome: words.outcome, retryReason: words.retryReason, subtype: words.subtype },
    },
    recorded: words,
    recomputed,
    differs: recomputed ? differing(words, recomputed) : [],
    evidence: besideOurs(ours?.evidence ?? {}, sourceEvidence(source.fact)),
  }
}

const NO_EVIDENCE = {
  missing: ['output', 'channel', 'completion marker', 'expected patterns'],
  trace: [],
  whatIf: null,
  inputRedacted: false,
  recorder: null,
}

/** What the source says is above what we saw; what it does not say takes nothing away. */
const besideOurs = (ours: Decision['evidence'], source: Decision['evidence']): Decision['evidence'] => ({
  ...ours,
  ...Object.fromEntries(Object.entries(source).filter(([name, value]) => value !== null || !(name in ours))),
})

/** Words on which both say something, and not the same. */
const differing = (recorded: VerdictWords, recomputed: VerdictWords): Decision['differs'] =>
  (['contentState', 'outcome', 'retryReason', 'subtype'] as const).filter(
    (word) =>
      recorded[word] !== UNKNOWN &&
      recomputed[word] !== UNKNOWN &&
      !(word === 'contentState' ? contentStatesOf(recorded[word]) : [recorded[word]]).includes(
        recomputed[word],
      ),
  )

const knownOf = (word: string | undefined): string | undefined => (word === UNKNOWN ? undefined : word)

const sourceEvidence = (fact: SourceVerdict): Decision['evidence'] => ({
  success: fact.success ?? null,
  subtype: fact.subtype ?? null,
  cli_subtype: fact.cliSubtype ?? null,
  exit_code: fact.exitCode ?? null,
  termination: fact.terminationReason ?? null,
  kill_reason: fact.killReason ?? null,
  needs_retry: fact.needsRetry ?? null,
  retry_reason: fact.retryReason ?? null,
  write_calls: fact.writeCallCount ?? null,
  command: fact.skillCommand === undefined ? null : cutAtWord(fact.skillCommand, CHARS_SHOWN),
  kitchen: fact.kitchenId ?? null,
  order: fact.orderId ?? null,
  step: fact.stepName ?? null,
  ...(fact.writePathWarnings?.length ? { write_path_warnings: fact.writePathWarnings } : {}),
  ...(fact.crash ? { crash: fact.crash } : {}),
})

function decideRun(inferred: Inferred, run: RunFact, stdout: StdoutEvidence | null): Decision {
  const missing = missingOf(run, stdout)
  if (missing.length > 0 || stdout === null) return notRecomputed(inferred, run, missing)
  const signal = judgeRun(exitCodeOf(run), inferred.evidence.result?.fact ?? null)
  if (signal.kind === 'agent_signal' || signal.kind === 'permission_denied')
    return recomputed(inferred, run, stdout, {
      signal: step('signal', signal.kind, { says: signal.text! }, 'failed'),
      reason:
        signal.kind === 'agent_signal'
          ? { id: 'agent_signal', params: { reason: messageText(signal.reason) } }
          : {
              id: 'permission_denied',
              params: { tools: deniedTools(signal).map((tool) => messageText(tool)) },
            },
    })
  return recomputed(inferred, run, stdout, null)
}

const deniedTools = ({ detail }: RunVerdict): string[] => (detail && 'tools' in detail ? detail.tools : [])

const SIGNALS: Record<string, number> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
}

/** Of a process that a signal ended, the number of the signal below zero. */
function exitCodeOf({ exitCode, signal }: RunFact): number | null {
  return exitCode ?? (signal === null ? null : -(SIGNALS[signal] ?? 1))
}

function missingOf(run: RunFact, stdout: StdoutEvidence | null): string[] {
  return [
    ...(exitCodeOf(run) === null ? ['exit code'] : []),
    ...(run.termination === null ? ['termination'] : []),
    ...(stdout === null ? ['output'] : []),
    ...(!hasContract(run) && stdout !== null && isPlain(run)
      ? ['completion marker', 'expected patterns']
      : []),
  ]
}

const hasContract = ({ marker, patterns }: RunFact): boolean => marker !== '' || patterns.length > 0

/** It printed no records: its whole output is its answer. */
const isPlain = ({ stdout }: RunFact): boolean => stdout.kind === null

function notRecomputed(inferred: Inferred, run: RunFact, missing: string[]): Decision {
  const exitCode = exitCodeOf(run)
  const failed: DecisionReason | null =
    run.termination === 'timed_out'
      ? { id: 'timed_out', params: { limitS: run.timeoutS ?? null } }
      : exitCode !== null && exitCode !== 0
        ? exitReason(run)
        : null
  // What the agent's own records say of the end stands, but for a process that is known to have failed.
  const byProcess = exitCode !== null && (failed !== null || inferred.outcome === 'unknown')
  const outcome = byProcess ? (failed === null ? 'succeeded' : 'failed') : inferred.outcome
  return {
    basis: 'inferred',
    policy: CURRENT_POLICY.name,
    contentState: UNKNOWN,
    outcome,
    retryReason: UNKNOWN,
    subtype: UNKNOWN,
    rule: byProcess ? 'exit_code' : inferred.outcomeRule,
    reason: byProcess
      ? (failed ?? { id: 'exit_zero', params: {} })
      : { id: 'by_records', params: { outcome: outcomeOf(inferred) } },
    missing,
    differs: [],
    recorded: null,
    recomputed: null,
    recorder: null,
    trace: [],
    evidence: evidenceOf(run),
    whatIf: null,
    inputRedacted: false,
  }
}

const exitReason = ({ exitCode, signal }: RunFact): DecisionReason =>
  signal === null
    ? { id: 'exit_code', params: { exitCode: exitCode! } }
    : { id: 'killed', params: { signal } }

/** What the run says of itself, which is above the rules. */
interface Override {
  signal: RuleStep
  reason: DecisionReason
}

function recomputed(
  inferred: Inferred,
  run: RunFact,
  { parsed, redacted }: StdoutEvidence,
  override: Override | null,
): Decision {
  const evidence = runEvidence(run)
  const given = isPlain(run) ? asAnswer(parsed) : parsed
  const judged = judgeParsed(evidence, given, CURRENT_POLICY)
  const rest = {
    basis: 'recomputed' as const,
    policy: CURRENT_POLICY.name,
    missing: [],
    differs: [],
    recorded: null,
    recorder: null,
    inputRedacted: redacted,
  }
  if ('unjudged' in judged) return notRecomputed(inferred, run, ['output: longer than is held'])
  if ('crashed' in judged) {
    const words: VerdictWords = {
      contentState: UNKNOWN,
      outcome: 'failed',
      retryReason: 'none',
      subtype: 'crashed',
    }
    return {
      ...rest,
      ...words,
      recomputed: words,
      rule: judged.crashed,
      reason: { id: 'parser_crashed', params: { why: messageText(judged.why) } },
      trace: [crashStep(judged.why)],
      evidence: evidenceOf(run, given),
      whatIf: null,
    }
  }
  const possible = run.patterns.length === 0 ? null : gatherPossible(evidence, given)
  if (override === null && possible !== null && possible.missing.length > 0)
    return notLookedFor(inferred, run, { parsed: given, redacted }, possible)
  const { decided, facts } = judged
  const words: VerdictWords = {
    contentState: decided.contentState ?? UNKNOWN,
    outcome: decided.outcome,
    retryReason: decided.retryReason,
    subtype: decided.subtype,
    ...(override && { outcome: 'failed', retryReason: 'none' }),
  }
  return {
    ...rest,
    ...words,
    recomputed: words,
    rule: override?.signal.rule ?? decidingRule(decided),
    reason: override?.reason ?? readingOf(decided, facts.way.kind === 'session' ? facts.way.verdict : null),
    trace: override === null ? decided.trace : [...decided.trace, override.signal],
    evidence: evidenceOf(run, given),
    whatIf: override === null ? gatherWhatIf(evidence, given) : null,
  }
}

/**
 * Of a contract that cannot be looked for as the source does, what holds whether it is there or not; the rest stays unknown, and the
 * outcome what the records say by themselves.
 */
function notLookedFor(
  inferred: Inferred,
  run: RunFact,
  { parsed, redacted }: StdoutEvidence,
  possible: PossibleFacts,
): Decision {
  const { missing, could: _, ...words } = decideWithUnknowns(possible, CURRENT_POLICY)
  const patterns = missing.map((name) => patternOfInput(name) ?? name)
  const unread = step('content', 'pattern_engine_differs', { patterns }, 'unknown')
  const reason = (outcome: string | null, records: DecisionReason | null): DecisionReason => ({
    id: 'patterns_not_searchable',
    params: { patterns: patterns.map((pattern) => messageText(pattern)), outcome, records },
  })
  const rest = {
    missing: [...missing],
    trace: [unread],
    evidence: evidenceOf(run, parsed),
    inputRedacted: redacted,
    whatIf: null,
  }
  if (words.outcome === UNKNOWN) {
    const byRecords = notRecomputed(inferred, run, rest.missing)
    return {
      ...byRecords,
      ...rest,
      contentState: words.contentState,
      reason: reason(null, byRecords.reason),
    }
  }
  return {
    basis: 'recomputed',
    policy: CURRENT_POLICY.name,
    differs: [],
    recorded: null,
    recorder: null,
    ...words,
    recomputed: words,
    rule: 'pattern_engine_differs',
    ...rest,
    reason: reason(words.outcome, null),
  }
}

/** A run that printed no records answered with all it printed. */
const asAnswer = (parsed: ParsedStdout): ParsedStdout => ({
  ...parsed,
  raises: null,
  session: { ...parsed.session, subtype: 'success', isError: false },
})

const runEvidence = (run: RunFact): RunContext => ({
  stderr: '',
  exitCode: exitCodeOf(run)!,
  termination: run.termination!,
  channel: run.channelConfirmation ?? 'unmonitored',
  killReason: run.killReason ?? 'not_applicable',
  transportSessionId: '',
  channelBSessionId: '',
  marker: run.marker,
  patterns: run.patterns,
  command: run.command.join(' '),
  history: null,
  maxConsecutiveRetries: 3,
  cwd: '',
  writeExpectation: null,
})

const CHARS_SHOWN = 400

function evidenceOf(run: RunFact, parsed?: ParsedStdout): Decision['evidence'] {
  const session = parsed?.session
  return {
    exit_code: run.exitCode,
    signal: run.signal,
    termination: run.termination,
    channel: run.channelConfirmation,
    kill_reason: run.killReason,
    ...(run.timeoutS == null ? {} : { timeout_s: run.timeoutS }),
    ...(run.failureTag === undefined ? {} : { failure_tag: run.failureTag }),
    marker: run.marker,
    patterns: run.patterns,
    command: cutAtWord(run.command.join(' '), CHARS_SHOWN),
    ...(session
      ? {
          subtype: session.subtype,
          is_error: session.isError === true,
          result_chars: session.result.length,
          result_tail: session.result.slice(-200),
        }
      : {}),
    ...(parsed && isPlain(run) ? { plain_output: true } : {}),
    ...(parsed && parsed.warnings.length > 0 ? { warnings: parsed.warnings } : {}),
  }
}

/** The last process, with its bytes. */
export const lastRun = (inferred: Inferred): WithEvidence<RunFact> | null =>
  inferred.evidence.runs.at(-1) ?? null
