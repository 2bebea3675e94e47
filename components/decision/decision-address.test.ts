import { expect, test } from 'vitest'
import { asksForDecision, decisionAddress, namedChanges } from './decision-address'

const read = (search: string) => {
  const params = new URLSearchParams(search)
  return {
    decision: params.get('decision'),
    if: params.has('if') ? decisionAddress.if.parse(params.get('if')!) : null,
    policy: params.get('policy'),
  }
}

test.each([
  ['', false, []],
  ['decision=open', true, []],
  ['decision=closed', false, []],
  ['if=text:blank', true, ['text:blank']],
  ['if=text:blank,', true, ['text:blank']],
  ['if=,text:blank,,odd', true, ['text:blank', 'odd']],
  ['if=', false, []],
  ['if=,+,', false, []],
  ['policy=legacy-promote-all', true, []],
  ['policy=', false, []],
])('the address ?%s opens the decision: %j, with the changes %j', (search, open, changes) =>
  expect([asksForDecision(read(search)), namedChanges(read(search).if)]).toEqual([open, changes]),
)
