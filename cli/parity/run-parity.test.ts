import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import { runCli, serverEnv } from '../testing/run-cli'
import { startTestServer, type TestServer } from '../testing/test-server'

let server: TestServer
let folder: string
let documents: Record<string, unknown> = {}
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'inquest-parity-'))
  server = await startTestServer()
  server.intercept = ({ path }, response) => {
    const document = documents[path]
    response
      .writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(document ?? { title: 'Not found' }))
    return true
  }
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const EQUAL: ParityDocument = {
  executionId: 'e1',
  verdict: 'equal',
  worst: null,
  firstCritical: null,
  versions: [],
  changedParts: [],
  failedControls: [],
  sourceCheck: null,
  checkedAt: '2026-11-23T05:00:00.000Z',
  layers: [
    {
      form: 'record',
      layer: 'source',
      state: 'read',
      why: null,
      rule: null,
      params: null,
      sha256: 'cd34',
      bytes: 2,
      counts: true,
    },
    {
      form: 'record',
      layer: 'persisted',
      state: 'read',
      why: null,
      rule: null,
      params: null,
      sha256: 'cd34',
      bytes: 2,
      counts: true,
    },
  ],
  transitions: [
    {
      form: 'record',
      from: 'source',
      to: 'persisted',
      over: [],
      equal: true,
      differences: [],
      byDesign: [],
      scalarOnly: [],
      isWhole: true,
    },
  ],
}
async function parity(
  document: ParityDocument,
  found: { executionId: string }[] = [{ executionId: 'e1' }],
  ...args: string[]
) {
  documents = { '/api/v1/find?id=some-id': { items: found }, '/api/v1/executions/e1/parity': document }
  return runCli(['parity', 'some-id', ...args], serverEnv(server.url, folder))
}

test('layers that are equal end with 0', async () => {
  expect(await parity(EQUAL)).toMatchObject({
    code: 0,
    out: 'e1: equal: source and persisted match\n',
  })
})

test('differences end with 1, are told the worst first, and no more than can be read', async () => {
  const differences = Array.from({ length: 30 }, (_, i) => ({
    path: `/events/${i}/summary`,
    kind: 'changed_value' as const,
    severity: i === 29 ? ('critical' as const) : ('medium' as const),
    rule: i === 29 ? 'on_contract' : 'elsewhere',
  }))
  const { code, out } = await parity({
    ...EQUAL,
    verdict: 'different',
    worst: 'critical',
    firstCritical: { form: 'record', from: 'source', to: 'persisted' },
    transitions: [{ ...EQUAL.transitions[0]!, equal: false, differences }],
  })
  const lines = out.trimEnd().split('\n')
  expect([code, lines.length, lines[0], lines[1], lines[2], lines.at(-1)]).toEqual([
    1,
    23,
    'e1: different (worst: critical): 30 differences',
    '  lost between source and persisted',
    '  critical  changed_value  /events/29/summary  (source → persisted)',
    '  … and 10 more differences; use --json to list all',
  ])
})

test('a diagnosis that no row holds ends with 1, and is told as inferred', async () => {
  const differences = [
    {
      path: '/events/5/result/context/error/diagnosis',
      kind: 'missing' as const,
      severity: 'critical' as const,
      rule: 'on_contract',
    },
  ]
  const made = { ...EQUAL.layers[0]!, form: 'made' as const }
  const { code, out } = await parity({
    ...EQUAL,
    verdict: 'different',
    worst: 'critical',
    firstCritical: { form: 'made', from: 'made', to: 'source' },
    layers: [{ ...made, layer: 'made', why: 'Inferred: execution 9 kept it.' }, made, ...EQUAL.layers],
    transitions: [
      { ...EQUAL.transitions[0]!, form: 'made', from: 'made', to: 'source', equal: false, differences },
      ...EQUAL.transitions,
    ],
  })
  expect([code, out.trimEnd().split('\n')]).toEqual([
    1,
    [
      'e1: different (worst: critical): 1 difference',
      '  made (made): read in full. Inferred: execution 9 kept it.',
      '  a diagnosis was produced but never saved: never attached, or lost in transit',
      '  critical  missing  /events/5/result/context/error/diagnosis  (made → source)',
    ],
  ])
})

test('a failed check of the source itself ends with 1, with its paths and rows', async () => {
  const issue = {
    code: 'NESTED_DICT_LOSS',
    path: 'result.context.error.diagnosis',
    step: 'ask',
    eventType: 'step.exit',
    eventId: '620626968576066536',
    row: 5,
  }
  const { code, out } = await parity({
    ...EQUAL,
    verdict: 'different',
    worst: 'critical',
    firstCritical: { form: 'steps', from: 'first_row', to: 'later_rows' },
    sourceCheck: { verdict: 'fail', reason: 'issues', issues: [issue] },
    transitions: [
      ...EQUAL.transitions,
      {
        ...EQUAL.transitions[0]!,
        form: 'steps',
        from: 'first_row',
        to: 'later_rows',
        equal: false,
        differences: [
          {
            path: '/events/5/result/context/error/diagnosis',
            kind: 'missing',
            severity: 'critical',
            rule: 'on_contract',
          },
        ],
      },
    ],
  })
  expect([code, out.trimEnd().split('\n')]).toEqual([
    1,
    [
      'e1: different (worst: critical): 1 difference',
      '  NoETL’s own check fails: a later row of a step lost data of the first one',
      '  NESTED_DICT_LOSS at result.context.error.diagnosis (step ask, step.exit, row 620626968576066536)',
      '  critical  missing  /events/5/result/context/error/diagnosis  (first_row → later_rows)',
    ],
  ])
})

test('layers that cannot be there are no part of what is said', async () => {
  const absent = {
    ...EQUAL.layers[0]!,
    layer: 'api',
    state: 'not_captured' as const,
    why: 'This source has no API that could be asked.',
    counts: false,
  }
  expect((await parity({ ...EQUAL, layers: [...EQUAL.layers, absent] })).out).toBe(
    'e1: equal: source and persisted match\n',
  )
})

test('what could not be compared ends with 6, and says what and why', async () => {
  const { code, out } = await parity({
    ...EQUAL,
    verdict: 'unknown',
    layers: [
      {
        form: 'record',
        layer: 'source',
        state: 'unreadable',
        why: null,
        rule: null,
        params: null,
        sha256: null,
        bytes: null,
        counts: true,
      },
      EQUAL.layers[1]!,
    ],
    transitions: [],
    changedParts: ['ab12'],
  })
  expect([code, out]).toEqual([
    6,
    'e1: unknown: not every layer could be compared\n  source: unreadable\n  raw record ab12: bytes changed after import\n',
  ])
})

test('a comparison that fails its own controls ends with 6, whatever it found', async () => {
  const { code, out } = await parity({ ...EQUAL, failedControls: ['intact', 'cut_text'] })
  expect([code, out.split('\n')[0]]).toEqual([
    6,
    'unreliable: the comparison failed its self-test (an intact pair; a text that was cut)',
  ])
})

test('with --json the document is printed as it came', async () => {
  const { code, out } = await parity(EQUAL, undefined, '--json')
  expect([code, JSON.parse(out)]).toEqual([0, EQUAL])
})

test('an id of nothing, and one of several executions, are told', async () => {
  expect(await parity(EQUAL, [])).toMatchObject({
    code: 5,
    out: '',
    err: expect.stringContaining('Nothing found with ID “some-id”'),
  })
  expect(await parity(EQUAL, [{ executionId: 'e1' }, { executionId: 'e2' }])).toMatchObject({
    code: 5,
    err: expect.stringContaining('matches 2 executions: e1, e2'),
  })
  expect((await parity(EQUAL, [{ executionId: 'e1' }, { executionId: 'e1' }])).code).toBe(0)
})
