import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { peekPart } from '../peek-part'
import { recordsOf } from './runs.support'

const sample = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../shared/samples/noetl', `${name}.json`), 'utf8')

const RUN = '620356925057663015'
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const row = (id: string, type: string, more = ''): string =>
  `{"event_id":${id},"event_type":"${type}","node_name":"work"${more}}`

test('a document is a record of its run, and so is each row in it, in the order of the ids', async () => {
  const records = await recordsOf(sample('constructed/parent-green-diagnosis-attached'))
  expect(records.map(({ type }) => type)).toEqual([
    'execution',
    'playbook.initialized',
    'command.issued',
    'command.claimed',
    'command.started',
    'call.done',
    'step.exit',
    'command.completed',
    'call.done',
    'step.exit',
    'playbook.completed',
  ])
  expect(new Set(records.map(({ executionKey }) => executionKey))).toEqual(new Set([RUN]))
  expect(records.map(({ offset }) => offset)).toEqual(records.map((_, i) => i))
  expect(records.filter(({ oddReason }) => oddReason !== undefined)).toEqual([])
  expect(records[7]).toMatchObject({
    at: '2026-05-05T21:48:13.110Z',
    kind: 'result',
    identity: `${RUN}:620357385526740749`,
    summary: {
      id: 'row',
      params: {
        name: 'command.completed trigger_failure',
        attempt: null,
        event: {
          id: 'agent_failed',
          code: 'PLAYBOOK_FAILED',
          message: 'sub-playbook returned non-success status',
        },
      },
    },
  })
})

test('a record points at the bytes of its row, and its facts into them', async () => {
  const text = sample('constructed/parent-green-diagnosis-attached')
  const bytes = bytesOf(text)
  for (const { keptStart, keptEnd, facts } of (await recordsOf(text)).slice(1)) {
    const own = bytes.subarray(keptStart, keptEnd)
    expect(JSON.parse(new TextDecoder().decode(own))).toHaveProperty('event_type')
    const span = facts.row?.diagnosis?.span
    if (span)
      expect(JSON.parse(new TextDecoder().decode(own.subarray(span.start, span.end)))).toHaveProperty(
        'root_cause',
      )
  }
})

test('both dialects say the same of each row', async () => {
  const said = async (name: string) =>
    (await recordsOf(sample(name)))
      .slice(1)
      .map(({ identity, type, kind, at, executionKey, facts: { row } }) => {
        const { tool: _tool, about: _about, ...plain } = row!
        return {
          identity,
          type,
          kind,
          at,
          executionKey,
          row: {
            ...plain,
            error: plain.error?.text,
            agent: { ...plain.agent, span: null },
            diagnosis: plain.diagnosis?.state,
          },
        }
      })
  expect(await said('constructed/rust-server-detail')).toEqual(
    await said('constructed/parent-green-diagnosis-attached'),
  )
})

test('ids above 2^53 keep their digits, as numbers too', async () => {
  const text = `{"execution_id":9007199254740993123,"parent_execution_id":9007199254740993999,"started_at":"2026-01-01T00:00:00","status":"RUNNING","events":[${row('9007199254740993001', 'step.enter')},${row('9007199254740993002', 'step.exit')}]}`
  const records = await recordsOf(text)
  expect(records.map(({ executionKey }) => executionKey)).toEqual(Array(3).fill('9007199254740993123'))
  expect(records.slice(1).map(({ facts }) => facts.row?.eventId)).toEqual([
    '9007199254740993001',
    '9007199254740993002',
  ])
  expect(records[0]!.facts.childOf).toEqual({ parentKey: '9007199254740993999', callId: null })
  expect(records[0]!.facts.document!.rows).toEqual({
    count: 2,
    oldest: '9007199254740993001',
    newest: '9007199254740993002',
  })
  expect((await peekPart('noetl', bytesOf(text))).sessionId).toBe('9007199254740993123')
})

test('times without a zone are UTC', async () => {
  const records = await recordsOf(
    `{"execution_id":"7","status":"RUNNING","events":[${row('1', 'step.enter', ',"created_at":"2026-01-20T11:56:27.292930"')}]}`,
  )
  expect(records[1]!.at).toBe('2026-01-20T11:56:27.292Z')
})

test('bare rows belong to the run that they name; rows that name none are kept and odd', async () => {
  const records = await recordsOf(
    `[${row('2', 'step.exit', ',"execution_id":"77"')},${row('1', 'step.enter')},3]`,
  )
  expect(
    records.map(({ executionKey, homeless, oddReason }) => [homeless ? null : executionKey, oddReason]),
  ).toEqual([
    ['77', undefined],
    [null, 'no_session'],
    [null, 'not_an_object'],
  ])
})

test('a secret is taken out of the row it stands in, and what follows keeps its place', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const text = `{"execution_id":"7","status":"RUNNING","events":[${row('2', 'call.error', `,"error":"push with ${secret} was refused"`)},${row('1', 'step.enter')}]}`
  const records = await recordsOf(text)
  expect(JSON.stringify(records)).not.toContain(secret)
  expect(records.map(({ type, offset }) => [type, offset])).toEqual([
    ['execution', 0],
    ['step.enter', 1],
    ['call.error', 2],
  ])
})

test('nothing throws, whatever the JSON', async () => {
  const id = fc.oneof(fc.jsonValue(), fc.bigInt().map(String))
  const odd = fc.record(
    {
      event_id: id,
      event_type: fc.oneof(fc.jsonValue(), fc.constantFrom('call.done', 'command.failed', 'step_exit')),
      node_name: fc.jsonValue(),
      created_at: fc.jsonValue(),
      result: fc.jsonValue(),
      error: fc.jsonValue(),
      context: fc.jsonValue(),
      execution_id: id,
      parent_execution_id: id,
    },
    { requiredKeys: [] },
  )
  const document = fc.record(
    {
      execution_id: id,
      status: fc.jsonValue(),
      path: fc.jsonValue(),
      started_at: fc.jsonValue(),
      events: fc.oneof(fc.array(fc.oneof(odd, fc.jsonValue())), fc.jsonValue()),
      result: fc.jsonValue(),
      pagination: fc.jsonValue(),
      workload: fc.jsonValue(),
      version: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(document, odd, fc.jsonValue(), fc.array(document)), async (value) => {
      const text = JSON.stringify(value)
      for (const record of await recordsOf(text, false)) {
        expect(record.oddDetail?.id).not.toBe('not_readable')
        expect(record.keptEnd).toBeLessThanOrEqual(bytesOf(text).length)
      }
    }),
    { numRuns: 300 },
  )
})

test('an agent that failed without a diagnosis still says its error', async () => {
  const agent = (error: string): string =>
    `{"event_type":"call.done","event_id":1,"result":{"context":{"status":"error","framework":"noetl","execution_id":"5","error":${error}}}}`
  const rowOf = async (error: string) =>
    (await recordsOf(`{"execution_id":"${RUN}","status":"FAILED","events":[${agent(error)}]}`)).at(-1)?.facts
      .row
  const without = await rowOf('{"kind":"agent.execution","code":"PLAYBOOK_FAILED"}')
  expect(without).toMatchObject({ agent: { outcome: 'error', errorCode: 'PLAYBOOK_FAILED' } })
  expect(without).not.toHaveProperty('diagnosis')
  expect(await rowOf('{"code":"X","diagnosis":"x"}')).toMatchObject({ diagnosis: { state: 'malformed' } })
})
