import { expect, test } from 'vitest'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import { formsOf, parityRows, withPage, type ParityTransition } from './parity-rows'

const step = (from: string, to: string, differences: ParityTransition['differences']): ParityTransition => ({
  form: 'document',
  from,
  to,
  over: [],
  equal: differences.length === 0,
  differences,
  byDesign: [],
  scalarOnly: [],
  isWhole: true,
})

const gone = {
  path: '/b',
  kind: 'missing',
  severity: 'critical',
  rule: 'holds_diagnosis',
  values: { source: '1', event_log: null, api: null },
} as const
const STEPS = [
  step('source', 'event_log', [
    {
      path: '/a',
      kind: 'changed_value',
      severity: 'low',
      rule: 'elsewhere',
      values: { source: '1', event_log: '2', api: '3' },
    },
    gone,
  ]),
  step('event_log', 'api', [
    {
      path: '/a',
      kind: 'precision_lost',
      severity: 'high',
      rule: 'elsewhere',
      values: { source: '1', event_log: '2', api: '3' },
    },
    { path: '/c', kind: 'extra', severity: 'low', rule: 'elsewhere' },
  ]),
]

test('a place is one row over all steps, each difference at the layer that came out otherwise, the worst place first', () => {
  const rows = parityRows(STEPS)
  expect(rows.map(({ path, worst }) => `${worst} ${path}`)).toEqual(['critical /b', 'high /a', 'low /c'])
  expect([...rows[1]!.marks]).toEqual([
    ['event_log', [{ kind: 'changed_value', severity: 'low', rule: 'elsewhere', from: 'source' }]],
    ['api', [{ kind: 'precision_lost', severity: 'high', rule: 'elsewhere', from: 'event_log' }]],
  ])
  expect(rows[1]).toMatchObject({
    kinds: ['changed_value', 'precision_lost'],
    values: { source: '1', event_log: '2', api: '3' },
  })
  expect(rows[2]!.values).toBeUndefined()
})

test('where a pointer leads to other rows in a later step, its layer shows what that step found', () => {
  const [row] = parityRows([
    step('source', 'event_log', [
      {
        path: '/0',
        kind: 'changed_value',
        severity: 'low',
        rule: 'elsewhere',
        values: { source: '"a"', event_log: '"b"', api: '"b"' },
      },
    ]),
    step('event_log', 'api', [
      {
        path: '/0',
        kind: 'changed_value',
        severity: 'low',
        rule: 'elsewhere',
        values: { source: '"x"', event_log: '"y"', api: '"z"' },
      },
    ]),
  ])
  expect(row!.values).toEqual({ source: '"a"', event_log: '"b"', api: '"z"' })
})

const layer = (form: 'document' | 'record' | 'page', name: string) => ({
  form,
  layer: name,
  state: 'read' as const,
  why: null,
  rule: null,
  params: null,
  sha256: null,
  bytes: null,
  counts: true,
})
const stored: ParityDocument = {
  executionId: 'x',
  checkedAt: '',
  verdict: 'equal',
  worst: null,
  firstCritical: null,
  failedControls: [],
  sourceCheck: null,
  versions: [],
  changedParts: [],
  layers: [
    layer('document', 'source'),
    layer('document', 'event_log'),
    layer('document', 'api'),
    layer('record', 'source'),
    layer('record', 'persisted'),
  ],
  transitions: STEPS,
}

test('each form has its own layers, and the first step that lost something critical', () => {
  const [document, record] = formsOf(stored)
  expect(document).toMatchObject({ form: 'document', lost: { from: 'source', to: 'event_log' } })
  expect(record).toMatchObject({
    form: 'record',
    transitions: [],
    lost: null,
    layers: [{ layer: 'source' }, { layer: 'persisted' }],
  })
})

test.each([
  ['equal', 'equal', 'equal'],
  ['equal', 'different', 'different'],
  ['equal', 'unknown', 'unknown'],
  ['unknown', 'different', 'different'],
  ['different', 'equal', 'different'],
] as const)('a stored check that is %s and a page that is %s are %s', (verdict, of, both) => {
  const page = {
    layers: [layer('page', 'persisted')],
    transitions: [],
    verdict: of,
    worst: of === 'different' ? ('medium' as const) : null,
    firstCritical: null,
    failedControls: [],
  }
  const told = withPage({ ...stored, verdict, worst: verdict === 'different' ? 'high' : null }, page)
  expect(told.verdict).toBe(both)
  expect(told.worst).toBe(verdict === 'different' ? 'high' : of === 'different' ? 'medium' : null)
})

test('what the page is found to be takes the place of a layer that nobody could read outside of it, and controls that fail in either place count', () => {
  const noPage = { ...layer('page', 'rendered'), state: 'not_captured' as const, counts: false }
  const page = {
    layers: [layer('page', 'persisted'), layer('page', 'rendered')],
    transitions: [],
    verdict: 'equal' as const,
    worst: null,
    firstCritical: null,
    failedControls: ['an intact pair'],
  }
  const both = withPage(
    { ...stored, layers: [...stored.layers, noPage], failedControls: ['a text that was cut'] },
    page,
  )
  expect(
    both.layers
      .filter(({ form }) => form === 'page')
      .map(({ layer: name, state, counts }) => [name, state, counts]),
  ).toEqual([
    ['persisted', 'read', true],
    ['rendered', 'read', true],
  ])
  expect(both.failedControls).toEqual(['a text that was cut', 'an intact pair'])
})

test('a layer that cannot be there is shown where another run of its kind would have it, and nowhere else', () => {
  const none = (form: 'document' | 'record') => ({
    ...layer(form, 'api'),
    state: 'not_captured' as const,
    counts: false,
  })
  const shown = formsOf({
    layers: [layer('document', 'source'), none('document'), layer('record', 'source'), none('record')],
    transitions: [],
  })
  expect(shown.map(({ layers }) => layers.map(({ layer: name }) => name))).toEqual([
    ['source', 'api'],
    ['source'],
  ])
})
