import { expect, test } from 'vitest'
import { pathOf } from '@/lib/judge/decisions/path'
import { pathSvg } from './path-svg'

const stops = pathOf({
  trace: [
    {
      rule: 'content:fail:expected_artifact_absent',
      stage: 'content',
      inputs: { patterns_missing: ['<script>alert(1)</script>', '"&\u202e', 'x'.repeat(300)] },
      effect: 'no success',
    },
    { rule: 'retry:none', stage: 'retry', inputs: { exit_code: 0 }, effect: 'no retry' },
    {
      rule: 'guard:dead_end_promoted:contract_violation',
      stage: 'dead_end',
      inputs: {},
      effect: 'retriable, resume',
    },
  ],
  exitCode: 0,
  termination: 'natural_exit',
  channel: 'channel_a',
  subtype: 'success',
  gates: null,
})
const svg = pathSvg(stops, { outcome: 'retriable', retryReason: 'resume' })

test('the copy of the picture holds its words: stages, rules, values and the verdict', () => {
  for (const words of [
    'Recovery',
    'Dead-end guard',
    'The result does not match every',
    '[retry:none]',
    'Exit code: 0',
    'Reason: cut short, can be resumed.',
    'Retriable, cut short, can be resumed',
  ])
    expect(svg).toContain(words)
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="\d+"/)
})

test('what the run wrote is text in it: nothing of it is markup, and nothing of it is hidden', () => {
  expect(svg).not.toMatch(/<script|[\u202e]/)
  expect(svg).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
  expect(svg).toContain('&#34;&#38;⟨U+202E⟩')
  expect(
    [...svg.matchAll(/<\/?([a-z]+)/g)]
      .map((tag) => tag[1])
      .filter((name) => !['svg', 'title', 'rect', 'g', 'path', 'circle', 'text'].includes(name!)),
  ).toEqual([])
})

test('long words are broken, and every line stands within the picture', () => {
  const height = Number(/height="(\d+)"/.exec(svg)![1])
  const ends = [...svg.matchAll(/translate\(8 (\d+)\)/g)].map((match) => Number(match[1]))
  expect(Math.max(...ends)).toBeLessThan(height)
  for (const [, text] of svg.matchAll(/<text[^>]*>([^<]*)</g))
    expect(text!.replace(/&#\d+;/g, '.').length).toBeLessThanOrEqual(96)
})
