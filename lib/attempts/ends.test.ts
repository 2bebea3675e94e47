import { describe, expect, test } from 'vitest'
import { firstAndLast, lacksCause } from './ends'

const own = (callId: string) => ({ callId, failureClass: 'file_missing', attachedTo: null })
const cancelled = (callId: string, on: string | null) => ({ callId, failureClass: 'sibling_cancelled', attachedTo: { callId: on, why: 'sibling_failed' as const } })
const ids = (failed: Parameters<typeof firstAndLast>[0]) => firstAndLast(failed).map((a) => a.callId)

describe('the failures that the first screen shows', () => {
  test.each([
    ['nothing failed', [], []],
    ['one failed', [own('a')], ['a']],
    ['the first and the last of many', [own('a'), own('b'), own('c')], ['a', 'c']],
    ['a cancelled call before its cause', [cancelled('a', 'b'), own('b')], ['b']],
    ['cancelled calls at both ends', [cancelled('a', 'c'), own('b'), own('c'), cancelled('d', 'c')], ['b', 'c']],
    ['nothing but cancelled calls, their cause unknown', [cancelled('a', null), cancelled('b', null)], ['a', 'b']],
  ])('%s', (_, failed, want) => expect(ids(failed)).toEqual(want))
})

test.each([
  ['the cause is there', [cancelled('a', 'b'), own('b')], false],
  ['the cause is not there', [cancelled('a', 'b'), own('z')], true],
  ['there is no known cause', [cancelled('a', null)], false],
  ['nothing was cancelled', [own('a')], false],
])('of first and last alone, %s', (_, some, lacks) => expect(lacksCause(some)).toBe(lacks))
