import { decide, type Decided, type DecisionFacts } from './decide'
import { CURRENT_POLICY, policyNamed } from './policies'
import { reasonReading } from './reading'
import { verdictFactsOf, type PatternReading } from './kept'
import type { RuleValue } from '../../model/rule-step'
import { ruleOf } from './rules'
import { channelWords, retryReasonWords, terminationWords } from '../../words/decision-values'

export interface Answer {
  question: string
  /** `Yes`, `No`, or what stands in their place. */
  short: string
  /** The rest of the sentence. */
  text: string
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

/** The five questions of a reader, each with its answer; what is not known is said. */
export const answersOf = (input: AnswerInput): Answer[] => [
  { question: 'Did it finish?', ...didItFinish(input) },
  { question: 'Is the output there?', ...isOutputThere(input) },
  { question: 'Is it what was asked?', ...isItWhatWasAsked(input) },
  { question: 'Will it be retried, and why?', ...willItBeRetried(input) },
  { question: 'Different before the fix?', ...wouldItDiffer(input) },
]

type Told = Omit<Answer, 'question'>
const told = (short: string, text: string): Told => ({ short, text })

function didItFinish({ evidence, missing }: AnswerInput): Told {
  const { termination, channel, exit_code: exitCode, signal, kill_reason: killReason } = evidence
  const seen = typeof channel === 'string' ? `; ${channelWords(channel)}` : ''
  const exit =
    typeof exitCode === 'number'
      ? `exit code ${exitCode}`
      : typeof signal === 'string'
        ? `ended by ${signal}`
        : missing.includes('exit code')
          ? 'its exit code is not known'
          : null
  if (typeof termination !== 'string')
    return told('Not known', `Nothing tells how the process ended${exit === null ? '' : `; ${exit}`}.`)
  // Nobody who ran it stopped it; that is not to say that it came to its own end.
  if (termination === 'natural_exit' && typeof signal === 'string')
    return told('No', `${signal} ended it, which did not come from what ran it${seen}.`)
  if (
    termination === 'natural_exit' &&
    killReason === 'not_applicable' &&
    (exitCode === 126 || exitCode === 127)
  )
    return told('No', `It could not be started, ${exit}.`)
  const short = termination === 'natural_exit' || termination === 'completed' ? 'Yes' : 'No'
  return told(short, `${sentence(terminationWords(termination))}${exit === null ? '' : `, ${exit}`}${seen}.`)
}

function isOutputThere({ contentState, facts, evidence, missing }: AnswerInput): Told {
  const chars = evidence['result_chars']
  const size =
    typeof chars === 'number'
      ? `The result holds ${chars.toLocaleString('en')} ${chars === 1 ? 'character' : 'characters'}`
      : 'There is a result'
  const verdict = facts === null ? null : verdictFactsOf(facts)
  switch (contentState) {
    case 'complete':
      return told('Yes', `${size}${verdict?.markerSet ? ', its completion marker among them' : ''}.`)
    case 'contract_violation':
      return told('Yes', `${size}, but not all that was asked for.`)
    case 'absent':
      if (chars === 0) return told('No', 'The result is blank.')
      if (verdict === null && isText(evidence['result_tail']) && isText(evidence['marker']))
        return told('No', `${size}, but the completion marker is not in it.`)
      return told(
        'No',
        verdict === null
          ? 'The result is blank, or lacks its completion marker.'
          : verdict.blank
            ? 'The result is blank.'
            : `${size}, but the completion marker is not in it.`,
      )
    case 'session_error':
      return told(
        'No',
        verdict?.blank
          ? 'The session ended with an error and left no text.'
          : 'The session ended with an error: what stands in the result is that error.',
      )
    default:
      return told(
        'Not known',
        missing.length > 0
          ? `Missing: ${missing.join(', ')}.`
          : 'The content of this attempt was not looked at.',
      )
  }
}

const isText = (value: RuleValue | undefined): boolean => typeof value === 'string' && value.trim() !== ''

function isItWhatWasAsked({ patterns, evidence }: AnswerInput): Told {
  if (patterns.length === 0)
    return evidence['patterns'] === undefined
      ? told('Not known', 'Nothing tells what was asked for.')
      : told('Not asked', 'No pattern was expected of the result.')
  const count = (state: PatternReading['state']): number =>
    patterns.filter((one) => one.state === state).length
  const found = count('found')
  const unknown = count('unknown') + count('differs')
  const all = patterns.length === 1 ? 'The only expected pattern' : `All ${patterns.length} expected patterns`
  if (found === patterns.length) return told('Yes', `${all} ${patterns.length === 1 ? 'is' : 'are'} found.`)
  if (unknown === patterns.length) return told('Not known', `${all} could not be looked for here.`)
  const parts = (
    [
      ['missing', 'missing'],
      ['invalid', 'no valid pattern'],
      ['differs', 'of another engine'],
      ['unknown', 'not known'],
    ] as const
  ).flatMap(([state, words]) => (count(state) === 0 ? [] : [`${count(state)} ${words}`]))
  return told(
    count('missing') + count('invalid') > 0 ? 'No' : 'Not known',
    `${found} of ${patterns.length} expected patterns found; ${parts.join(', ')}.`,
  )
}

function willItBeRetried({ outcome, retryReason, because, facts, rule }: AnswerInput): Told {
  if (outcome === 'succeeded') return told('No', 'It succeeded.')
  if (outcome === 'unknown' || (retryReason === 'unknown' && outcome !== 'failed'))
    return told('Not known', 'What is known does not say.')
  if (outcome === 'retriable')
    return told(
      'Yes',
      `${reasonReading(retryReason) ?? `${sentence(retryReasonWords(retryReason))}.`}${budgetLeft(facts)}`,
    )
  if (retryReason === 'unknown')
    return told('Not known', `${because} What the source made of that is not recorded.`)
  if (retryReason === 'budget_exhausted') return told('No', reasonReading(retryReason)!)
  const stage = ruleOf(rule)?.stage
  if (stage === 'signal') return told('No', because)
  return told(
    'No',
    stage === 'dead_end' ? `${ruleOf(rule)!.says} ${ruleOf(rule)!.does}` : ruleOf('retry:none')!.says,
  )
}

/** What is left of the retry budget behind this attempt. */
function budgetLeft(facts: DecisionFacts | null): string {
  if (facts === null || facts.gates.earlierInARow === null || facts.gates.commandIsCut) return ''
  const left = facts.gates.maxConsecutiveRetries - facts.gates.earlierInARow
  return left > 0
    ? ` ${left} of ${facts.gates.maxConsecutiveRetries} attempts of the budget are left.`
    : ' The budget is used up with this one.'
}

export const LEGACY = policyNamed('legacy-promote-all')!

function wouldItDiffer({ facts, rule }: AnswerInput): Told {
  if (facts === null)
    return ruleOf(rule)?.stage === 'signal'
      ? told('No', 'What the run says of itself stands above every policy.')
      : told('Not known', 'Too little was kept to decide it again.')
  return policyDifference(decide(facts, CURRENT_POLICY), decide(facts, LEGACY))
}

export function policyDifference(now: Decided, before: Decided): Told {
  if (now.outcome !== before.outcome) {
    const was =
      before.outcome === 'retriable'
        ? `it would have been tried again (${retryReasonWords(before.retryReason)})`
        : `it would have ${before.outcome}`
    return told(
      'Yes',
      `Before the guard looked at the content ${was}${before.outcome === 'retriable' && now.outcome === 'failed' ? ', until the budget stopped it' : ''}.`,
    )
  }
  if (now.retryReason !== before.retryReason)
    return told(
      'Only the reason',
      `The verdict is the same; the reason would have read “${retryReasonWords(before.retryReason)}”.`,
    )
  return told('No', 'Every policy gives the same verdict.')
}

const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)
