import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSilence, type SilenceContext } from './silence'
import { SILENCE_KINDS } from '../../model/silence'
import type { ReceiptFact } from '../../model/receipt-facts'

const receipt = (sequence: number, more: Partial<ReceiptFact> = {}): ReceiptFact => ({
  id: `r${sequence}`,
  chainId: 'c',
  sequence,
  hash: `sha256:${sequence}`,
  previousHash: null,
  status: 'success',
  actionType: 'filesystem.file.modify',
  tool: 'Edit',
  at: `2026-06-01T00:00:${String(sequence).padStart(2, '0')}.000Z`,
  issuerId: 'did:agent:a',
  sessionId: 's',
  agentId: null,
  correlationId: `call_${sequence}`,
  terminal: false,
  event: null,
  malformed: null,
  target: `filesystem /f${sequence}`,
  ...more,
})
const bare: SilenceContext = { calls: [], chains: [], isRunning: false }
const told = (receipts: ReceiptFact[], context: Partial<SilenceContext> = {}) =>
  findSilence(receipts, { ...bare, ...context }).findings.map((finding) => [
    finding.kind,
    finding.count ?? finding.rule ?? finding.failureBy ?? finding.reason,
    finding.receipts.map(({ sequence }) => sequence).join(),
  ])
const failed = (callId: string, failureClass: string | null = 'other') => ({
  callId,
  state: 'failed',
  failureClass,
})

test.each<[string, ReceiptFact[], Partial<SilenceContext>, unknown[]]>([
  ['says all', [receipt(1), receipt(2)], {}, []],
  [
    'lacks numbers',
    [receipt(2), receipt(6)],
    { gaps: [{ chainId: 'c', after: { id: 'r2', sequence: 2 }, before: { id: 'r6', sequence: 6 } }] },
    [['gap', 3, '2,6']],
  ],
  [
    'is of a broken chain, and lacks numbers',
    [receipt(2), receipt(6)],
    {
      gaps: [{ chainId: 'c', after: { id: 'r2', sequence: 2 }, before: { id: 'r6', sequence: 6 } }],
      breaks: [{ reason: 'hash_link_broken', at: { id: 'r2', chainId: 'c', sequence: 2 } }],
    },
    [
      ['broken', 'hash_link_broken', '2'],
      ['gap', 3, '2,6'],
    ],
  ],
  [
    'tells of lost events',
    [receipt(1, { event: 'events_dropped', dropped: 3 }), receipt(2, { dropped: 1 })],
    {},
    [
      ['dropped', 3, '1'],
      ['dropped', 1, '2'],
    ],
  ],
  [
    'tells of lost events and not how many',
    [receipt(1, { event: 'events_dropped' })],
    {},
    [['dropped', null, '1']],
  ],
  [
    'has one idempotency key after a success',
    [receipt(1, { idempotencyKey: 'k' }), receipt(2, { idempotencyKey: 'k' })],
    {},
    [['retry', 'idempotency_key', '1,2']],
  ],
  [
    'has one idempotency key after a failure',
    [receipt(1, { idempotencyKey: 'k', status: 'failure' }), receipt(2, { idempotencyKey: 'k' })],
    {},
    [],
  ],
  [
    'has one key from two tools, as proxies number their requests',
    [receipt(1, { idempotencyKey: '1' }), receipt(2, { idempotencyKey: '1', tool: 'Write' })],
    {},
    [],
  ],
  ['does a thing twice that succeeded', [receipt(1, { target: 'f' }), receipt(2, { target: 'f' })], {}, []],
  [
    'does again what was never answered',
    [receipt(1, { target: 'f', status: 'pending' }), receipt(2, { target: 'f' })],
    {},
    [
      ['retry', 'same_target', '1,2'],
      ['unanswered', null, '1'],
    ],
  ],
  [
    'lost an update, and tried again',
    [receipt(1, { target: 'f', status: 'failure' }), receipt(2, { target: 'f' })],
    { calls: [failed('call_1')], chains: [{ failedCallIds: ['call_1'], nextCallId: 'call_2' }] },
    [],
  ],
  [
    'lacks the failure that its transcript shows',
    [receipt(2)],
    { calls: [failed('call_1')], chains: [{ failedCallIds: ['call_1'], nextCallId: 'call_2' }] },
    [['retry', 'retry_chain', '2']],
  ],
  [
    'lacks a failure of what never ran',
    [receipt(2)],
    {
      calls: [failed('call_1', 'user_rejected')],
      chains: [{ failedCallIds: ['call_1'], nextCallId: 'call_2' }],
    },
    [],
  ],
  [
    'says success of a call that failed',
    [receipt(1)],
    { calls: [failed('call_1')] },
    [['disagrees', 'call', '1']],
  ],
  [
    'says both of one call',
    [receipt(1, { correlationId: 'x' }), receipt(2, { correlationId: 'x', status: 'failure' })],
    {},
    [['disagrees', 'receipt', '2,1']],
  ],
  ['waits', [receipt(1, { status: 'pending' })], {}, [['unanswered', null, '1']]],
  ['waits while it runs', [receipt(1, { status: 'pending' })], { isRunning: true }, []],
  [
    'is answered',
    [
      receipt(1, { status: 'pending', correlationId: 'x' }),
      receipt(2, { correlationId: 'x', chainId: 'other' }),
    ],
    {},
    [],
  ],
  [
    'tests itself',
    [
      receipt(1, { event: 'self_test', status: 'pending' }),
      receipt(2, { event: 'self_test', idempotencyKey: 'k' }),
      receipt(3, { event: 'self_test', idempotencyKey: 'k' }),
    ],
    {},
    [],
  ],
])('a record that %s', (_, receipts, context, expected) => expect(told(receipts, context)).toEqual(expected))

const facts = fc
  .array(
    fc.record({
      chainId: fc.constantFrom('c', 'd'),
      status: fc.constantFrom('success', 'failure', 'pending'),
      correlationId: fc.constantFrom('a', 'b', 'c', null),
      target: fc.constantFrom('f', 'g', null),
      idempotencyKey: fc.constantFrom('k', null, null),
      event: fc.constantFrom('events_dropped' as const, null, null),
      dropped: fc.constantFrom(2, null),
      seconds: fc.integer({ min: 10, max: 14 }),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(({ seconds, ...one }, i) => receipt(i + 1, { ...one, at: `2026-06-01T00:00:${seconds}.000Z` })),
  )

test('the order in which receipts come changes nothing', () => {
  fc.assert(
    fc.property(facts, fc.infiniteStream(fc.nat()), (receipts, order) => {
      const shuffled = receipts
        .map((one) => [order.next().value as number, one] as const)
        .sort(([a], [b]) => a - b)
        .map(([, one]) => one)
      expect(findSilence(shuffled, bare)).toEqual(findSilence(receipts, bare))
    }),
  )
})

test('every finding is counted under its kind, and rests on receipts that are there', () => {
  fc.assert(
    fc.property(facts, (receipts) => {
      const { counts, findings } = findSilence(receipts, bare)
      expect(Object.keys(counts).every((kind) => (SILENCE_KINDS as readonly string[]).includes(kind))).toBe(
        true,
      )
      expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(findings.length)
      for (const finding of findings) {
        expect(finding.receipts.length).toBeGreaterThan(0)
        for (const { id } of finding.receipts) expect(receipts.some((one) => one.id === id)).toBe(true)
      }
    }),
  )
})
