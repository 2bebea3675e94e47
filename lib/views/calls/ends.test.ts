import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstAndLast } from './ends'

const own = (callId: string) => ({ callId, failureClass: 'file_missing', isMain: false, attachedTo: null })
const cancelled = (callId: string, on: string | null) => ({
  callId,
  failureClass: 'sibling_cancelled',
  isMain: false,
  attachedTo: { callId: on, why: 'sibling_failed' as const },
})
const ids = (failed: Parameters<typeof firstAndLast>[0]) => firstAndLast(failed).map((a) => a.callId)

describe('the failures that the first screen shows', () => {
  test.each([
    ['nothing failed', [], []],
    ['one failed', [own('a')], ['a']],
    ['the first and the last of many', [own('a'), own('b'), own('c')], ['a', 'c']],
    ['the one that the cause is about', [own('a'), { ...own('b'), isMain: true }, own('c')], ['b', 'c']],
    ['a cancelled call before its cause', [cancelled('a', 'b'), own('b')], ['b']],
    [
      'cancelled calls at both ends',
      [cancelled('a', 'c'), own('b'), own('c'), cancelled('d', 'c')],
      ['b', 'c'],
    ],
    [
      'nothing but cancelled calls, their cause unknown',
      [cancelled('a', null), cancelled('b', null)],
      ['a', 'b'],
    ],
  ])('%s', (_, failed, want) => expect(ids(failed)).toEqual(want))
})

test('read page by page they are the same', () => {
  const call = fc.boolean().chain((was) => fc.uuid().map((id) => (was ? cancelled(id, null) : own(id))))
  fc.assert(
    fc.property(fc.array(fc.array(call, { maxLength: 4 }), { maxLength: 5 }), (pages) => {
      const inPages = pages.reduce<ReturnType<typeof own | typeof cancelled>[]>(
        (ends, page) => firstAndLast([...ends, ...page]),
        [],
      )
      expect(inPages).toEqual(firstAndLast(pages.flat()))
    }),
  )
})
