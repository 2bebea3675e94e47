import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { badgesOf, type BadgeInput } from '../judge/decisions/badges'
import { RULE_STAGES } from '../model/rule-step'
import { DECISION_RULES } from '../model/decision-rules'
import { badgeWords } from './decision-details'
import { RULE_WORDS, STAGE_WORDS } from './decision-rules'
import { CONTENT_STATES } from '../judge/decisions/vocabulary'

const page = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8')

describe('the page of rules keeps up with the list', () => {
  test('every rule stands on it in the same words and order, and no other', () => {
    const rows = [...page.matchAll(/^\| `([^`]+)` \| (.*) \| (.*) \|$/gm)].map(([, code, says, does]) => [
      code,
      says,
      does,
    ])
    expect(rows).toEqual(Object.entries(RULE_WORDS).map(([code, { says, does }]) => [code, says, does]))
  })

  test.each(RULE_STAGES)('the stage %s has its heading and question', (stage) => {
    expect(page).toContain(`## ${STAGE_WORDS[stage].name}\n\n${STAGE_WORDS[stage].asks}\n`)
  })
})

test('the guard has a rule for each content state and each end', () => {
  for (const state of CONTENT_STATES)
    for (const end of ['promoted', 'terminal'])
      expect(DECISION_RULES).toHaveProperty([`guard:dead_end_${end}:${state}`])
})

const words = { contentState: 'complete', outcome: 'succeeded', retryReason: 'none', subtype: 'success' }
const input = (more: Partial<BadgeInput>): BadgeInput => ({
  ...words,
  differs: [],
  recorded: null,
  recomputed: words,
  rules: [],
  exitCode: 0,
  termination: 'natural_exit',
  isError: false,
  cliSubtype: 'success',
  ...more,
})

describe('what looks like a contradiction has its badge', () => {
  test.each<[string, Partial<BadgeInput>]>([
    ['differs', { differs: ['outcome'], recorded: { ...words, outcome: 'failed' } }],
    ['channel_only', { contentState: 'absent', rules: ['success:channel_b_bypass'] }],
    ['channel_only', { exitCode: 1, rules: ['success:channel_b_bypass'] }],
    ['failed_complete', { outcome: 'failed', exitCode: 1 }],
    [
      'retried_violation',
      { outcome: 'retriable', contentState: 'contract_violation', rules: ['retry:api_signal'] },
    ],
    ['timeout_not_final', { outcome: 'retriable', contentState: 'absent', termination: 'timed_out' }],
    ['recovered_stale', { contentState: 'unknown', subtype: 'recovered_from_stale', termination: 'stale' }],
    ['synthetic', { rules: ['recover:artifact_synthesis', 'content:ok'] }],
    ['zero_writes', { outcome: 'retriable', rules: ['content:ok', 'gate:zero_writes'] }],
    ['contaminated', { outcome: 'retriable', rules: ['gate:path_contamination'] }],
    ['exit_forgiven', { exitCode: -15, rules: ['content:ok', 'success:post_completion_kill'] }],
  ])('%s', (code, more) => {
    const badges = badgesOf(input(more))
    expect(badges.map((badge) => badge.id)).toEqual([code])
    expect(page).toContain(`| ${badgeWords(badges[0]!).label} |`)
  })

  test.each<Partial<BadgeInput>>([
    {},
    { rules: ['success:channel_b_bypass'] },
    { outcome: 'failed', contentState: 'contract_violation', subtype: 'adjudicated_failure' },
    {
      outcome: 'retriable',
      contentState: 'contract_violation',
      rules: ['guard:dead_end_promoted:contract_violation'],
    },
    { outcome: 'failed', contentState: 'absent', termination: 'timed_out', subtype: 'timeout' },
  ])('and a plain verdict has none: %j', (more) => {
    expect(badgesOf(input(more))).toEqual([])
  })
})
