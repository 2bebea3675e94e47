import { expect, test } from 'vitest'
import { checkWords, executionsWords, intervalWords } from './connection-words'

test('what is here of a server', () => {
  expect(executionsWords({ known: 0, open: 0, untaken: 0 })).toBe('No executions yet')
  expect(executionsWords({ known: 1, open: 0, untaken: 0 })).toBe('1 execution')
  expect(executionsWords({ known: 9, open: 5, untaken: 3 })).toBe('9 executions, 3 to fetch, 2 unfinished')
})

test('what came of a check', () => {
  const check = { ok: true, dialect: 'rust' as const, executions: 2, failure: null, run: null }
  expect(checkWords(check)).toBe('Connected to NoETL’s Rust server. Its first page lists 2 executions.')
  expect(checkWords({ ...check, dialect: null, executions: 0 })).toBe(
    'Connected. The server has no executions yet.',
  )
  expect(
    checkWords({ ...check, ok: false, failure: { kind: 'down', text: 'No response from this address.' } }),
  ).toBe('No response from this address.')
})

test('how often', () =>
  expect([10, 60, 90, 300, 3600].map(intervalWords)).toEqual([
    'every 10 seconds',
    'every 1 minute',
    'every 90 seconds',
    'every 5 minutes',
    'every 1 hour',
  ]))
