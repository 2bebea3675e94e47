import { expect, test } from 'vitest'
import { allLayers } from './all-layers'
import type { CheckedLayer } from './stored-check'

const layer = (form: CheckedLayer['form'], name: string): CheckedLayer => ({
  form,
  layer: name,
  state: 'read',
  why: null,
  rule: null,
  params: null,
  sha256: 'ab',
  bytes: 2,
})
const told = (checked: CheckedLayer[]) =>
  allLayers(checked).map(({ form, layer: name, state, counts, rule, params }) => [
    `${form} ${name} ${state}`,
    counts ? 'counts' : { id: rule, params },
  ])
const NO_PAGE = ['page rendered not_captured', { id: 'compared_in_browser', params: {} }]

test('a transcript has no event log and no API', () => {
  expect(told([layer('record', 'source'), layer('record', 'persisted')])).toEqual([
    ['record source read', 'counts'],
    ['record event_log not_captured', { id: 'not_offered', params: { layer: 'event_log' } }],
    ['record api not_captured', { id: 'not_offered', params: { layer: 'api' } }],
    ['record persisted read', 'counts'],
    NO_PAGE,
  ])
})

test('those of a run whose source is not connected are named where they would stand, behind what was made and before what is made of it', () => {
  const checked = [
    layer('made', 'made'),
    layer('made', 'source'),
    layer('document', 'source'),
    layer('document', 'persisted'),
    layer('record', 'source'),
    layer('record', 'persisted'),
  ]
  const why = { id: 'not_connected', params: {} }
  expect(told(checked)).toEqual([
    ['made made read', 'counts'],
    ['made source read', 'counts'],
    ['document source read', 'counts'],
    ['document event_log not_captured', why],
    ['document api not_captured', why],
    ['document persisted read', 'counts'],
    ['record source read', 'counts'],
    ['record persisted read', 'counts'],
    NO_PAGE,
  ])
})

test('a server whose database is not known has an API; what was asked for is as it was', () => {
  const checked = [
    layer('document', 'source'),
    { ...layer('document', 'api'), state: 'unreadable' as const, why: 'It is down.' },
    layer('document', 'persisted'),
  ]
  expect(told(checked)).toEqual([
    ['document source read', 'counts'],
    ['document event_log not_captured', { id: 'database_unknown', params: {} }],
    ['document api unreadable', 'counts'],
    ['document persisted read', 'counts'],
    NO_PAGE,
  ])
})
