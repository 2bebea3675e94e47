import { expect, test } from 'vitest'
import { findRepeats } from './repeats'
import type { ReceiptFact } from '../../model/receipt-facts'

const pay = (sequence: number, more: Partial<ReceiptFact> = {}): ReceiptFact => ({
  id: `r${sequence}`,
  chainId: 'c',
  sequence,
  hash: null,
  previousHash: null,
  status: 'success',
  actionType: 'financial.payment.send',
  tool: 'pay',
  at: `2026-06-01T00:00:0${sequence}.000Z`,
  issuerId: null,
  sessionId: 's',
  agentId: null,
  correlationId: `call_${sequence}`,
  terminal: false,
  event: null,
  malformed: null,
  target: 'shop',
  ...more,
})
const call = (callId: string, state: string, errorText: string | null = null) => ({
  callId,
  tool: 'pay',
  target: 'shop',
  inputDigest: 'd',
  state,
  failureClass: null,
  errorText,
})
const told = (receipts: ReceiptFact[], known: Parameters<typeof findRepeats>[1] = []) =>
  findRepeats(receipts, known).map(({ name, rule, basis, calls }) => [
    name,
    rule,
    basis,
    ...calls.map(({ done, receipts: own }) => `${done} ${own.map(({ sequence }) => sequence).join('+')}`),
  ])
const key = { idempotencyKey: 'k' }

test.each<[string, ReceiptFact[], Parameters<typeof findRepeats>[1], unknown[]]>([
  [
    'one key, done twice',
    [pay(1, key), pay(2, key)],
    [],
    [['pay shop', 'idempotency_key', 'asserted', 'true 1', 'true 2']],
  ],
  [
    'one key, and the first failed: a lost update',
    [pay(1, { ...key, status: 'failure' }), pay(2, key)],
    [],
    [],
  ],
  ['the first lost a race without a key', [pay(1, { status: 'failure' }), pay(2)], [], []],
  ['done twice without a key, for its own sake', [pay(1), pay(2)], [], []],
  ['one key of two tools', [pay(1, key), pay(2, { ...key, tool: 'refund' })], [], []],
  [
    'the first was never answered',
    [pay(1, { status: 'pending' }), pay(2)],
    [],
    [['pay shop', 'same_target', 'inferred', 'null 1', 'true 2']],
  ],
  [
    'the first was cut off, as its error says',
    [pay(1, { status: 'failure' }), pay(2)],
    [call('call_1', 'failed', 'Request timed out')],
    [['pay shop', 'same_target', 'inferred', 'null 1', 'true 2']],
  ],
  [
    'a success that the transcript denies',
    [pay(1, key), pay(2, key)],
    [call('call_1', 'failed', 'declined')],
    [],
  ],
  [
    'a pending and a final receipt of one call',
    [pay(1, { status: 'pending', correlationId: 'x', ...key }), pay(2, { correlationId: 'x', ...key })],
    [],
    [],
  ],
  ['nothing certain', [pay(1, { status: 'pending', ...key }), pay(2, { status: 'pending', ...key })], [], []],
  [
    'what changes nothing',
    [pay(1, { ...key, actionType: 'data.api.read' }), pay(2, { ...key, actionType: 'data.api.read' })],
    [],
    [],
  ],
])('%s', (_, receipts, known, expected) => {
  expect(told(receipts, known)).toEqual(expected)
  expect(told(receipts.toReversed(), known)).toEqual(expected)
})
