import { expect, test } from 'vitest'
import { FAILURE_TAG, readFailureTag } from './failure-tag'

test.each([
  [undefined, FAILURE_TAG],
  ['', FAILURE_TAG],
  ['x-failed', 'x-failed'],
  ['A', 'A'],
  ['a.b_c-9', 'a.b_c-9'],
])('%j names the tag %s', (value, tag) =>
  expect(readFailureTag({ INQUEST_FAILURE_TAG: value })).toEqual({ tag }),
)

test.each(['<x>', '9x', '-x', 'x y', ' x', 'x\n', 'é', 'x:y', 'x/'])('%j is no name of a tag', (value) =>
  expect(readFailureTag({ INQUEST_FAILURE_TAG: value })).toEqual({
    trouble: { tag: value },
  }),
)
