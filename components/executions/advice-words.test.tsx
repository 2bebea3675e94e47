import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { CauseView } from './cause-view'
import { PeekPanel } from './peek-panel'
import { executionQueries } from '../execution-data/queries'

const counts = {
  records: 9,
  calls: 4,
  failedCalls: 3,
  failedByClass: {},
  callsWithoutResult: 0,
  chains: 3,
  recoveredChains: 0,
}
const advice = {
  retry: 'helped',
  verdict: 'Helped: it worked with a different input',
  retryBecause: 'Because.',
  next: 'Nothing.',
}
const failure = {
  chains: [7],
  failed: 1,
  what: 'Bash failed',
  ended: 'not retried',
  retry: 'unknown',
  retryBecause: 'Words.',
  next: 'Look.',
}
const detail = (over: object): ExecutionDetail =>
  ({
    id: '1',
    externalId: 'one',
    title: 'One',
    outcome: 'failed',
    outcomeBasis: 'inferred',
    outcomeRule: 'x',
    outcomeBecause: 'y',
    cause: null,
    agentCause: null,
    counts,
    labels: {},
    source: { kind: 'claude-code', name: 'here' },
    startedAt: null,
    endedAt: null,
    children: [],
    agentRuns: [],
    disagreements: [],
    signalHints: [],
    usage: {
      inputTokens: 0,
      outputTokens: 0,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
      messages: 0,
      costUsd: null,
    },
    advice,
    ciRuns: [],
    placeInChain: null,
    correction: null,
    decision: {
      basis: 'inferred',
      contentState: 'unknown',
      outcome: 'failed',
      retryReason: 'unknown',
      subtype: 'unknown',
      missing: [],
      differs: [],
      recorded: null,
      recomputed: null,
      badges: [],
    },
    ...over,
  }) as unknown as ExecutionDetail

const render = (page: React.ReactNode, client = new QueryClient()): string =>
  renderToStaticMarkup(<QueryClientProvider client={client}>{page}</QueryClientProvider>)

test('the peek gives the same verdict on a retry as the page', () => {
  const client = new QueryClient()
  client.setQueryData(executionQueries.detail('1').queryKey, detail({}))
  const html = render(<PeekPanel id="1" item={undefined} onClose={() => undefined} />, client)
  expect(html).toContain('Helped: it worked with a different input')
  expect(html).not.toContain('A retry helped')
})

test.each([
  [1, '1 more failed call of another kind in Calls.'],
  [3, '3 more failed calls of other kinds in Calls.'],
])('%i calls that are not told one by one are counted', (failuresLeftOut, words) => {
  const html = render(
    <CauseView
      execution={detail({ advice: { ...advice, failures: [failure], failuresLeftOut } })}
      fixes={[]}
      failing={[]}
      decisionOpen={false}
      onDecision={() => undefined}
    />,
  )
  expect(html).toContain(words)
})
