import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ReviewState } from '@/lib/model/fix-states'
import { DecideForm } from './decide-dialog'
import { fix } from './made-up'

const form = (to: ReviewState, more = {}): string =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <DecideForm
        fix={fix(more)}
        to={to}
        onClose={() => undefined}
        onDone={() => undefined}
        onReload={() => undefined}
      />
    </QueryClientProvider>,
  )

test.each([
  ['approved', true],
  ['changes_requested', true],
  ['rejected', true],
  ['applied', false],
] as const)('%s needs words: %s', (to, needed) => {
  expect(form(to).includes('Enter a reason first')).toBe(needed)
  expect(form(to).includes('Reason (optional)')).toBe(!needed)
})

test('a fix that one’s own key proposed is told as such before the decision', () => {
  expect(form('approved', { byOwnKey: true })).toContain('proposed with your API key')
  expect(form('approved')).not.toContain('your API key')
})
