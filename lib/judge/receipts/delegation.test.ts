import { expect, test } from 'vitest'
import { checkDelegation } from './delegation'
import type { ReceiptFacts } from '../../formats/receipt/receipt'
import { factsOf } from '../../formats/receipt/receipt-facts'

const receipt = (
  id: string,
  issuer: string,
  principal: string | undefined,
  delegation?: object,
): ReceiptFacts =>
  factsOf({ id, issuer: { id: issuer }, credentialSubject: { principal: { id: principal }, delegation } })
const backlink = (chain: string, parent: string, delegator?: string) => ({
  parent_chain_id: chain,
  parent_receipt_id: parent,
  delegator: { id: delegator },
})
const parents: Record<string, ReceiptFacts[]> = {
  root: [receipt('p0', 'daemon', 'other'), receipt('p1', 'daemon', 'user')],
}

test.each<[string, ReceiptFacts, unknown]>([
  ['no claim', receipt('r', 'a', 'user'), null],
  [
    'a claim that holds',
    receipt('r', 'a', 'user', backlink('root', 'p1', 'daemon')),
    { parent: parents.root![1] },
  ],
  [
    'a chain that is not here',
    receipt('r', 'a', 'user', backlink('away', 'p1', 'daemon')),
    { fault: 'parent_chain_missing' },
  ],
  [
    'a receipt that is not there',
    receipt('r', 'a', 'user', backlink('root', 'p9', 'daemon')),
    { fault: 'parent_receipt_missing' },
  ],
  [
    'another delegator',
    receipt('r', 'a', 'user', backlink('root', 'p1', 'a')),
    { fault: 'delegator_differs' },
  ],
  ['no delegator', receipt('r', 'a', 'user', backlink('root', 'p1')), { fault: 'delegator_differs' }],
  [
    'another principal',
    receipt('r', 'a', 'user', backlink('root', 'p0', 'daemon')),
    { fault: 'principal_differs' },
  ],
  [
    'no principal',
    receipt('r', 'a', undefined, backlink('root', 'p1', 'daemon')),
    { fault: 'principal_differs' },
  ],
  ['an empty claim', receipt('r', 'a', 'user', {}), { fault: 'parent_chain_missing' }],
])('%s', (_, first, expected) =>
  expect(checkDelegation(first, (id) => (Object.hasOwn(parents, id) ? parents[id]! : null))).toEqual(
    expected,
  ),
)
