import { expect, test } from 'vitest'
import type { ExactObject } from '../../text/exact-json'
import { compareForms } from './compare-forms'
import { madeForm, type MadeDiagnosis } from './made'

const DIAGNOSIS: ExactObject = {
  category: 'auth',
  confidence: '0.9',
  root_cause: 'expired',
  suggested_action: 'renew',
  source: 'ollama',
}
const MADE: MadeDiagnosis = { childId: '7', step: 'call', by: '9', diagnosis: DIAGNOSIS }
const row = (id: string, error: ExactObject | null, child = '7'): ExactObject => ({
  event_id: id,
  result: {
    status: 'COMPLETED',
    context: { status: error === null ? 'ok' : 'error', framework: 'noetl', execution_id: child, error },
  },
})
const told = (events: ExactObject[], made: MadeDiagnosis[] = [MADE], replies: number[] = []) => {
  const found = madeForm({ document: { events }, replies: new Set(replies) }, made)
  return (
    found &&
    compareForms([found.form]).transitions.flatMap(({ from, to, differences }) =>
      differences.map(({ kind, severity, path }) => `${from}→${to} ${severity} ${kind} ${path}`),
    )
  )
}
const AT = '/result/context/error/diagnosis'

test('each row of the agent lacks it, at the place that the row has in its run', () => {
  expect(
    told([{ event_id: '1' }, row('2', { kind: 'x' }), { event_id: '3' }, row('4', { kind: 'x' })]),
  ).toEqual([1, 3].map((at) => `made→source critical missing /events/${at}${AT}`))
})

test('a handle, a text and a part in its place are told as what they are; who attached a part may have changed the rest', () => {
  expect(told([row('1', { diagnosis: { execution_id: '9', status: 'started' } })])).toEqual([
    `made→source critical dispatch_handle /events/0${AT}`,
  ])
  expect(told([row('1', { diagnosis: 'expired' })])).toEqual([
    `made→source critical collapsed_object /events/0${AT}`,
  ])
  expect(
    told([row('1', { diagnosis: { category: 'infra', root_cause: 'other', _meta: { polls: '3' } } })]),
  ).toEqual(
    ['confidence', 'source', 'suggested_action'].map(
      (key) => `made→source critical missing /events/0${AT}/${key}`,
    ),
  )
})

test('of an agent that did not fail, one that no row tells of, and one whose reply was captured nothing is said', () => {
  expect(told([row('1', null)])).toBeNull()
  expect(told([row('1', { kind: 'x' }, '8')])).toBeNull()
  expect(told([row('1', { kind: 'x' })], [MADE], [0])).toBeNull()
  expect(told([row('1', { kind: 'x' })], [])).toBeNull()
  const both = madeForm(
    { document: { events: [row('1', { kind: 'x' }), row('2', { kind: 'x' }, '8')] }, replies: new Set([0]) },
    [MADE, { ...MADE, childId: '8', step: null }],
  )!
  expect([...both.childIds]).toEqual(['8'])
  expect(both.form.layers[0]!.reason).toEqual({
    id: 'diagnosis_inferred',
    params: { made: [{ by: '9', childId: '8', step: null }] },
  })
})
