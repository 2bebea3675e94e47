import { expect, test } from 'vitest'
import { listLine } from './list-line'

test('a line in a list says that something was cut', () => {
  expect(listLine('  a\n\tb  c ')).toBe('a b c')
  expect(listLine('x'.repeat(300))).toBe(`${'x'.repeat(199)}…`)
  expect(listLine(`${'y '.repeat(1_000_000)}`).length).toBeLessThanOrEqual(200)
})
