import type {
  DecisionAnswer,
  DecisionAnswers,
  DecisionQuestion,
  ProcessEnd,
  ShortAnswer,
} from '../../model/messages/decision'
import { contentStatesOf } from '../../model/content-states'
import { stageOfRule } from '../../model/decision-rules'
import type { RuleValue } from '../../model/rule-step'
import { firstThatHolds, type RuleTable } from '../rule-table'
import { decide, type Decided, type DecisionFacts } from './decide'
import { CURRENT_POLICY, policyNamed } from './policies'
import { verdictFactsOf, type PatternReading } from './kept'

export interface Answer {
  question: DecisionQuestion
  short: ShortAnswer
  /** The rest of the answer. */
  message: DecisionAnswer
}

/** What the answers are made from: a verdict with its evidence, and the facts when they were kept. */
export interface AnswerInput {
  contentState: string
  outcome: string
  retryReason: string
  rule: string
  because: string
  missing: readonly string[]
  evidence: Readonly<Record<string, RuleValue>>
  facts: DecisionFacts | null
  patterns: readonly PatternReading[]
}

/** The five questions of a reader, each with its answer; what is not known is an answer too. */
export const answersOf = (input: AnswerInput): Answer[] => [
  { question: 'finished', ...didItFinish(input) },
  { question: 'output_there', ...isOutputThere(input) },
  { question: 'as_asked', ...isItWhatWasAsked(input) },
  { question: 'retried', ...willItBeRetried(input) },
  { question: 'different_before_fix', ...wouldItDiffer(input) },
]

type Answered = Omit<Answer, 'question'>
const answer = <Id extends keyof DecisionAnswers>(
  short: ShortAnswer,
  id: Id,
  params: DecisionAnswers[Id],
): Answered => ({ short, message: { id, params } as DecisionAnswer })

function didItFinish({ evidence, missing }: AnswerInput): Answered {
  const { termination, exit_code: exitCode, signal, kill_reason: killReason } = evidence
  const channel = typeof evidence['channel'] === 'string' ? evidence['channel'] : null
  const end: ProcessEnd =
    typeof exitCode === 'number'
      ? { exitCode }
      : typeof signal === 'string'
        ? { signal }
        : missing.includes('exit code')
          ? 'exit_code_missing'
          : null
  if (typeof termination !== 'string') return answer('unknown', 'end_unknown', { end })
  // Nobody who ran it stopped it; that is not to say that it came to its own end.
  if (termination === 'natural_exit' && typeof signal === 'string')
    return answer('no', 'killed_from_outside', { signal, channel })
  if (
    termination === 'natural_exit' &&
    killReason === 'not_applicable' &&
    (exitCode === 126 || exitCode === 127)
  )
    return answer('no', 'not_started', { exitCode })
  const short = termination === 'natural_exit' || termination === 'completed' ? 'yes' : 'no'
  return answer(short, 'ended', { termination, end, channel })
}

function isOutputThere({ contentState, facts, evidence, missing }: AnswerInput): Answered {
  const chars = typeof evidence['result_chars'] === 'number' ? evidence['result_chars'] : null
  const verdict = facts === null ? null : verdictFactsOf(facts)
  switch (contentState) {
    case 'complete':
      return answer('yes', 'output_complete', { chars, withMarker: verdict?.markerSet ?? false })
    case 'contract_violation':
      return answer('yes', 'output_incomplete', { chars })
    case 'absent':
      if (chars === 0) return answer('no', 'blank', {})
      if (verdict === null && isText(evidence['result_tail']) && isText(evidence['marker']))
        return answer('no', 'marker_missing', { chars })
      if (verdict === null) return answer('no', 'blank_or_marker_missing', {})
      return verdict.blank ? answer('no', 'blank', {}) : answer('no', 'marker_missing', { chars })
    case 'session_error':
      return answer('no', verdict?.blank ? 'error_without_text' : 'error_with_text', {})
    default:
      if (contentStatesOf(contentState).length > 1)
        return answer('unknown', 'states_possible', { states: contentState })
      return missing.length > 0
        ? answer('unknown', 'inputs_missing', { inputs: [...missing] })
        : answer('unknown', 'content_not_checked', {})
  }
}

const isText = (value: RuleValue | undefined): boolean => typeof value === 'string' && value.trim() !== ''

function isItWhatWasAsked({ patterns, evidence }: AnswerInput): Answered {
  if (patterns.length === 0)
    return evidence['patterns'] === undefined
      ? answer('unknown', 'contract_unknown', {})
      : answer('not_asked', 'no_patterns', {})
  const count = (state: PatternReading['state']): number =>
    patterns.filter((one) => one.state === state).length
  const counts = {
    found: count('found'),
    patterns: patterns.length,
    missing: count('missing'),
    invalid: count('invalid'),
    differs: count('differs'),
    unknown: count('unknown'),
  }
  if (counts.found === patterns.length) return answer('yes', 'patterns_found', { patterns: patterns.length })
  if (counts.unknown + counts.differs === patterns.length)
    return answer('unknown', 'patterns_not_searched', { patterns: patterns.length })
  return answer(counts.missing + counts.invalid > 0 ? 'no' : 'unknown', 'patterns_differ', counts)
}

type RetryAnswers = Pick<
  DecisionAnswers,
  | 'succeeded'
  | 'retry_unknown'
  | 'retry_requested'
  | 'reaction_unknown'
  | 'budget_exhausted'
  | 'failed_by_itself'
  | 'final_by_guard'
  | 'nothing_asks'
>
const noParams = () => ({})
const becauseOf = ({ because }: AnswerInput) => ({ because })

/** Whether another attempt is made by the rules. */
const RETRIED: RuleTable<AnswerInput, ShortAnswer, RetryAnswers> = [
  { id: 'succeeded', when: ({ outcome }) => outcome === 'succeeded', verdict: 'no', params: noParams },
  {
    id: 'retry_unknown',
    when: ({ outcome, retryReason }) =>
      outcome === 'unknown' || (retryReason === 'unknown' && outcome !== 'failed'),
    verdict: 'unknown',
    params: noParams,
  },
  {
    id: 'retry_requested',
    when: ({ outcome }) => outcome === 'retriable',
    verdict: 'yes',
    params: ({ retryReason, facts }) => ({ reason: retryReason, budget: budgetLeft(facts) }),
  },
  {
    id: 'reaction_unknown',
    when: ({ retryReason }) => retryReason === 'unknown',
    verdict: 'unknown',
    params: becauseOf,
  },
  {
    id: 'budget_exhausted',
    when: ({ retryReason }) => retryReason === 'budget_exhausted',
    verdict: 'no',
    params: noParams,
  },
  {
    id: 'failed_by_itself',
    when: ({ rule }) => stageOfRule(rule) === 'signal',
    verdict: 'no',
    params: becauseOf,
  },
  {
    id: 'final_by_guard',
    when: ({ rule }) => stageOfRule(rule) === 'dead_end',
    verdict: 'no',
    params: ({ rule }) => ({ rule }),
  },
  { id: 'nothing_asks', when: () => true, verdict: 'no', params: noParams },
]

function willItBeRetried(input: AnswerInput): Answered {
  const { rule, params, verdict } = firstThatHolds(RETRIED, input)!
  return answer(verdict, rule, params)
}

/** What is left of the retry budget behind this attempt; null where it is not counted. */
function budgetLeft(facts: DecisionFacts | null): { left: number; max: number } | null {
  if (facts === null || facts.gates.earlierInARow === null || facts.gates.commandIsCut) return null
  const { maxConsecutiveRetries: max, earlierInARow } = facts.gates
  return { left: Math.max(0, max - earlierInARow), max }
}

export const LEGACY = policyNamed('legacy-promote-all')!

function wouldItDiffer({ facts, rule }: AnswerInput): Answered {
  if (facts === null)
    return stageOfRule(rule) === 'signal'
      ? answer('no', 'above_policies', {})
      : answer('unknown', 'not_kept', {})
  return policyDifference(decide(facts, CURRENT_POLICY), decide(facts, LEGACY))
}

export function policyDifference(now: Decided, before: Decided): Answered {
  if (now.outcome !== before.outcome)
    return answer('yes', 'other_outcome', {
      outcome: before.outcome,
      reason: before.retryReason,
      untilBudget: before.outcome === 'retriable' && now.outcome === 'failed',
    })
  if (now.retryReason !== before.retryReason)
    return answer('reason_only', 'other_reason', { reason: before.retryReason })
  return answer('no', 'same', {})
}
