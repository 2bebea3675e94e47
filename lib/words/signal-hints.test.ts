import { expect, test } from 'vitest'
import { SIGNAL_BREACHES } from '../model/failure-signal'
import { settingText } from './settings'
import { signalHintText } from './signal-hints'
import { textsWith } from './texts.support'

test('breaches of the contract by a failure block', () => {
  expect([
    ...SIGNAL_BREACHES.map((breach) => signalHintText({ breach })),
    signalHintText({ breach: 'repeated', blocks: { count: 2, more: false } }),
    signalHintText({ breach: 'repeated', blocks: { count: 100, more: true } }),
  ]).toMatchSnapshot()
})

test('settings', () => {
  expect(
    textsWith(settingText, { failureTag: { tag: 'TAG' }, paritySweep: { set: 'SET', max: 9 } }),
  ).toMatchSnapshot()
})
