import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallItem } from '@/lib/api/schemas'
import { silentCall } from '@/lib/judge/calls/testing/silent-call'
import { chainViews } from './chain-model'

const call = (callId: string, more: Partial<CallItem> = {}): CallItem => ({
  callId,
  ordinal: 0,
  tool: 'Bash',
  target: 'make',
  state: 'failed',
  failureClass: 'exit_code',
  ...silentCall,
  link: null,
  exitCode: 1,
  childId: null,
  childOutcome: null,
  isMain: false,
  ...more,
})
const chain = (
  number: number,
  failedCallIds: string[],
  nextCallId: string | null = null,
  recovered = false,
) => ({
  number,
  tool: 'Bash',
  target: 'make',
  failedCallIds,
  nextCallId,
  recovered,
})

test('a chain is its failed calls and the call that came after, with the time between', () => {
  const calls = [
    call('a', { startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:02.000Z' }),
    call('b', { startedAt: '2026-01-01T00:00:05.000Z' }),
    call('c', { state: 'succeeded', startedAt: '2026-01-01T00:00:04.000Z' }),
  ]
  const [view] = chainViews([chain(0, ['a', 'b'], 'c', true)], calls)
  expect(view!.tiles.map((tile) => [tile.call.callId, tile.gapMs])).toEqual([
    ['a', null],
    ['b', 3_000],
    ['c', 0],
  ])
})

test('a cancelled sibling hangs on its cause and is not drawn as a chain of its own', () => {
  const calls = [call('a'), call('s', { attachedTo: { callId: 'a', why: 'sibling_failed' } })]
  const views = chainViews([chain(0, ['a']), chain(1, ['s'])], calls)
  expect(views).toHaveLength(1)
  expect(views[0]!.tiles[0]!.hanging.map((call) => call.callId)).toEqual(['s'])
})

test('a refusal without a cause stays a chain of its own', () => {
  expect(
    chainViews([chain(0, ['a'])], [call('a', { attachedTo: { callId: null, why: 'user_refused' } })]),
  ).toHaveLength(1)
})

test('no failed call of a chain is ever lost from the picture, whatever hangs on what', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.constantFrom(...ids)), { minLength: 6, maxLength: 6 }),
      fc.array(fc.nat(3), { minLength: 6, maxLength: 6 }),
      (on, groups) => {
        const calls = ids.map((id, index) =>
          call(id, { attachedTo: on[index] ? { callId: on[index], why: 'sibling_failed' } : null }),
        )
        const chains = [0, 1, 2, 3]
          .map((n) =>
            chain(
              n,
              ids.filter((_, index) => groups[index] === n),
            ),
          )
          .filter((c) => c.failedCallIds.length > 0)
        const drawn = new Set(
          chainViews(chains, calls).flatMap((view) =>
            view.tiles.flatMap((tile) => [tile.call.callId, ...tile.hanging.map((h) => h.callId)]),
          ),
        )
        expect([...drawn].sort()).toEqual(ids)
      },
    ),
  )
})
