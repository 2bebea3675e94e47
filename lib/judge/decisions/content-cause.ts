import type { DecisionFacts } from './decide'
import { blamed, type CauseTable } from '../causes/cause-found'
import type { PatternsMissing } from '../../model/messages/cause'
import type { DecisionReason } from '../../model/messages/decision'
import { messageText } from '../message-text'
import type { Decision } from './decision'
import { patternReadings, readWhatIf, verdictFactsOf, type PatternReading } from './kept'

const PATTERNS_NAMED = 2

interface ContentFacts {
  decision: Decision
  /** What the decision was made from; null: not kept. */
  facts: DecisionFacts | null
  patterns: readonly PatternReading[]
}

export const contentFactsOf = (decision: Decision): ContentFacts => {
  const facts = readWhatIf(decision.whatIf)?.actual ?? null
  return { decision, facts, patterns: patternReadings(decision, facts) }
}

const lackingOf = ({ patterns }: ContentFacts): PatternReading[] =>
  patterns.filter(({ state }) => state !== 'found')

/** The patterns that were not found, the first of them named. */
export function lackingPatterns(facts: ContentFacts): PatternsMissing {
  const lacking = lackingOf(facts)
  return {
    patterns: lacking.slice(0, PATTERNS_NAMED).map(({ pattern }) => messageText(pattern)),
    missing: lacking.length,
    expected: facts.patterns.length,
  }
}

const isBlank = ({ decision, facts }: ContentFacts): boolean =>
  (facts === null ? null : verdictFactsOf(facts)?.blank) ?? decision.evidence['result_chars'] === 0

const reason = ({ decision }: ContentFacts): { reason: DecisionReason } => ({ reason: decision.reason })

/** What was delivered, against what was asked for. */
export const CONTENT_CAUSES: CauseTable<
  ContentFacts,
  'parser_crashed' | 'decided' | 'patterns_missing' | 'result_blank' | 'marker_missing' | 'result_error'
> = [
  {
    id: 'parser_crashed',
    when: ({ decision }) => decision.rule === 'peer_parse_exception',
    verdict: blamed('result_unreadable'),
    params: ({ decision }) => {
      const why = decision.trace.find(({ rule }) => rule === decision.rule)?.inputs['why']
      return { why: typeof why === 'string' ? messageText(why) : null }
    },
  },
  {
    // Nothing tells which of the patterns are missing.
    id: 'decided',
    when: ({ decision }) => decision.rule === 'pattern_engine_differs',
    verdict: blamed('contract'),
    params: reason,
  },
  {
    id: 'patterns_missing',
    when: ({ decision }) => decision.contentState === 'contract_violation',
    verdict: blamed('contract'),
    params: lackingPatterns,
  },
  {
    id: 'result_blank',
    when: (facts) => facts.decision.contentState === 'absent' && isBlank(facts),
    verdict: blamed('contract'),
    params: ({ decision }) => ({ exitZero: decision.evidence['exit_code'] === 0 }),
  },
  {
    id: 'marker_missing',
    when: ({ decision }) => decision.contentState === 'absent',
    verdict: blamed('contract'),
    params: ({ decision: { evidence, retryReason } }) => ({
      marker: messageText(String(evidence['marker'])),
      lostBy:
        retryReason !== 'drain_race' ? null : evidence['channel'] === 'channel_b' ? 'channel_b' : 'channel_a',
      by: evidence['plain_output'] === true ? 'command' : 'agent',
    }),
  },
  {
    id: 'result_error',
    when: ({ decision }) => decision.contentState === 'session_error',
    verdict: blamed('cli_error'),
    params: ({ decision }) => ({
      subtype: messageText(String(decision.evidence['subtype'] ?? decision.subtype)),
    }),
  },
  {
    id: 'decided',
    when: () => true,
    verdict: ({ decision }) => blamed(decision.rule === 'exit_code' ? 'process' : 'contract'),
    params: reason,
  },
]
