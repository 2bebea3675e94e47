import type {
  DecisionAnswer,
  DecisionAnswers,
  DecisionQuestion,
  DecisionReason,
  DecisionReasons,
  ProcessEnd,
  ShortAnswer,
} from '../model/messages/decision'
import { durationWords } from './duration'
import { contentStateWords } from './content-states'
import { textOf, type Catalogue } from './catalogue'
import { RULE_WORDS, ruleWords } from './decision-rules'
import { OUTCOME_WORDS } from './outcome'
import { channelWords, retryReasonWords, terminationWords } from './decision-values'

const quote = (text: string): string => `“${text}”`
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
const count = (n: number, one: string): string => `${n.toLocaleString('en')} ${n === 1 ? one : `${one}s`}`
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const RECORDED: Record<string, string> = {
  success: 'a success',
  recovered_from_stale: 'a success after the run went silent',
  adjudicated_failure: 'a failure: the result was rejected',
  missing_completion_marker: 'a failure: no completion marker',
  empty_result: 'a failure: blank result',
  empty_output: 'a failure: no output',
  unparseable: 'a failure: no readable result',
  context_exhausted: 'a failure: context window used up',
  context_exhaustion: 'a failure: context window used up',
  error_max_turns: 'a failure: turn limit reached',
  error_during_execution: 'a failure: the agent reported an error',
  timeout: 'a failure: timed out',
  interrupted: 'a failure: interrupted',
  stale: 'a failure: went silent and was stopped',
  idle_stall: 'a failure: stalled and was stopped',
  path_contamination: 'a failure: the agent wrote outside its working directory',
  zero_writes: 'a failure: none of the expected files were written',
  crashed: 'a failure: the source itself crashed',
}

function recordedWords({ outcome, retryReason, subtype }: DecisionReasons['recorded_by_source']): string {
  const what =
    RECORDED[subtype] ??
    (outcome === 'succeeded'
      ? 'a success'
      : subtype === 'unknown'
        ? 'a failure without a reason'
        : `an unknown kind of failure: ${subtype}`)
  const retry =
    outcome === 'retriable'
      ? `; retry requested (${retryReasonWords(retryReason)})`
      : retryReason === 'unknown'
        ? '; retry not recorded'
        : outcome === 'failed'
          ? `; no retry${retryReason === 'none' ? '' : ` (${retryReasonWords(retryReason)})`}`
          : ''
  return `The source recorded ${what}${retry}.`
}

const RETRY_SENTENCES: Record<string, string> = {
  resume: 'The run reached its turn or context limit and can be resumed.',
  stale: 'The run went silent and was stopped.',
  early_stop: 'The agent stopped without printing its completion marker.',
  empty_output: 'The process exited cleanly but printed no result.',
  drain_race: 'A channel saw the run finish, but its output was lost.',
  path_contamination: 'The agent wrote outside its working directory.',
  contract_recovery: 'The agent wrote files, but its result lacks the lines that name them.',
  zero_writes: 'The run reported success but wrote none of the expected files.',
  budget_exhausted: 'All allowed attempts failed.',
}
const retryReasonSentence = (reason: string): string =>
  RETRY_SENTENCES[reason] ?? `${capital(retryReasonWords(reason))}.`

const EITHER_WAY: Record<string, string> = {
  succeeded: ' The run succeeded either way.',
  failed: ' The run failed either way.',
  retriable: ' It is retried either way.',
}

const limitWords = (limitS: number): string =>
  Number.isInteger(limitS) ? durationWords(limitS) : `${limitS} seconds`

/** Why a decision is as it is, as a sentence. */
export const DECISION_REASONS: Catalogue<DecisionReasons> = {
  recorded_by_source: recordedWords,
  agent_signal: ({ reason }) =>
    asSentence(`The agent declared the run failed${reason === null ? '' : `: ${reason}`}`),
  permission_denied: ({ tools }) => asSentence(`Tools were denied: ${tools.join(', ')}`),
  timed_out: ({ limitS }) => `The process timed out${limitS === null ? '' : ` after ${limitWords(limitS)}`}.`,
  killed: ({ signal }) => `The process was killed by ${signal}.`,
  exit_code: ({ exitCode }) => `The process exited with code ${exitCode}.`,
  exit_zero: () => 'The process exited with code 0.',
  by_records: ({ outcome }) => textOf(OUTCOME_WORDS, outcome),
  parser_crashed: ({ why }) => `AutoSkillit’s own parser crashes on this output: ${why}.`,
  patterns_not_searchable: ({ patterns, outcome, records }) =>
    `Cannot check ${patterns.map(quote).join(', ')}: Inquest cannot search ${patterns.length === 1 ? 'it' : 'them'} exactly as the source does.${
      records === null ? (EITHER_WAY[outcome ?? ''] ?? '') : ` ${decisionReasonText(records)}`
    }`,
  recovered_from_stale: () => 'The run went silent after it had delivered its result.',
  retry_reason: ({ reason }) => retryReasonSentence(reason),
  delivered: () => 'The result is complete.',
  channel_confirmed: () => 'A channel confirmed that the run finished. The content was not checked.',
  time_limit: () => 'The run timed out.',
  no_readable_result: ({ subtype }) => `The output has no readable result (subtype ${subtype}).`,
  result_error: ({ subtype }) =>
    `The result record reports an error${subtype === null ? '' : ` (subtype ${subtype})`}.`,
  only_marker: () => 'The result contains only the completion marker.',
  end_not_reported: ({ subtype }) => `The output does not say how the run ended (subtype ${subtype}).`,
  result_blank: () => 'The result is blank.',
  not_delivered: ({ markerMissing, patterns }) => {
    const lacks = [
      ...(markerMissing ? ['the completion marker is missing'] : []),
      ...(patterns.length > 0 ? [`the result does not match ${patterns.map(quote).join(' or ')}`] : []),
    ]
    return `${capital(lacks.join(', and '))}.`
  },
  nothing_asks: () => 'The run failed, and no rule asks for a retry.',
}
/** Why it was decided so, as a sentence. */
export const decisionReasonText = (reason: DecisionReason): string => textOf(DECISION_REASONS, reason)

const QUESTIONS: Record<DecisionQuestion, string> = {
  finished: 'Did it finish?',
  output_there: 'Is there a result?',
  as_asked: 'Does it match the contract?',
  retried: 'Is it retried?',
  different_before_fix: 'Different before the fix?',
}
export const questionWords = (question: DecisionQuestion): string => QUESTIONS[question]

const SHORT: Record<ShortAnswer, string> = {
  yes: 'Yes',
  no: 'No',
  unknown: 'Unknown',
  not_asked: 'Not required',
  reason_only: 'Only the reason',
}
export const shortAnswerWords = (short: ShortAnswer): string => SHORT[short]

const endWords = (end: ProcessEnd): string | null =>
  end === null
    ? null
    : end === 'exit_code_missing'
      ? 'exit code not recorded'
      : 'exitCode' in end
        ? `exit code ${end.exitCode}`
        : `killed by ${end.signal}`
const after = (separator: string, words: string | null): string =>
  words === null ? '' : `${separator}${words}`
const resultSize = (chars: number | null): string =>
  chars === null ? 'There is a result' : `The result has ${count(chars, 'character')}`
const allPatterns = (patterns: number): string =>
  patterns === 1 ? 'the expected pattern' : `all ${patterns} expected patterns`

/** The answers to the questions about a decision. */
export const DECISION_ANSWERS: Catalogue<DecisionAnswers> = {
  end_unknown: ({ end }) => `How the process ended was not recorded${after('; ', endWords(end))}.`,
  killed_from_outside: ({ signal, channel }) =>
    `Killed by ${signal} from outside${after('; ', channel && channelWords(channel))}.`,
  not_started: ({ exitCode }) => `It could not be started (exit code ${exitCode}).`,
  ended: ({ termination, end, channel }) =>
    `${capital(terminationWords(termination))}${after(', ', endWords(end))}${after('; ', channel && channelWords(channel))}.`,
  output_complete: ({ chars, withMarker }) =>
    `${resultSize(chars)}${withMarker ? ', including the completion marker' : ''}.`,
  output_incomplete: ({ chars }) => `${resultSize(chars)}, but it does not match the contract.`,
  blank: () => 'The result is blank.',
  marker_missing: ({ chars }) => `${resultSize(chars)} but no completion marker.`,
  states_possible: ({ states }) =>
    `${contentStateWords(states)}: the source kept its verdict, not the output.`,
  blank_or_marker_missing: () => 'The result is blank or lacks its completion marker.',
  error_without_text: () => 'The session ended with an error and no text.',
  error_with_text: () => 'The session ended with an error. The result is the error text.',
  inputs_missing: ({ inputs }) => `Missing: ${inputs.join(', ')}.`,
  content_not_checked: () => 'The result of this attempt was not checked.',
  contract_unknown: () => 'The contract was not recorded.',
  no_patterns: () => 'No patterns were expected.',
  patterns_found: ({ patterns }) => `Found ${allPatterns(patterns)}.`,
  patterns_not_searched: ({ patterns }) => `Cannot search for ${allPatterns(patterns)} here.`,
  patterns_differ: ({ found, patterns, missing, invalid, differs, unknown }) => {
    const others = [
      [missing, 'missing'],
      [invalid, 'invalid'],
      [differs, 'not supported'],
      [unknown, 'unknown'],
    ] as const
    const parts = others.filter(([n]) => n > 0).map(([n, words]) => `${n} ${words}`)
    return `${found} of ${patterns} expected patterns found; ${parts.join(', ')}.`
  },
  succeeded: () => 'It succeeded.',
  retry_unknown: () => "There isn't enough information.",
  retry_requested: ({ reason, budget }) =>
    `${retryReasonSentence(reason)}${
      budget === null
        ? ''
        : budget.left > 0
          ? ` ${budget.left} of ${budget.max} retries left.`
          : ' This uses up the retry budget.'
    }`,
  reaction_unknown: ({ because }) => `${because} Whether the source retried it was not recorded.`,
  budget_exhausted: () => retryReasonSentence('budget_exhausted'),
  failed_by_itself: ({ because }) => because,
  final_by_guard: ({ rule }) => {
    const words = ruleWords(rule)
    return words === null ? '' : `${words.says} ${words.does}`
  },
  nothing_asks: () => RULE_WORDS['retry:none'].says,
  above_policies: () => 'This failure overrides every policy.',
  not_kept: () => 'Not enough was stored to decide it again.',
  other_outcome: ({ outcome, reason, untilBudget }) =>
    `Before the fix ${
      outcome === 'retriable'
        ? `it would have been retried (${retryReasonWords(reason)})`
        : `it would have ${outcome}`
    }${untilBudget ? ', until the budget stopped it' : ''}.`,
  other_reason: ({ reason }) => `Same verdict for a different reason: ${retryReasonWords(reason)}.`,
  same: () => 'Every policy gives the same verdict.',
}
export const decisionAnswerText = (answer: DecisionAnswer): string => textOf(DECISION_ANSWERS, answer)
