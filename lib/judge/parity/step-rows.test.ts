import { expect, test } from 'vitest'
import type { ExactJson } from '../../text/exact-json'
import { compareForms } from './compare-forms'
import { stepRowsForm } from './step-rows'

const DIAGNOSIS = { category: 'auth', root_cause: 'the key is old', _meta: { run: 'r' } }
const row = (id: string, type: string, context: ExactJson, node = 'ask'): ExactJson => ({
  event_id: id,
  event_type: type,
  node_name: node,
  result: { context },
})
const failed = (diagnosis?: ExactJson): ExactJson => ({
  status: 'error',
  error: { kind: 'agent.failed', ...(diagnosis === undefined ? {} : { diagnosis }) },
})
const runOf = (...events: ExactJson[]): ExactJson => ({ events })
const found = (document: ExactJson) => {
  const read = stepRowsForm(document)
  const compared = read && compareForms([read.form])
  return {
    issues: read?.issues,
    verdict: compared?.verdict,
    differences: compared?.transitions.flatMap(({ differences }) =>
      differences.map(({ path, kind, severity }) => `${severity} ${kind} ${path}`),
    ),
  }
}

test('a diagnosis that a later row of its step lost is a critical difference at that row', () => {
  const run = runOf(
    row('1', 'command.issued', {}),
    row('3', 'step.exit', failed()),
    row('2', 'call.done', failed(DIAGNOSIS)),
  )
  expect(found(run)).toEqual({
    issues: [
      {
        code: 'NESTED_DICT_LOSS',
        path: 'result.context.error.diagnosis',
        step: 'ask',
        eventType: 'step.exit',
        eventId: '3',
        row: 1,
      },
    ],
    verdict: 'different',
    differences: ['critical missing /events/1/result/context/error/diagnosis'],
  })
})

test('keys that are gone are told by themselves, values that changed are not looked at', () => {
  const { root_cause: _, ...rest } = DIAGNOSIS
  const run = runOf(
    row('1', 'call.done', failed(DIAGNOSIS)),
    row('2', 'step.exit', failed({ ...rest, category: 'other' })),
  )
  expect(found(run)).toMatchObject({
    issues: [{ code: 'NESTED_DICT_KEY_LOSS', path: 'result.context.error.diagnosis' }],
    differences: ['critical missing /events/1/result/context/error/diagnosis/root_cause'],
  })
})

test('an object elsewhere that is gone counts, and what stands in its place is told', () => {
  const run = runOf(
    row('1', 'call.done', { report: { pages: 2 }, plan: { steps: 1 } }),
    row('2', 'step.exit', { report: 'see page' }),
  )
  expect(found(run)).toMatchObject({
    verdict: 'different',
    differences: expect.arrayContaining([
      expect.stringContaining('/events/1/result/context/plan'),
      expect.stringContaining('/events/1/result/context/report'),
    ]),
  })
})

test('objects of a list that are still there are no loss, whatever the source’s check reports', () => {
  const context = { items: [{ a: 1 }, { a: 2 }] }
  expect(stepRowsForm(runOf(row('1', 'call.done', context), row('2', 'step.exit', context)))).toBeNull()
  expect(
    found(runOf(row('1', 'call.done', context), row('2', 'step.exit', { items: [{ a: 1 }] }))).issues,
  ).toMatchObject([{ path: 'result.context.items.1' }])
})

test.each<[string, ExactJson]>([
  [
    'rows of different steps',
    runOf(row('1', 'call.done', failed(DIAGNOSIS)), row('2', 'step.exit', {}, 'b')),
  ],
  [
    'a first row that lost it too',
    runOf(row('1', 'call.done', failed()), row('2', 'step.exit', failed(DIAGNOSIS))),
  ],
  ['a key with a dot', runOf(row('1', 'call.done', { 'a.b': {} }), row('2', 'step.exit', { 'a.b': {} }))],
  ['no row that ends a step', runOf(row('1', 'command.issued', {}))],
  ['no rows', runOf()],
])('%s: nothing to tell', (_, document) => expect(stepRowsForm(document)).toBeNull())
