import type { UseQueryResult } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { links } from '@/lib/links'
import { ExecutionChains } from './execution-chains'
import type { ChainAttempt, ExecutionChain } from '@/lib/views/attempts/chain'

const attempt = (id: string, more: Partial<ChainAttempt> = {}): ChainAttempt => ({
  id,
  externalId: id,
  outcome: 'failed',
  outcomeBasis: 'recomputed',
  cause: { headline: `broke ${id}`, text: `broke ${id}`, rule: null, category: 'contract', pointer: null },
  title: null,
  startedAt: '2026-11-02T08:00:00.000Z',
  endedAt: '2026-11-02T08:01:00.000Z',
  url: '',
  attempt: null,
  contentState: 'contract_violation',
  retryReason: 'none',
  costUsd: 0.5,
  inputTokens: 100,
  outputTokens: 20,
  retry: 'cannot-help',
  ...more,
})
const render = (attempts: ChainAttempt[], more: Partial<ExecutionChain> = {}): string => {
  const chain: ExecutionChain = {
    id: 'c',
    name: 'the plan',
    rule: 'named_chain',
    basis: 'recorded',
    attempts,
    attemptsLeftOut: 0,
    repeatedEffects: [],
    effectsCut: false,
    ...more,
  }
  return renderToStaticMarkup(
    <ExecutionChains
      chains={{ data: [chain], error: null } as unknown as UseQueryResult<ExecutionChain[]>}
      id="b"
    />,
  )
}
const textOf = (html: string): string =>
  html
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('a piece of work that was tried once is no chain', () => {
  expect(render([attempt('b')])).toBe('')
})

test('tiles, edges, totals and both ends of a chain', () => {
  const html = render([
    attempt('a', {
      outcome: 'retriable',
      retryReason: 'early_stop',
      retry: 'could-help',
      contentState: 'absent',
    }),
    attempt('b', { startedAt: '2026-11-02T08:02:00.000Z', endedAt: '2026-11-02T08:03:00.000Z' }),
    attempt('c', {
      outcome: 'succeeded',
      cause: null,
      startedAt: '2026-11-02T08:04:00.000Z',
      endedAt: null,
      retry: 'unknown',
    }),
  ])
  const text = textOf(html)
  expect(text).toContain('2 of 3 attempts failed : 2 min 00 s, $1.00, 240 tokens')
  expect(text).toContain(
    'Attempt 1 retriable Absent broke a 1 min 00 s $0.50 120 tokens after 1 min 00 s stopped before its marker may help asserted Attempt 2 failed this one',
  )
  expect(text).toContain('no retry was requested won&#x27;t help asserted Attempt 3 succeeded')
  expect(text).toContain('duration unknown')
  expect(text).toMatch(
    /First failing attempt attempt 1 .* broke a .* Last failing attempt attempt 2, this one .* broke b/,
  )
  expect([...html.matchAll(/aria-current="true"/g)]).toHaveLength(1)
})

test('an attempt that a fix was proposed for says how many and how they stand, and leads to them', () => {
  const html = render([
    attempt('a', {
      fixes: [
        { state: 'approved', count: 1 },
        { state: 'superseded', count: 2 },
      ],
    }),
    attempt('b', { fixes: [{ state: 'proposed', count: 1 }] }),
    attempt('c'),
  ])
  expect(textOf(html)).toMatch(/3 fixes: 1 approved, 2 superseded .* 1 fix: proposed /)
  expect([...html.matchAll(/href="([^"]*fixes[^"]*)"/g)].map(([, href]) => href)).toEqual([
    links.execution('a', 'fixes'),
    links.execution('b', 'fixes'),
  ])
})

test('a link that we inferred says so, with its rule', () => {
  const text = textOf(
    render([attempt('a'), attempt('b')], {
      basis: 'inferred',
      rule: 'same_kitchen_order_step_command',
      attemptsLeftOut: 3,
    }),
  )
  expect(text).toContain('inferred: same kitchen, order, step and command')
  expect(text).toContain('3 later attempts not shown.')
  expect(text).toContain('1 could not have helped')
})

test.each([
  ['ci_run_attempts', 'asserted: attempts of one CI run', 'CI reran the job'],
  ['resumed_session', 'asserted: resumed sessions', 'an earlier session was resumed'],
])(
  'an edge of %s says what made the attempt, unless the attempt before asked for it',
  (rule, header, made) => {
    const text = textOf(
      render(
        [
          attempt('a'),
          attempt('b', { outcome: 'succeeded' }),
          attempt('c', { retryReason: 'early_stop' }),
          attempt('d'),
        ],
        { rule },
      ),
    )
    expect(text).toContain(header)
    expect(text).toContain(`${made} won&#x27;t help`)
    expect(text).toContain(`${made} after a success`)
    expect(text).toContain('stopped before its marker')
  },
)

test('what a later attempt did again is marked on its tile and told with the attempts that did it', () => {
  const done = (attemptId: string, more = {}) => ({
    attemptId,
    executionId: attemptId,
    callId: `call-${attemptId}`,
    calls: 1,
    done: true as const,
    sameInput: true,
    basis: 'inferred' as const,
    receipts: [],
    ...more,
  })
  const html = render([attempt('a'), attempt('b'), attempt('c')], {
    repeatedEffects: [
      {
        kind: 'command',
        name: 'gh pr comment\u202e',
        done: [done('a'), done('c', { calls: 2, sameInput: false })],
      },
      { kind: 'file', name: '/plan.md', done: [done('b'), done('c')] },
    ],
  })
  const text = textOf(html)
  expect(text).toContain(
    'Repeated by a later attempt inferred from inputs of successful calls ran gh pr comment ⟨U+202E⟩ attempt 1 attempt 3 2 times with different input changed /plan.md attempt 2 attempt 3 with the same input',
  )
  expect(text.match(/\d again/g)).toEqual(['2 again'])
  expect(html).toContain('href="/executions/c?view=calls&amp;call=call-c"')
  const receipt = (key: string, executionId: string) => ({ receipts: [{ key, executionId, sequence: 4 }] })
  const paid = render([attempt('a'), attempt('b')], {
    repeatedEffects: [
      {
        kind: 'tool',
        name: 'pay',
        done: [
          done('a', { done: null, ...receipt('k1', 'a') }),
          done('b', { basis: 'asserted', ...receipt('k2', 'b') }),
        ],
      },
    ],
  })
  expect(textOf(paid)).toContain(
    'called pay attempt 1 (outcome unknown: no answer, or cut off), receipt 4 attempt 2 with the same input, from receipts, receipt 4',
  )
  expect(paid).toContain('href="/executions/b?view=receipts&amp;receipt=k2"')
  expect(textOf(render([attempt('a'), attempt('b')]))).not.toContain('Done again')
  expect(textOf(render([attempt('a'), attempt('b')], { effectsCut: true }))).toContain(
    'None in the loaded calls. List truncated.',
  )
})
