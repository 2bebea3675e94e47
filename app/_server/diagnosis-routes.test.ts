import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as route from '@/app/api/v1/executions/[id]/diagnosis/route'
import { forgetEverything } from '@/db/testing/content'
import { ingestBody } from '@/db/writes/ingest'
import { runDiagnosis, type RunDiagnosisDocument } from '@/lib/api/diagnosis-schemas'
import {
  exactJsonText,
  member,
  parseExactJson,
  type ExactJson,
  type ExactObject,
} from '@/lib/text/exact-json'
import { links } from '@/lib/links'
import { ask, openWorld, type World } from './test-support'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterEach(() => forgetEverything(world.db))
afterAll(() => world.close())

const sample = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../shared/samples/noetl/constructed', `${name}.json`), 'utf8')
const take = async (text: string): Promise<string> =>
  (
    await ingestBody(world.db, {
      projectId: world.project.id,
      source: null,
      kind: 'noetl',
      bytes: Buffer.from(text),
    })
  ).executions[0]!.id
const get = async (id: string, scopes: ('read' | 'ingest')[] = ['read']): Promise<Response> =>
  ask(route.GET, links.api.diagnosis(id), { key: await world.key(scopes), params: { id } })
const read = async (id: string): Promise<RunDiagnosisDocument> =>
  runDiagnosis.strict().parse(await (await get(id)).json())

const CHILD = '620356931248455716'

test.each(['parent-green-diagnosis-attached', 'rust-server-detail'])(
  '%s: an attached diagnosis is told whole, with its digits',
  async (name) => {
    const id = await take(sample(name))
    const { state, holderId, toldBy, diagnoses, firstFailure, lastFailure } = await read(id)
    expect(toldBy).toBe(holderId)
    for (const { versions, retold } of diagnoses) expect(retold).toEqual(versions)
    expect({ state, holderId }).toEqual({ state: 'attached', holderId: id })
    expect(diagnoses).toHaveLength(1)
    expect(diagnoses[0]).toMatchObject({
      step: 'trigger_failure',
      childId: CHILD,
      eventId: '620357385518352253',
      value: {
        keys: { category: '"infra"', confidence: '0.78', source: '"ollama"' },
        problems: [],
        groupCategory: 'infra',
        lowConfidence: false,
        namesRun: CHILD,
        others: [
          { key: 'execution_id', json: `"${CHILD}"` },
          { key: 'escalated', json: 'false' },
          {
            key: '_meta',
            json: '{"diagnosis_fetch":{"poll_count":1,"elapsed_seconds":0.064,"deadline_seconds":60.0,"hit_deadline":false}}',
          },
        ],
      },
    })
    const { received, byteStart, byteEnd } = diagnoses[0]!.pointer!
    const [kept] = await world.db.sql<
      { bytes: Buffer }[]
    >`select bytes from received where sha256 = ${received}`
    expect(JSON.parse(new TextDecoder().decode(kept!.bytes.subarray(byteStart, byteEnd)))).toMatchObject({
      category: 'infra',
      _meta: {},
    })
    expect(firstFailure).toMatchObject({
      type: 'call.done',
      what: 'agent_failure',
      eventId: '620357385518352253',
    })
    expect(lastFailure).toMatchObject({ type: 'command.completed', eventId: '620357385526740749' })
  },
)

test('where the run of the agent is stored, what it says of its failure is told, with its own failing rows', async () => {
  const id = await take(sample('parent-green-diagnosis-attached'))
  expect((await read(id)).diagnoses[0]!.agentRun).toBeNull()
  const child = await take(sample('child-failed'))
  const {
    diagnoses: [one],
    firstFailure,
  } = await read(id)
  const [kept] = await world.db.sql<
    { cause: string; next: string }[]
  >`select cause_text as cause, advice->>'next' as next from executions where id = ${child}`
  expect(kept!.cause).toContain(' failed: “')
  expect(one!.agentRun).toMatchObject({
    id: child,
    externalId: CHILD,
    outcome: 'failed',
    cause: kept!.cause,
    advice: { next: kept!.next },
  })
  const own = await read(child)
  expect(own.firstFailure).not.toBeNull()
  expect(one!.agentRun).toMatchObject({ firstFailure: own.firstFailure, lastFailure: own.lastFailure })
  expect(one!.agentRun!.firstFailure!.eventId).not.toBe(firstFailure!.eventId)
})

test('a started run in its place is a handle, and no diagnosis', async () => {
  const { state, diagnoses } = await read(await take(sample('parent-dispatch-handle-in-diagnosis-slot')))
  expect(state).toBe('handle_only')
  expect(diagnoses[0]!.value).toMatchObject({ problems: ['missing_keys'], keys: { category: null } })
})

test('without one, a run that was started to make it tells that it was tried', async () => {
  const id = await take(sample('parent-diagnosis-lost-in-projection'))
  expect(await read(id)).toMatchObject({
    state: 'none_requested',
    diagnoses: [{ value: null, pointer: null, attempts: [] }],
  })
  const made = sample('diagnosis-run')
  const parsed = parseExactJson(made)
  const document = (parsed.ok ? parsed.value : null) as ExactObject
  const events = (document['events'] as ExactJson[]).filter(
    (row) => member(row, 'event_type') !== 'playbook.completed',
  )
  await take(exactJsonText({ ...document, events, pagination: { page: 1, total_events: events.length } }))
  expect(await read(id)).toMatchObject({
    state: 'running',
    diagnoses: [{ attempts: [{ outcome: 'running' }], elsewhere: null }],
  })
  await take(made)
  expect(await read(id)).toMatchObject({
    state: 'attempted_nothing_attached',
    diagnoses: [
      {
        attempts: [
          {
            externalId: '620356943059615814',
            path: 'automation/agents/troubleshoot/diagnose_execution',
            outcome: 'succeeded',
          },
        ],
      },
    ],
  })
})

test('a diagnosis that a run kept, and that stands in no row of its agent, is told as read from that run', async () => {
  const id = await take(sample('parent-diagnosis-lost-in-projection'))
  expect((await read(id)).diagnoses[0]).toMatchObject({ elsewhere: null })
  const made = await take(sample('diagnosis-run'))
  const {
    state,
    diagnoses: [one],
  } = await read(id)
  expect(state).toBe('attempted_nothing_attached')
  expect(one).toMatchObject({
    value: null,
    elsewhere: {
      id: made,
      externalId: '620356943059615814',
      row: { eventId: '620357371806198728', type: 'call.done' },
      value: { problems: [], keys: { category: '"infra"', confidence: '0.78' } },
    },
  })
  // Attached, it is read from where it belongs alone.
  await take(sample('parent-green-diagnosis-attached'))
  expect((await read(id)).diagnoses[0]).toMatchObject({ state: 'attached', elsewhere: null })
})

test('what a run kept counts when it holds all keys and that run has ended', async () => {
  const id = await take(sample('parent-diagnosis-lost-in-projection'))
  await take(sample('diagnosis-run').replaceAll(/"root_cause": "[^\n]*\n/g, ''))
  expect(await read(id)).toMatchObject({
    state: 'attempted_nothing_attached',
    diagnoses: [{ elsewhere: null }],
  })
})

test.each(['parent-green-diagnosis-attached', 'parent-diagnosis-lost-in-projection'])(
  '%s: the error of the agent stands beside it, and the row it stands in is named whole',
  async (name) => {
    const {
      diagnoses: [one],
      firstFailure,
    } = await read(await take(sample(name)))
    expect(one!.error).toEqual({
      kind: '"agent.execution"',
      code: '"PLAYBOOK_FAILED"',
      message: '"sub-playbook returned non-success status"',
      retryable: 'false',
    })
    const { received, byteStart, byteEnd } = one!.row.pointer
    const [kept] = await world.db.sql<
      { bytes: Buffer }[]
    >`select bytes from received where sha256 = ${received}`
    expect(JSON.parse(new TextDecoder().decode(kept!.bytes.subarray(byteStart, byteEnd)))).toMatchObject({
      event_type: one!.row.type,
      result: { context: { framework: 'noetl' } },
    })
    expect(firstFailure!.whole.byteEnd - firstFailure!.whole.byteStart).toBeGreaterThan(
      firstFailure!.pointer.byteEnd - firstFailure!.pointer.byteStart,
    )
  },
)

test('a diagnosis that lacks keys is incomplete, one that breaks the contract is attached and flagged', async () => {
  const text = sample('parent-green-diagnosis-attached')
  const lacking = text.replaceAll(/"root_cause": "The host[^\n]*\n/g, '')
  expect(await read(await take(lacking))).toMatchObject({
    state: 'incomplete',
    diagnoses: [{ value: { problems: ['missing_keys'], keys: { root_cause: null } } }],
  })
  await forgetEverything(world.db)
  expect(
    await read(await take(text.replaceAll('"confidence": 0.78', '"confidence": 1.780000000000000001'))),
  ).toMatchObject({
    state: 'attached',
    diagnoses: [
      {
        value: {
          problems: ['confidence_out_of_range'],
          keys: { confidence: '1.780000000000000001' },
          lowConfidence: null,
        },
      },
    ],
  })
})

test('the run of the agent is told what its parent holds of it, beside its own first failing row', async () => {
  const parent = await take(sample('parent-green-diagnosis-attached'))
  const { state, holderId, firstFailure, lastFailure } = await read(await take(sample('child-failed')))
  expect({ state, holderId }).toEqual({ state: 'attached', holderId: parent })
  expect(firstFailure).toMatchObject({
    type: 'call.error',
    step: 'hit_non_routable',
    what: 'tool_error',
    text: 'Request error: [Errno -2] Name or service not known',
  })
  expect(lastFailure).toMatchObject({ type: 'command.failed' })
})

test('a run without a failure has none; who may not read it learns nothing', async () => {
  const id = await take(sample('diagnosis-run'))
  expect(await read(id)).toEqual({
    executionId: id,
    state: 'none_requested',
    holderId: null,
    toldBy: null,
    diagnoses: [],
    unclaimed: null,
    firstFailure: null,
    lastFailure: null,
  })
  expect((await get('0199a000-0000-7000-8000-000000000000')).status).toBe(404)
  expect((await get(id, ['ingest'])).status).toBe(403)
})
