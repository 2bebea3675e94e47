import type {
  DecisionAnswer,
  DecisionAnswers,
  DecisionQuestion,
  DecisionReason,
  DecisionReasons,
  ProcessEnd,
  ShortAnswer,
} from '../model/messages/decision'
import { timeUpWords } from '../text/duration'
import { textOf, type Catalogue } from './catalogue'
import { RULE_WORDS, ruleWords } from './decision-rules'
import { channelWords, retryReasonWords, terminationWords } from './decision-values'

const quotedList = (texts: readonly string[]): string => texts.map((text) => `“${text}”`).join(', ')
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
const count = (n: number, one: string): string => `${n.toLocaleString('en')} ${n === 1 ? one : `${one}s`}`
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const RECORDED: Record<string, string> = {
  success: 'a success',
  recovered_from_stale: 'a success that was found after the run had gone silent',
  adjudicated_failure: 'a failure: the result does not hold what was asked for',
  missing_completion_marker: 'a failure: the completion marker is not in the result',
  empty_result: 'a failure: the result is blank',
  empty_output: 'a failure: nothing was printed',
  unparseable: 'a failure: the output holds no result record',
  context_exhausted: 'a failure: the context was used up',
  context_exhaustion: 'a failure: the context was used up',
  error_max_turns: 'a failure: the turns were used up',
  error_during_execution: 'a failure: the agent reports an error',
  timeout: 'a failure: the time was up',
  interrupted: 'a failure: the run was interrupted',
  stale: 'a failure: the run went silent and was stopped',
  idle_stall: 'a failure: the run stood still and was stopped',
  path_contamination: 'a failure: the agent wrote outside of its working directory',
  zero_writes: 'a failure: nothing was written although that was expected',
  crashed: 'a failure: the source itself broke off while it looked at the run',
}

function recordedWords({ outcome, retryReason, subtype }: DecisionReasons['recorded_by_source']): string {
  const what =
    RECORDED[subtype] ??
    (outcome === 'succeeded'
      ? 'a success'
      : subtype === 'unknown'
        ? 'a failure without saying why'
        : `a failure of a kind that is new here: ${subtype}`)
  const retry =
    outcome === 'retriable'
      ? `; another attempt was asked for (${retryReasonWords(retryReason)})`
      : retryReason === 'unknown'
        ? '; it does not keep whether another attempt was asked for'
        : outcome === 'failed'
          ? `; no further attempt was asked for${retryReason === 'none' ? '' : ` (${retryReasonWords(retryReason)})`}`
          : ''
  return `The source recorded ${what}${retry}.`
}

const RETRY_SENTENCES: Record<string, string> = {
  resume: 'The run was cut by its turns or its context: it can be resumed where it stood.',
  stale: 'The run went silent and was stopped before it ended.',
  early_stop: 'The agent stopped before it had printed its completion marker.',
  empty_output: 'The process ended well, but its output tells no result.',
  drain_race: 'The end was seen on another channel, but the output was lost on the way.',
  path_contamination: 'The agent wrote outside of its working directory.',
  contract_recovery:
    'The agent wrote files, but its result does not name what was expected: the session can be asked for it.',
  zero_writes: 'The run reports success, but nothing was written although that was expected.',
  budget_exhausted: 'The attempts of this command in a row are used up: no further one is made.',
}
const retryReasonSentence = (reason: string): string =>
  RETRY_SENTENCES[reason] ?? `${capital(retryReasonWords(reason))}.`

const EITHER_WAY: Record<string, string> = {
  succeeded: ' Either way the run succeeded.',
  failed: ' Either way the run failed.',
  retriable: ' Either way another attempt is asked for.',
}

/** Why a decision is as it is, as a sentence. */
export const DECISION_REASONS: Catalogue<DecisionReasons> = {
  recorded_by_source: recordedWords,
  agent_signal: ({ reason }) =>
    asSentence(`The agent declared the run failed${reason === null ? '' : `: ${reason}`}`),
  permission_denied: ({ tools }) => asSentence(`Tools were refused: ${tools.join(', ')}`),
  timed_out: ({ limitS }) => `${timeUpWords(limitS)} before the process ended.`,
  killed: ({ signal }) => `The process was ended by ${signal}.`,
  exit_code: ({ exitCode }) => `The process ended with exit code ${exitCode}.`,
  exit_zero: () => 'The process ended with exit code 0, and nothing more was asked of it.',
  by_records: ({ text }) => text,
  parser_crashed: ({ why }) => `Reading the output raised where the rules come from: ${why}.`,
  patterns_not_searchable: ({ patterns, outcome, records }) =>
    `Whether the result holds ${quotedList(patterns)} is not known: it cannot be looked for as the source does.${
      records === null ? (EITHER_WAY[outcome ?? ''] ?? '') : ` ${decisionReasonText(records)}`
    }`,
  recovered_from_stale: () => 'The run went silent, but had delivered its result before.',
  retry_reason: ({ reason }) => retryReasonSentence(reason),
  delivered: () => 'The result holds everything that was asked for.',
  channel_confirmed: () => 'The end was confirmed by a channel alone; the content was not asked.',
  time_limit: () => 'The time was up before the run ended: another attempt is not asked for.',
  no_readable_result: ({ subtype }) =>
    `The output holds no result that can be read (subtype ${subtype}): another attempt is not asked for.`,
  result_error: ({ subtype }) =>
    `The result record reports an error${subtype === null ? '' : ` (subtype ${subtype})`}: another attempt is not asked for.`,
  only_marker: () => 'The result holds nothing but the completion marker.',
  end_not_reported: ({ subtype }) => `The output does not say how the run ended (subtype ${subtype}).`,
  result_blank: () => 'The result is blank. Another try is not asked for.',
  not_delivered: ({ markerMissing, patterns }) => {
    const lacks = [
      ...(markerMissing ? ['the completion marker is not in the result'] : []),
      ...(patterns.length > 0 ? [`the result does not hold what was expected: ${quotedList(patterns)}`] : []),
    ]
    return `${capital(lacks.join(', and '))}. Another try is not asked for.`
  },
  nothing_asks: () => 'The run did not succeed, and nothing asks for another attempt.',
}
/** Why it was decided so, as a sentence. */
export const decisionReasonText = (reason: DecisionReason): string => textOf(DECISION_REASONS, reason)

const QUESTIONS: Record<DecisionQuestion, string> = {
  finished: 'Did it finish?',
  output_there: 'Is the output there?',
  as_asked: 'Is it what was asked?',
  retried: 'Will it be retried, and why?',
  different_before_fix: 'Different before the fix?',
}
export const questionWords = (question: DecisionQuestion): string => QUESTIONS[question]

const SHORT: Record<ShortAnswer, string> = {
  yes: 'Yes',
  no: 'No',
  unknown: 'Not known',
  not_asked: 'Not asked',
  reason_only: 'Only the reason',
}
export const shortAnswerWords = (short: ShortAnswer): string => SHORT[short]

const endWords = (end: ProcessEnd): string | null =>
  end === null
    ? null
    : end === 'exit_code_missing'
      ? 'its exit code is not known'
      : 'exitCode' in end
        ? `exit code ${end.exitCode}`
        : `ended by ${end.signal}`
const after = (separator: string, words: string | null): string =>
  words === null ? '' : `${separator}${words}`
const resultSize = (chars: number | null): string =>
  chars === null ? 'There is a result' : `The result holds ${count(chars, 'character')}`
const allPatterns = (patterns: number): string =>
  patterns === 1 ? 'The only expected pattern' : `All ${patterns} expected patterns`

/** The answers to the questions about a decision. */
export const DECISION_ANSWERS: Catalogue<DecisionAnswers> = {
  end_unknown: ({ end }) => `Nothing tells how the process ended${after('; ', endWords(end))}.`,
  killed_from_outside: ({ signal, channel }) =>
    `${signal} ended it, which did not come from what ran it${after('; ', channel && channelWords(channel))}.`,
  not_started: ({ exitCode }) => `It could not be started, exit code ${exitCode}.`,
  ended: ({ termination, end, channel }) =>
    `${capital(terminationWords(termination))}${after(', ', endWords(end))}${after('; ', channel && channelWords(channel))}.`,
  output_complete: ({ chars, withMarker }) =>
    `${resultSize(chars)}${withMarker ? ', its completion marker among them' : ''}.`,
  output_incomplete: ({ chars }) => `${resultSize(chars)}, but not all that was asked for.`,
  blank: () => 'The result is blank.',
  marker_missing: ({ chars }) => `${resultSize(chars)}, but the completion marker is not in it.`,
  blank_or_marker_missing: () => 'The result is blank, or lacks its completion marker.',
  error_without_text: () => 'The session ended with an error and left no text.',
  error_with_text: () => 'The session ended with an error: what stands in the result is that error.',
  inputs_missing: ({ inputs }) => `Missing: ${inputs.join(', ')}.`,
  content_not_checked: () => 'The content of this attempt was not looked at.',
  contract_unknown: () => 'Nothing tells what was asked for.',
  no_patterns: () => 'No pattern was expected of the result.',
  patterns_found: ({ patterns }) => `${allPatterns(patterns)} ${patterns === 1 ? 'is' : 'are'} found.`,
  patterns_not_searched: ({ patterns }) => `${allPatterns(patterns)} could not be looked for here.`,
  patterns_differ: ({ found, patterns, missing, invalid, differs, unknown }) => {
    const others = [
      [missing, 'missing'],
      [invalid, 'no valid pattern'],
      [differs, 'of another engine'],
      [unknown, 'not known'],
    ] as const
    const parts = others.filter(([n]) => n > 0).map(([n, words]) => `${n} ${words}`)
    return `${found} of ${patterns} expected patterns found; ${parts.join(', ')}.`
  },
  succeeded: () => 'It succeeded.',
  retry_unknown: () => 'What is known does not say.',
  retry_requested: ({ reason, budget }) =>
    `${retryReasonSentence(reason)}${
      budget === null
        ? ''
        : budget.left > 0
          ? ` ${budget.left} of ${budget.max} attempts of the budget are left.`
          : ' The budget is used up with this one.'
    }`,
  reaction_unknown: ({ because }) => `${because} What the source made of that is not recorded.`,
  budget_exhausted: () => retryReasonSentence('budget_exhausted'),
  failed_by_itself: ({ because }) => because,
  final_by_guard: ({ rule }) => {
    const words = ruleWords(rule)
    return words === null ? '' : `${words.says} ${words.does}`
  },
  nothing_asks: () => RULE_WORDS['retry:none'].says,
  above_policies: () => 'What the run says of itself stands above every policy.',
  not_kept: () => 'Too little was kept to decide it again.',
  other_outcome: ({ outcome, reason, untilBudget }) =>
    `Before the guard looked at the content ${
      outcome === 'retriable'
        ? `it would have been tried again (${retryReasonWords(reason)})`
        : `it would have ${outcome}`
    }${untilBudget ? ', until the budget stopped it' : ''}.`,
  other_reason: ({ reason }) =>
    `The verdict is the same; the reason would have read “${retryReasonWords(reason)}”.`,
  same: () => 'Every policy gives the same verdict.',
}
export const decisionAnswerText = (answer: DecisionAnswer): string => textOf(DECISION_ANSWERS, answer)
