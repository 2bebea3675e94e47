import { expect, test } from 'vitest'
import { groupRepeats } from './repeat-groups'
import { pairReceipts } from './pair-receipts'
import type { ReceiptFacts } from '../../formats/receipt/receipt'
import { factsOf } from '../../formats/receipt/receipt-facts'

/** A receipt in few words. */
const receipt = (
  id: string,
  status: string,
  more: { correlation?: string; agent?: string; action?: object; keyRotation?: object } = {},
): ReceiptFacts =>
  factsOf({
    id,
    issuer: { id: 'i', runtime: more.agent && { agent_id: more.agent } },
    credentialSubject: {
      action: { tool_name: 'Bash', ...more.action },
      outcome: { status },
      chain: {},
      correlation_id: more.correlation,
      keyRotation: more.keyRotation,
    },
  })
const told = (receipts: ReceiptFacts[]) =>
  pairReceipts(receipts).map(
    ({ status, pending, finals }) =>
      `${status} ${pending.map(({ id }) => id).join('+')}|${finals.map(({ id }) => id).join('+')}`,
  )
const grouped = (receipts: ReceiptFacts[]) =>
  groupRepeats(pairReceipts(receipts)).map(
    ({ rule, calls }) =>
      `${rule} ${calls.map(({ finals, pending }) => (finals[0] ?? pending[0])!.id).join(' ')}`,
  )

test('receipts of one call are one call', () => {
  expect(
    told([
      receipt('a', 'pending', { correlation: '1' }),
      receipt('b', 'pending', { correlation: '2' }),
      receipt('c', 'success', { correlation: '1' }),
      receipt('d', 'failure', { correlation: '1' }),
      receipt('e', 'success'),
      receipt('f', 'success', { correlation: '' }),
      receipt('g', 'odd', { correlation: '3' }),
    ]),
  ).toEqual(['failure a|c+d', 'pending b|', 'success |e', 'success |f', 'unknown |g'])
})

test('a result answers the pending receipt that stands behind it', () => {
  expect(
    told([receipt('a', 'success', { correlation: '1' }), receipt('b', 'pending', { correlation: '1' })]),
  ).toEqual(['success b|a'])
})

test('what nobody called for is no call', () => {
  const types = [
    'agent_receipts.events_dropped',
    'agent_receipts.chain_interrupted',
    'agent.key.rotate',
    'doctor.agent-receipts-doctor.roundtrip',
    'constructor',
  ]
  expect(
    told([
      ...types.map((type) => receipt(type, 'success', { action: { type } })),
      receipt('rotation', 'success', { keyRotation: {} }),
    ]),
  ).toEqual(['success |constructor'])
})

test('the same key makes a group, whatever came of it', () => {
  const action = { idempotency_key: 'k' }
  expect(
    grouped([
      receipt('a', 'success', { action }),
      receipt('b', 'success'),
      receipt('c', 'success', { action: { ...action, tool_name: 'Other' } }),
    ]),
  ).toEqual(['idempotency_key a c'])
})

test('the same target does after a failure, until one does not fail', () => {
  const action = { target: { system: 'filesystem', resource: '/a' } }
  const other = { target: { system: 'filesystem', resource: '/b' } }
  expect(
    grouped([
      receipt('a', 'failure', { action }),
      receipt('x', 'failure', { action: other }),
      receipt('b', 'failure', { action }),
      receipt('c', 'success', { action }),
      receipt('d', 'success', { action }),
      receipt('e', 'success', { action }),
      receipt('f', 'failure', { action }),
      receipt('g', 'pending', { action }),
      receipt('y', 'failure', { action, agent: 'sub' }),
      receipt('z', 'failure', { action: { ...action, tool_name: 'Read' } }),
    ]),
  ).toEqual(['same_target a b c', 'same_target f g'])
})

test('the same parameters do where there is no target', () => {
  const action = { parameters_hash: 'sha256:a' }
  expect(
    grouped([
      receipt('a', 'failure', { action }),
      receipt('b', 'failure'),
      receipt('c', 'success', { action }),
      receipt('d', 'failure'),
    ]),
  ).toEqual(['same_parameters a c'])
})

test('a call is known by what any of its receipts says', () => {
  const proxy = (id: string, correlation: string) =>
    receipt(id, 'failure', { correlation, action: { idempotency_key: 'k' } })
  expect(
    grouped([
      receipt('a', 'pending', { correlation: '1' }),
      proxy('b', '1'),
      receipt('c', 'success', { correlation: '2' }),
      proxy('d', '2'),
    ]),
  ).toEqual(['idempotency_key b c'])
})
