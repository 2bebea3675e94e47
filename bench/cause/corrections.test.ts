import { expect, test } from 'vitest'
import { labelLine, type LabelledCorrection } from '@/lib/views/corrections/label-line'
import { parseLabels } from './labels'

const correction: LabelledCorrection = {
  id: 'k1',
  executionId: 'e1',
  source: 'claude-code',
  fileName: 'shop/a.jsonl',
  externalId: 'a',
  outcome: 'retriable',
  rule: 'calls_failed',
  judgedCallId: 'toolu_2',
  callId: 'toolu_1',
  reason: 'the "first"\nbroke it',
  by: 'Ana',
  at: '2026-11-25T00:00:00.000Z',
}
const read = (more: Partial<LabelledCorrection> = {}) =>
  parseLabels(`${labelLine({ ...correction, ...more })}\n`, 'corrections.jsonl')[0]!

test('an exported correction is read as labels that say what to show first, and nothing else', () => {
  const session = read()
  expect(session).toMatchObject({ set: 'corrections', file: 'claude-code/shop/a.jsonl' })
  expect(session.readings).toEqual([
    { outcome: null, firstToSee: ['toolu_1'], calls: new Map() },
    { outcome: null, firstToSee: ['toolu_1'], calls: new Map() },
  ])
})

test('that nothing needs attention is an empty list', () => {
  expect(read({ callId: null }).readings[0].firstToSee).toEqual([])
})

test('a session without a file is named by its id, on one line', () => {
  expect(read({ fileName: null }).file).toBe('claude-code/a.jsonl')
  expect(labelLine(correction)).not.toContain('\n')
})

test('a reader who knows nothing of `states` finds every field of the format', () => {
  const { readings } = JSON.parse(labelLine(correction)) as { readings: Record<string, unknown>[] }
  for (const { states: _, ...plain } of readings)
    expect(() => parseLabels(JSON.stringify({ file: 'a', readings: [plain, plain] }), 'plain')).not.toThrow()
})
