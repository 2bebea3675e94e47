import { expect, test } from 'vitest'
import { errorMarks } from './error-marks'

test.each([
  ['exit 1', null, 6, 0],
  ['exit 1…(truncated)', 'hook', 6, 0],
  ['exit 1 […error truncated]', 'daemon', 6, 0],
  ['a …(truncated) b', null, 16, 0],
  ['token [REDACTED] and [REDACTED][REDACTED]', null, 41, 3],
  ['', null, 0, 0],
])('%j', (error, cut, end, redactions) => {
  const marks = errorMarks(error)
  expect([marks.cut, marks.end, marks.redacted.length]).toEqual([cut, end, redactions])
  for (const { start, end: until } of marks.redacted) expect(error.slice(start, until)).toBe('[REDACTED]')
})
