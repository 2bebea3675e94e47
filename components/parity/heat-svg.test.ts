import { expect, test } from 'vitest'
import type { ParityOverview } from '@/lib/api/parity-schemas'
import { heatSentence } from './heat-map'
import { heatSvg } from './heat-svg'
import { rateSentence } from './parity-rate'

const cell = {
  from: 'source',
  to: 'persisted',
  executions: 1200,
  differences: 1300,
  worst: 'critical' as const,
}
const heat: ParityOverview['heat'] = {
  executions: 1200,
  executionsCapped: false,
  transitions: [
    { from: 'source', to: 'persisted' },
    { from: 'source', to: 'a<b>' },
  ],
  moreRows: 0,
  kinds: [],
  severities: [],
  rows: [
    {
      path: '/events/*/</text><script>alert(1)</script>',
      executions: 1200,
      worst: 'critical',
      cells: [cell],
    },
    { path: '', executions: 1, worst: 'low', cells: [{ ...cell, executions: 1, worst: 'low' }] },
  ],
}

test('a copy is a document of its own in which everything is text, with letters and shapes beside the colours', () => {
  const svg = heatSvg(heat)
  expect(svg).not.toContain('<script')
  expect(svg).not.toContain('a<b>')
  expect(svg).toContain('>1,200</text>')
  expect(svg).toContain('the whole document')
  expect(svg.match(/>C<\/text>/g)).toHaveLength(2)
  expect(svg.match(/>L<\/text>/g)).toHaveLength(2)
  expect((svg.match(/<[a-z]/g) ?? []).length).toBe((svg.match(/<\/[a-z]|\/>/g) ?? []).length)
})

test('the picture in words says how many, how bad and where', () => {
  expect(heatSentence(heat)).toBe(
    '1,200 executions differ in 2 places. Worst: critical, at /events/*/</text><script>alert(1)</script>.',
  )
  expect(heatSentence({ ...heat, rows: [] })).toBe('No differences.')
})

test.each([
  [{ checked: 0, equal: 0 }, 'No checks yet'],
  [{ checked: 1, equal: 1 }, '1 of 1 execution checked is equal (100 %)'],
  [{ checked: 10_000, equal: 9_999 }, '9,999 of the last 10,000 executions checked are equal (99.9 %)'],
])('%o reads %s', (rate, words) => expect(rateSentence(rate)).toBe(words))
