import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnalysis } from '../../analysis/analyse'
import { countCalls } from '../../analysis/counts'
import { storyOf } from '../../analysis/story.support'
import type { Call } from '../../model/summary'
import { linkCalls } from './retry-chain'
import { silentCall } from './testing/silent-call'

const callOf = (
  ordinal: number,
  tool: string,
  target: string | null,
  state: Call['state'],
  more: Partial<Call> = {},
): Call => ({
  callId: `c${ordinal}`,
  ordinal,
  tool,
  target,
  looseTarget: null,
  inputDigest: `${tool}${target}`,
  state,
  failureClass: state === 'failed' ? 'other' : null,
  ...silentCall,
  childKey: null,
  ...more,
})

/** The rule as its sentence says it, without any cleverness: look at each failed call, back and forth. */
function countByHand(calls: Call[]): { chains: number; recovered: number } {
  const same = (a: Call, b: Call) => a.tool === b.tool && a.target === b.target
  let chains = 0
  let recovered = 0
  calls.forEach((call, i) => {
    if (call.state !== 'failed') return
    const before = calls
      .slice(0, i)
      .filter((c) => same(c, call))
      .at(-1)
    const after = calls.slice(i + 1).find((c) => same(c, call))
    if (before?.state !== 'failed') chains++
    if (after?.state === 'succeeded') recovered++
  })
  return { chains, recovered }
}

const calls = fc
  .array(
    fc.tuple(
      fc.constantFrom('Bash', 'Edit'),
      fc.constantFrom('x', 'y', null),
      fc.constantFrom<Call['state']>('failed', 'failed', 'succeeded', 'no_result'),
    ),
    { maxLength: 40 },
  )
  .map((list) => list.map(([tool, target, state], i) => callOf(i, tool, target, state)))

describe('retry chains', () => {
  test('are as many, and recover as often, as counting by hand gives', () => {
    fc.assert(
      fc.property(calls, (list) => {
        const hand = countByHand(list)
        const chains = linkCalls(list)
        expect({ chains: chains.length, recovered: chains.filter((c) => c.recovered).length }).toEqual(hand)
      }),
      { numRuns: 500 },
    )
  })

  test('hold every failed call exactly once, in order, numbered from 1 without a gap', () => {
    fc.assert(
      fc.property(calls, (list) => {
        const chains = linkCalls(list)
        expect(chains.flatMap((c) => c.failedCallIds).sort()).toEqual(
          list
            .filter((a) => a.state === 'failed')
            .map((a) => a.callId)
            .sort(),
        )
        for (const chain of chains) {
          const members = list.filter((a) => a.chain === chain.number)
          expect(members.map((a) => a.numberInChain)).toEqual(members.map((_, i) => i + 1))
          expect(
            members
              .slice(1)
              .every(
                (a) =>
                  a.linkRule === 'same_tool_same_target' &&
                  a.linkBasis === 'inferred' &&
                  a.linkedTo !== undefined,
              ),
          ).toBe(true)
        }
        const counts = countCalls(0, list, chains)
        expect(Object.values(counts.failedByClass).reduce((s: number, n) => s + (n ?? 0), 0)).toBe(
          counts.failedCalls,
        )
      }),
    )
  })

  test('a call without a result neither recovers a chain nor continues it', () => {
    const list = [
      callOf(0, 'Bash', 'x', 'failed'),
      callOf(1, 'Bash', 'x', 'no_result'),
      callOf(2, 'Bash', 'x', 'failed'),
      callOf(3, 'Bash', 'x', 'succeeded'),
    ]
    expect(linkCalls(list).map((c) => [c.failedCallIds, c.nextCallId, c.recovered])).toEqual([
      [['c0'], 'c1', false],
      [['c2'], 'c3', true],
    ])
  })

  test('tell a changed input from the same one tried again', () => {
    const list = [
      callOf(0, 'Edit', 'x', 'failed'),
      callOf(1, 'Edit', 'x', 'failed'),
      callOf(2, 'Edit', 'x', 'succeeded', { inputDigest: 'new' }),
    ]
    linkCalls(list)
    expect(list.map((a) => a.inputChanged)).toEqual([null, false, true])
  })

  test('the looser link is said on the call and counted nowhere', () => {
    const list = [
      callOf(0, 'Bash', 'npm test a', 'failed', { looseTarget: 'npm test' }),
      callOf(1, 'Bash', 'npm test b', 'succeeded', { looseTarget: 'npm test' }),
    ]
    const [chain, ...rest] = linkCalls(list)
    expect(rest).toEqual([])
    expect(chain).toMatchObject({ recovered: false, nextCallId: null })
    expect(list[1]).toMatchObject({
      chain: null,
      numberInChain: null,
      linkRule: 'same_first_words',
      linkBasis: 'inferred',
      linkedTo: 'c0',
      inputChanged: true,
    })
  })
})

describe('failures that hang on another cause', () => {
  const analyse = (story: ReturnType<typeof storyOf>) => {
    const analysis = createAnalysis()
    for (const e of story.events) analysis.add(e)
    return analysis.finish()
  }

  test('a cancelled sibling hangs on the failed call of its message, wherever that stands, and still counts', () => {
    const got = analyse(
      storyOf('t')
        .call('a', 'Read', 'x', { messageId: 'm' })
        .call('b', 'Read', 'y', { messageId: 'm' })
        .call('c', 'Read', 'z', { messageId: 'other' })
        .fail('a', 'Sibling tool call errored', { failureClass: 'sibling_cancelled' })
        .fail('b', 'File does not exist.', { failureClass: 'file_missing' })
        .fail('c', 'Sibling tool call errored', { failureClass: 'sibling_cancelled' }),
    )
    expect(got.calls.map((a) => a.attachedTo)).toEqual([
      { callId: 'b', why: 'sibling_failed' },
      null,
      { callId: null, why: 'sibling_failed' },
    ])
    expect(got.counts).toMatchObject({ failedCalls: 3, chains: 3 })
  })

  test('a refusal hangs on the person, further refusals of the message on the first', () => {
    const got = analyse(
      storyOf('t')
        .call('a', 'Bash', 'x', { messageId: 'm' })
        .call('b', 'Glob', 'y', { messageId: 'm' })
        .fail('a', 'no', { failureClass: 'user_rejected' })
        .fail('b', 'no', { failureClass: 'user_rejected' }),
    )
    expect(got.calls.map((a) => a.attachedTo)).toEqual([
      { callId: null, why: 'user_refused' },
      { callId: 'a', why: 'user_refused_sibling' },
    ])
  })
})
