import { describe, expect, test } from 'vitest'
import type { ExactJson } from '../../text/exact-json'
import { limits } from '../../limits'
import { compareLayers, type LayersCompared, type Ways } from './compare-layers'
import { joinPages } from './join-pages'
import type { LayerInput } from './layers'
import { liveStepParity, nestedKeyParity } from './nested-key-parity'
import { projectContext, projectDocument, type Projection } from './project-result'

const layer = (name: string, value: ExactJson, rest: Partial<LayerInput> = {}): LayerInput => ({
  layer: name,
  text: JSON.stringify(value),
  ...rest,
})
const asWrittenBy = (projection: Projection): Ways => ({
  written: (from, to, value) =>
    from === 'worker' && to === 'event_log' ? projectDocument(value, projection) : value,
})
const brief = ({ transitions, verdict }: LayersCompared): string[] => [
  ...transitions.map(
    ({ from, to, over, differences }) =>
      `${from}→${to}${over.length > 0 ? ` over ${over.join()}` : ''}: ${differences.map(({ kind }) => kind).join() || 'nothing'}`,
  ),
  verdict,
]

describe('every way of not knowing has its name, and none is equality', () => {
  const a = layer('worker', { a: 1 })
  test.each<[string, LayerInput, string]>([
    ['nothing captured', { layer: 'api', text: null }, 'not_captured'],
    ['no JSON', { layer: 'api', text: '{' }, 'unreadable'],
    ['nested too deeply', { layer: 'api', text: `${'['.repeat(600)}${']'.repeat(600)}` }, 'unreadable'],
    ['one page of several', layer('api', { a: 1 }, { complete: false }), 'incomplete'],
    ['too large', { layer: 'api', text: `"${'x'.repeat(limits.parityBytesMax)}"` }, 'skipped_too_large'],
    [
      'too large in bytes',
      { layer: 'api', text: `"${'é'.repeat(limits.parityBytesMax / 2)}"` },
      'skipped_too_large',
    ],
  ])('%s', (_, other, state) => {
    const compared = compareLayers([a, other])
    expect(compared).toMatchObject({
      layers: [{ state: 'read' }, { layer: 'api', state }],
      transitions: [],
      verdict: 'unknown',
      worst: null,
      firstCritical: null,
    })
  })

  test('a document of the largest size is compared', () => {
    const text = `"${'é'.repeat(limits.parityBytesMax / 2 - 1)}"`
    expect(
      compareLayers([
        { layer: 'a', text },
        { layer: 'b', text },
      ]).verdict,
    ).toBe('equal')
  })

  test('one layer alone is equal to nothing', () =>
    expect([compareLayers([]).verdict, compareLayers([a]).verdict]).toEqual(['unknown', 'unknown']))

  test('a layer that is missing between two is passed over, and named', () => {
    const missing = { layer: 'event_log', text: null }
    expect(brief(compareLayers([a, missing, layer('api', { a: 1 })]))).toEqual([
      'worker→api over event_log: nothing',
      'unknown',
    ])
    expect(brief(compareLayers([a, missing, layer('api', { a: 2 }), layer('rendered', { a: 2 })]))).toEqual([
      'worker→api over event_log: changed_value',
      'api→rendered: nothing',
      'different',
    ])
  })
})

test('the first transition with a critical difference is where data was lost', () => {
  const whole = { x: 1, result: { context: { error: { diagnosis: { a: 1 } } } } }
  const lost = { x: 2, result: { context: { error: {} } } }
  const compared = compareLayers([
    layer('worker', whole),
    layer('event_log', { ...whole, x: 2 }),
    layer('api', lost),
    layer('rendered', { ...lost, result: null }),
  ])
  expect(compared).toMatchObject({
    worst: 'critical',
    verdict: 'different',
    firstCritical: { from: 'event_log', to: 'api' },
  })
  expect(compareLayers([layer('worker', { x: 1 }), layer('event_log', { x: 2 })])).toMatchObject({
    worst: 'medium',
    firstCritical: null,
  })
})

describe('by design', () => {
  test('the API hides what the log holds; another layer that shows a mask does not', () => {
    const log = layer('event_log', { password: 'x', nested: { token: 7 }, other: 'y' })
    const masked = { password: '***', nested: { token: '[REDACTED]' }, other: 'z' }
    const compared = compareLayers([log, layer('api', masked)])
    expect(compared.transitions[0]).toMatchObject({
      byDesign: [
        { path: '/nested/token', reason: 'masked_by_api' },
        { path: '/password', reason: 'masked_by_api' },
      ],
      differences: [{ path: '/other' }],
      equal: false,
    })
    expect(compareLayers([log, layer('api', { ...masked, other: 'y' })])).toMatchObject({
      verdict: 'equal',
      worst: null,
      transitions: [{ equal: false }],
    })
    expect(
      compareLayers([layer('api', { password: 'x' }), layer('rendered', { password: '***' })]).verdict,
    ).toBe('different')
    expect(
      compareLayers([
        layer('event_log', { nested: { token: { a: 1 } } }),
        layer('api', { nested: { token: '***' } }),
      ]).verdict,
    ).toBe('different')
  })

  const diagnosis = {
    category: 'auth',
    confidence: 0.5,
    root_cause: 'x',
    suggested_action: 'y',
    source: 'ollama',
    _meta: { a: 1 },
  }
  const row = (context: ExactJson): ExactJson => ({
    events: [{ event_id: '1', event_type: 'call.done', result: { status: 'COMPLETED', context } }],
  })
  const worker = row({
    status: 'error',
    rows_of: [1],
    custom: { deep: { lost: 1 }, kept: 1 },
    error: { kind: 'agent.execution', diagnosis },
  })

  test('what the projection drops does not count', () => {
    const log = row({ status: 'error', custom: { kept: 1 }, error: { kind: 'agent.execution', diagnosis } })
    expect(compareLayers([layer('worker', worker), layer('event_log', log)]).verdict).toBe('different')
    expect(
      compareLayers([layer('worker', worker), layer('event_log', log)], asWrittenBy('current')),
    ).toMatchObject({
      verdict: 'equal',
      transitions: [
        {
          byDesign: [
            { path: '/events/0/result/context/custom/deep' },
            { path: '/events/0/result/context/rows_of', reason: 'dropped_by_worker' },
          ],
          equal: false,
        },
      ],
    })
  })

  test('a diagnosis that it should have kept does', () => {
    const log = row({ status: 'error', custom: { kept: 1 }, error: { kind: 'agent.execution' } })
    expect(
      compareLayers([layer('worker', worker), layer('event_log', log)], asWrittenBy('current')),
    ).toMatchObject({
      worst: 'critical',
      transitions: [
        {
          differences: [{ path: '/events/0/result/context/error/diagnosis', kind: 'missing' }],
          scalarOnly: ['/events/0/result/context/error'],
        },
      ],
    })
    expect(
      compareLayers([layer('worker', worker), layer('event_log', log)], asWrittenBy('scalars_only')).verdict,
    ).toBe('equal')
  })

  test('a context over the limit is dropped, but not a diagnosis with it', () => {
    const large = { status: 'ok', text: 'x'.repeat(100 * 1024) }
    const none = { events: [{ event_id: '1', event_type: 'call.done', result: { status: 'COMPLETED' } }] }
    expect(
      compareLayers([layer('worker', row(large)), layer('event_log', none)], asWrittenBy('current')).verdict,
    ).toBe('equal')
    expect(
      compareLayers(
        [layer('worker', row({ ...large, error: { diagnosis } })), layer('event_log', none)],
        asWrittenBy('current'),
      ),
    ).toMatchObject({ worst: 'critical', verdict: 'different' })
  })
})

describe('what the source keeps of a reply', () => {
  const reply = {
    status: 'error',
    framework: 'noetl',
    data: { a: { b: 1 } },
    list: [1],
    command_id: '1',
    command_status: 'x',
    _preview: 'x',
    ref: { kind: 'temp_ref', ref: 'r', deep: { a: 1 } },
    render: { args: { a: [1] }, other: { b: 1 } },
    meta: { inline_decision: { r: [1] } },
    control_data: { c: [1] },
    payload: { x: 1 },
    empty: { only: {} },
    error: { kind: 'k', details: { a: 1 }, diagnosis: { category: 'auth', _meta: { a: 1 } } },
  }
  test('the current one keeps scalars, references and the allowed paths', () => {
    expect(projectContext(reply, 'current')).toEqual({
      status: 'error',
      framework: 'noetl',
      data: { a: { b: 1 } },
      command_id: '1',
      ref: reply.ref,
      render: { args: { a: [1] } },
      meta: { inline_decision: { r: [1] } },
      control_data: { c: [1] },
      error: { kind: 'k', diagnosis: { category: 'auth', _meta: { a: 1 } } },
    })
    expect(
      projectContext({ schema_version: 1, widget_type: 'card', payload: { x: 1 } }, 'current'),
    ).toHaveProperty('payload')
    expect(projectContext({ context: { a: 1 }, b: 2 }, 'current')).toEqual({ a: 1 })
  })

  test.each([
    ['scalars_only', { kind: 'k' }],
    ['flat_diagnosis', { kind: 'k', diagnosis: { category: 'auth' } }],
    ['whole_diagnosis', { kind: 'k', diagnosis: reply.error.diagnosis }],
  ] as const)('%s', (projection, error) =>
    expect(projectContext(reply, projection)).toEqual({
      status: 'error',
      framework: 'noetl',
      command_id: '1',
      ref: reply.ref,
      error,
    }),
  )
})

describe('pages', () => {
  const page = (ids: number[], has_next: boolean, total_events: number): ExactJson => ({
    path: 'a',
    events: ids.map((event_id) => ({ event_id })),
    pagination: { has_next, total_events },
  })
  test.each<[string, ExactJson[], number, boolean]>([
    ['all of them', [page([5, 4], true, 3), page([3], false, 3)], 3, true],
    ['rows that moved on are taken once', [page([5, 4], true, 3), page([4, 3], false, 3)], 3, true],
    ['the first of two', [page([5, 4], true, 3)], 2, false],
    ['rows that are missing', [page([5, 4], true, 4), page([3], false, 4)], 3, false],
    ['one without rows', [{ path: 'a' }], -1, false],
    ['one that says nothing of pages', [{ events: [{ event_id: 1 }] }], 1, true],
    ['none', [], -1, false],
  ])('%s', (_, pages, rows, complete) => {
    const joined = joinPages(pages)
    expect(joined.complete).toBe(complete)
    if (rows < 0) return
    expect(joined.document).toMatchObject({ events: { length: rows } })
    expect(joined.document).not.toHaveProperty('pagination')
  })
})

describe("the source's own check", () => {
  const error = (diagnosis: ExactJson): ExactJson => ({
    result: { context: { error: { kind: 'x', diagnosis } } },
  })
  test('sees lost objects and keys, and nothing else', () => {
    expect(nestedKeyParity(error({ a: 1, _meta: {} }), error({ a: 2, _meta: {}, b: 1 }))).toEqual([])
    expect(
      nestedKeyParity(error({ a: 1, _meta: {} }), error({ a: 1 })).map(({ code, path }) => `${code} ${path}`),
    ).toEqual([
      'NESTED_DICT_KEY_LOSS result.context.error.diagnosis',
      'NESTED_DICT_LOSS result.context.error.diagnosis._meta',
    ])
    expect(
      nestedKeyParity({ a: [{ b: 1 }], 'c.d': { e: 1 } }, { a: [{ b: 1 }], 'c.d': { e: 1 } }).map(
        ({ path }) => path,
      ),
    ).toEqual(['a.0', 'c.d'])
  })

  const row = (event_id: number, event_type: string, result: ExactJson, node_name = 'a'): ExactJson => ({
    event_id,
    event_type,
    result,
    node_name,
  })
  const [whole, lost] = [{ context: { error: { diagnosis: { a: 1 } } } }, { context: { error: {} } }]
  test.each<[string, ExactJson, unknown]>([
    [
      'passes',
      { events: [row(2, 'step.exit', whole), row(1, 'call.done', whole)] },
      { verdict: 'pass', terminalEvents: 2, comparisons: 1 },
    ],
    [
      'reads results that are text',
      { data: { events: [row(2, 'step.exit', JSON.stringify(whole)), row(1, 'call.done', whole)] } },
      { verdict: 'pass' },
    ],
    [
      'finds a loss in a later row',
      { events: [row(2, 'step.exit', lost), row(1, 'call.done', whole)] },
      { verdict: 'fail', reason: 'issues', issues: [{ step: 'a', eventType: 'step.exit' }, {}] },
    ],
    [
      'does not see a loss in the first row',
      { events: [row(2, 'step.exit', whole), row(1, 'call.done', lost)] },
      { verdict: 'pass' },
    ],
    ['has no rows', { events: [] }, { verdict: 'fail', reason: 'no_events' }],
    [
      'has no rows of a kind that counts',
      { events: [row(1, 'command.issued', whole)] },
      { verdict: 'fail', reason: 'no_terminal_events' },
    ],
  ])('%s', (_, document, verdict) => expect(liveStepParity(document)).toMatchObject(verdict as object))
})
