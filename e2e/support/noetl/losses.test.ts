import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { isObject, readJson, writeJson, type Json, type JsonObject } from './json'
import { rowAt, type Losses } from './losses'
import { runOfDocument } from './recorded'
import type { NoetlRun } from './runs'
import { SEED, seedRuns } from './seed'
import { startNoetlStandIn, type NoetlStandIn } from './stand-in'

const shared = join(import.meta.dirname, '../../../../shared')
const seedRun = (id: string): NoetlRun => seedRuns().find(({ executionId }) => executionId === id)!

let standIn: NoetlStandIn
afterEach(() => standIn.close())
const textOf = async (path: string) => (await fetch(`${standIn.url}/api/executions${path}`)).text()

/** What each layer holds in the place of the parent's result context. */
async function layersOf(
  losses: Losses,
  id: string = SEED.parent,
): Promise<{ worker: Json; eventLog: Json; api: Json; rust: Json }> {
  standIn = await startNoetlStandIn({ runs: seedRuns(), losses })
  const run = seedRun(id)
  const index = Array.from({ length: run.events.count }, (_, i) => i).findLast(
    (i) => run.events.at(i).reply !== undefined,
  )!
  const event = run.events.at(index)
  const fetched = async () => {
    const document = readJson(await textOf(`/${id}`))
    const rows = isObject(document) && Array.isArray(document.events) ? document.events.filter(isObject) : []
    return contextOf(rows.find(({ event_id }) => String(event_id) === event.eventId)?.result)
  }
  const api = await fetched()
  await standIn.set({ dialect: 'rust' })
  const eventLog = asRead(contextOf(rowAt('event_log', event, run, losses).result))
  return { worker: readJson(standIn.workerReply(id)!), eventLog, api, rust: await fetched() }
}

const asRead = (value: Json): Json => readJson(writeJson(value))
const contextOf = (result: Json | undefined): Json => (isObject(result) ? (result.context ?? null) : null)
const diagnosisOf = (context: Json): Json | undefined =>
  isObject(context) && isObject(context.error) ? context.error.diagnosis : undefined

describe('without a loss', () => {
  test('every layer holds the diagnosis whole', async () => {
    const { worker, api, rust } = await layersOf({})
    expect(diagnosisOf(worker)).toMatchObject({
      category: 'bad_request',
      _meta: { diagnosis_fetch: { hit_deadline: false } },
    })
    expect(api).toEqual(worker)
    expect(rust).toEqual(worker)
  })
})

describe('each loss at its layer', () => {
  test('the scalar-only projection loses the diagnosis between worker and log', async () => {
    const { worker, eventLog, api, rust } = await layersOf({ scalarOnlyProjection: true })
    expect(diagnosisOf(worker)).toBeDefined()
    for (const context of [eventLog, api, rust]) {
      expect(diagnosisOf(context)).toBeUndefined()
      const error = { kind: 'agent.execution', code: 'PLAYBOOK_FAILED', retryable: false }
      expect(context).toMatchObject({ status: 'error', framework: 'noetl', error })
    }
  })

  test('the later projection loses what is nested in the diagnosis', async () => {
    const { worker, eventLog, api } = await layersOf({ flatDiagnosis: true })
    expect(diagnosisOf(worker)).toHaveProperty('_meta')
    for (const context of [eventLog, api]) {
      expect(diagnosisOf(context)).toMatchObject({ category: 'bad_request', source: 'ollama' })
      expect(diagnosisOf(context)).not.toHaveProperty('_meta')
    }
  })

  test('the cap drops a context above 100 KiB whole, and only such a one', async () => {
    const { worker, eventLog, api } = await layersOf({ contextCap: true }, SEED.largeContext)
    expect(diagnosisOf(worker)).toBeDefined()
    for (const context of [eventLog, api])
      expect(Object.keys(context as JsonObject)).toEqual(['command_id', 'worker_id'])
    await standIn.close()
    expect(diagnosisOf((await layersOf({ contextCap: true })).api)).toBeDefined()
    await standIn.close()
    expect(diagnosisOf((await layersOf({ contextCap: true, contextBytesMax: 200 })).api)).toBeUndefined()
  })

  test('a handle stands in the place of the diagnosis from the worker on', async () => {
    const handle = { execution_id: SEED.diagnosis, status: 'started' }
    const { worker, eventLog, api } = await layersOf({ handleInsteadOfDiagnosis: true })
    for (const context of [worker, eventLog, api]) expect(diagnosisOf(context)).toMatchObject(handle)
    await standIn.close()
    const later = await layersOf({ handleInsteadOfDiagnosis: 'api' })
    expect(diagnosisOf(later.eventLog)).toHaveProperty('root_cause')
    expect(diagnosisOf(later.api)).toMatchObject(handle)
  })

  test('the context is a text in the API, and its JSON is the same', async () => {
    const { worker, eventLog, api, rust } = await layersOf({ stringifiedContext: true })
    expect(eventLog).toEqual(worker)
    expect(readJson(api as string)).toEqual(worker)
    expect(typeof rust).toBe('string')
  })

  test('ids are rounded in the API, each number of the document', async () => {
    standIn = await startNoetlStandIn({ runs: seedRuns(), losses: { roundedIds: true } })
    const text = await textOf(`/${SEED.everyId}`)
    const row = seedRun(SEED.everyId).events.at(2)
    expect(text).toContain(`"event_id":${String(Number(row.eventId))}`)
    expect(text).not.toContain(`"event_id":${row.eventId}`)
    // Texts keep theirs.
    expect(text).toContain(`"execution_id":"${SEED.everyId}"`)
    expect(text).toBe(JSON.stringify(JSON.parse(text)))
    expect(rowAt('event_log', row, seedRun(SEED.everyId), { roundedIds: true }).result).toEqual(row.result)
    await standIn.set({ dialect: 'rust' })
    expect(await textOf(`/${SEED.everyId}`)).toContain(`"execution_id":${String(Number(SEED.everyId))}`)
  })

  test('a cap of pages hides the oldest rows, and the total tells', async () => {
    standIn = await startNoetlStandIn({ runs: seedRuns(), losses: { pageCap: 250 } })
    const page = async (n: number) => readJson(await textOf(`/${SEED.rows501}?page=${n}`)) as JsonObject
    const pages = [await page(1), await page(2), await page(3), await page(4)]
    expect(pages.map(({ events }) => (events as Json[]).length)).toEqual([100, 100, 50, 0])
    expect(pages.map(({ pagination }) => (pagination as JsonObject).has_next)).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(String((pages[2]!.pagination as JsonObject).total_events)).toBe('501')
    await standIn.set({ losses: { pageSizeCap: 20 } })
    const small = readJson(await textOf(`/${SEED.rows501}?page_size=500`)) as JsonObject
    expect([(small.events as Json[]).length, String((small.pagination as JsonObject).page_size)]).toEqual([
      20,
      '20',
    ])
  })
})

describe.runIf(existsSync(shared))('recorded cases', () => {
  const file = join(shared, 'conformance/diagnosis/parity.jsonl')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  // The later generations lose nothing of a diagnosis.
  const generations = ['v2.35.8', 'v2.35.9', 'v2.37.0']
  const cases = lines
    .map((line) => readJson(line) as JsonObject)
    .map((one) => ({
      id: String(one.id),
      op: one.op,
      input: one.input as JsonObject,
      expected: one.expected as JsonObject,
    }))
    .filter(({ op, input }) => op === 'project_result' && generations.includes(String(input.generation)))

  test('there are some', () => expect(cases.length).toBe(3))

  test.each(cases)('$id: the projections of old lose what the source itself lost', ({ input, expected }) => {
    const losses: Losses =
      input.generation === 'v2.35.8' ? { scalarOnlyProjection: true } : { flatDiagnosis: true }
    const event = {
      ...seedRun(SEED.parent).events.at(1),
      result: { status: 'COMPLETED', context: input.response },
    }
    expect(rowAt('event_log', event, seedRun(SEED.parent), losses).result).toEqual(expected.result)
  })

  test.each([
    ['parent-diagnosis-lost-in-projection', { scalarOnlyProjection: true }],
    ['parent-diagnosis-meta-lost', { flatDiagnosis: true }],
    ['parent-dispatch-handle-in-diagnosis-slot', { handleInsteadOfDiagnosis: true }],
  ] satisfies [string, Losses][])('%s', (name, losses) => {
    const read = (file: string) =>
      readFileSync(join(shared, 'samples/noetl/constructed', `${file}.json`), 'utf8')
    const green = runOfDocument(read('parent-green-diagnosis-attached'), {
      diagnosisExecutionId: '620356943059615814',
    })
    const lost = runOfDocument(read(name))
    for (let i = 0; i < green.events.count; i++) {
      const [ours, theirs] = [
        rowAt('event_log', green.events.at(i), green, losses).result,
        lost.events.at(i).result,
      ]
      expect(diagnosisOf(asRead(contextOf(ours)))).toEqual(diagnosisOf(contextOf(theirs ?? null)))
    }
  })
})
