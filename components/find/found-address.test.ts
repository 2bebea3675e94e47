import { expect, test } from 'vitest'
import { foundAddress } from './found-address'

const pointer = { received: 'a'.repeat(64), byteStart: 5, byteEnd: 9 }

test.each([
  [{ kind: 'session', executionId: 'e1', label: '' }, '', '/executions/e1'],
  [{ kind: 'session', executionId: 'e1', label: '' }, 'view=raw&at=x', '/executions/e1?view=raw&at=x'],
  [
    { kind: 'call', executionId: 'e1', callId: 'toolu_1', label: '' },
    '',
    '/executions/e1?view=calls&call=toolu_1',
  ],
  [
    { kind: 'call', executionId: 'e1', callId: 'toolu_1', label: '' },
    'view=timeline',
    '/executions/e1?view=timeline&call=toolu_1',
  ],
  [
    { kind: 'receipt', executionId: 'e1', receiptKey: 'r1', label: '' },
    '',
    '/executions/e1?view=receipts&receipt=r1',
  ],
  [
    { kind: 'receipt', executionId: 'e1', receiptKey: 'r1', label: '' },
    'view=timeline',
    '/executions/e1?view=timeline&receipt=r1',
  ],
  [
    { kind: 'chain', executionId: 'e1', chainId: '2026-06-15/agent/a b', label: '' },
    '',
    '/chains/2026-06-15/agent/a%20b',
  ],
  [
    { kind: 'chain', executionId: 'e1', chainId: 'c', label: '' },
    'view=raw&receipt=r1',
    '/chains/c?receipt=r1',
  ],
  [
    { kind: 'event', executionId: 'e1', pointer, label: '' },
    '',
    `/executions/e1?view=raw&at=${pointer.received}%3A5-9`,
  ],
  [
    { kind: 'event', executionId: 'e1', pointer, label: '' },
    'view=timeline',
    `/executions/e1?view=timeline&at=${pointer.received}%3A5-9`,
  ],
  [{ kind: 'session', executionId: 'e1', label: '' }, 'view=nonsense&x=%26', '/executions/e1?x=%26'],
])('%o with "%s" leads to %s', (found, search, want) => expect(foundAddress(found, search)).toBe(want))
