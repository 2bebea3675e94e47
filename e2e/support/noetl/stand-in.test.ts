import { readFileSync, readdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { longRun } from './build-run'
import { isObject, readJson, writeJson, type Json, type JsonObject } from './json'
import { runOfDocument } from './recorded'
import { EVERY_LONG_ID, SEED, SEED_DIAGNOSIS, seedRuns } from './seed'
import { startNoetlStandIn, type NoetlStandIn } from './stand-in'

const folder = join(import.meta.dirname, '../../../../shared/samples/noetl/constructed')
const sample = (name: string) => readFileSync(join(folder, `${name}.json`), 'utf8')

let standIn: NoetlStandIn | undefined
afterEach(() => standIn?.close())
const start = async (options: Partial<Parameters<typeof startNoetlStandIn>[0]> = {}) => {
  standIn = await startNoetlStandIn({ runs: seedRuns(), ...options })
}

const get = (path: string, init?: RequestInit) => fetch(`${standIn!.url}/api/executions${path}`, init)
const textOf = async (path: string) => (await get(path)).text()
const objectOf = async (path: string): Promise<JsonObject> => {
  const value = readJson(await textOf(path))
  if (!isObject(value)) throw new Error(writeJson(value))
  return value
}
const listOf = (value: Json | undefined): JsonObject[] => {
  if (!Array.isArray(value)) throw new Error('Not a list')
  return value.filter(isObject)
}
const digitsOf = (value: Json | undefined) => String(value)

describe('pages of the Python dialect', () => {
  test('501 rows come in six pages, newest first, without a gap', async () => {
    await start()
    const ids: string[] = []
    let pages = 0
    for (let hasNext = true; hasNext; ) {
      const { events, pagination, status } = await objectOf(`/${SEED.rows501}?page=${++pages}`)
      expect(status).toBe('COMPLETED')
      ids.push(...listOf(events).map(({ event_id }) => digitsOf(event_id)))
      expect(digitsOf((pagination as JsonObject).total_events)).toBe('501')
      hasNext = (pagination as JsonObject).has_next === true
    }
    expect(pages).toBe(6)
    expect(new Set(ids).size).toBe(501)
    expect(ids).toEqual(ids.toSorted((a, b) => (BigInt(b) > BigInt(a) ? 1 : -1)))
    // What a binary64 number would make of them.
    expect(new Set(ids.map(Number)).size).toBeLessThan(501)
  })

  test('a page is as large as asked for within bounds, and others are refused', async () => {
    await start()
    expect(listOf((await objectOf(`/${SEED.rows501}?page_size=500`)).events)).toHaveLength(500)
    expect(listOf((await objectOf(`/${SEED.rows501}?page_size=500&page=2`)).events)).toHaveLength(1)
    expect(listOf((await objectOf(`/${SEED.rows501}/events?page_size=10`)).events)).toHaveLength(10)
    for (const query of ['page_size=9', 'page_size=501', 'page=0', 'page=x', 'since_event_id=x']) {
      expect((await get(`/${SEED.rows501}?${query}`)).status).toBe(422)
    }
    expect((await objectOf(`/${SEED.rows501}?include_events=false`)).events).toEqual([])
  })

  test('a total counts what the filters leave', async () => {
    await start()
    const first = await objectOf(`/${SEED.rows501}?page_size=10`)
    const since = digitsOf(listOf(first.events)[3]!.event_id)
    const later = await objectOf(`/${SEED.rows501}?since_event_id=${since}`)
    expect(digitsOf((later.pagination as JsonObject).total_events)).toBe('3')
    const ends = await objectOf(`/${SEED.rows501}?event_type=playbook.completed`)
    expect(listOf(ends.events)).toHaveLength(1)
  })

  test('the list has pages of at most 200, and ends at its offset', async () => {
    await start({ runs: Array.from({ length: 250 }, (_, i) => longRun(2, { sequence: i })) })
    const queries = ['', '?page_size=200', '?page_size=200&page=2', '?page_size=1&page=250', '?page=4']
    const lengths = await Promise.all(
      queries.map(async (query) => listOf(readJson(await textOf(query))).length),
    )
    expect(lengths).toEqual([100, 200, 50, 1, 0])
    for (const query of ['?page_size=201', '?page_size=200&page=27'])
      expect((await get(query)).status).toBe(422)
  })
})

describe('pages of the Rust dialect', () => {
  test('the newest 2000 rows come oldest first, and nothing tells of the others', async () => {
    await start({ dialect: 'rust', runs: [longRun(2500)] })
    const run = await objectOf(`/${longRun(2500).executionId}`)
    const events = listOf(run.events)
    expect(events).toHaveLength(2000)
    expect(events.at(-1)!.event_type).toBe('playbook.completed')
    expect(BigInt(digitsOf(events[0]!.event_id)) < BigInt(digitsOf(events[1]!.event_id))).toBe(true)
    expect(run).not.toHaveProperty('pagination')
    expect(Object.keys(events[0]!)).toEqual([
      'event_id',
      'event_type',
      'node_name',
      'status',
      'created_at',
      'result',
      'error',
    ])
  })

  test('the list is cut at 100, which only its headers say', async () => {
    await start({ dialect: 'rust', runs: Array.from({ length: 130 }, (_, i) => longRun(2, { sequence: i })) })
    const response = await get('?limit=300')
    expect(listOf(readJson(await response.text()))).toHaveLength(100)
    const headers = ['limit-applied', 'limit-capped', 'has-more'].map((name) =>
      response.headers.get(`x-noetl-${name}`),
    )
    expect(headers).toEqual(['100', 'true', 'true'])
    const rest = await get('?limit=100&offset=100')
    expect(listOf(readJson(await rest.text()))).toHaveLength(30)
    expect(rest.headers.get('x-noetl-has-more')).toBe('false')
    expect((await get(`/${longRun(2, { sequence: 1 }).executionId}/events`)).status).toBe(404)
  })
})

describe('digits', () => {
  test('an id is a text or a number as the dialect has it, with all its digits', async () => {
    await start()
    const texts = await textOf(`/${SEED.everyId}`)
    expect(texts).toContain(`"execution_id":"${SEED.everyId}"`)
    expect(texts).toContain(`"parent_execution_id":"${SEED.rows501}"`)
    for (const [field, number] of Object.entries(EVERY_LONG_ID))
      expect(texts).toContain(`"${field}":${String(number)}`)
    await standIn!.set({ dialect: 'rust' })
    const numbers = await textOf(`/${SEED.everyId}`)
    expect(numbers).toContain(`"execution_id":${SEED.everyId}`)
    expect(numbers).toContain(`"parent_execution_id":${SEED.rows501}`)
    expect(await textOf(`/${SEED.everyId}/status`)).toContain(`"execution_id":${SEED.everyId}`)
  })

  test('none of the made-up ids survives a JavaScript number', () => {
    for (const number of Object.values(EVERY_LONG_ID)) {
      expect(number > 2n ** 53n).toBe(true)
      expect(BigInt(Number(number))).not.toBe(number)
    }
  })
})

describe('the seed', () => {
  const statusOf = (id: string) => objectOf(`/${id}/status`)

  test('a failed agent stands in a run that reads COMPLETED everywhere', async () => {
    await start()
    const { status, error, events } = await objectOf(`/${SEED.parent}`)
    const ofStep = listOf(events).filter(({ node_name }) => node_name === 'reconcile_ledger')
    const ofAgent = ofStep.filter(({ result }) => isObject(result) && 'context' in result)
    expect([status, error]).toEqual(['COMPLETED', null])
    expect(listOf(events).filter((row) => row.status === 'FAILED' || row.error !== null)).toEqual([])
    expect(ofAgent.map(({ event_type }) => event_type)).toEqual([
      'command.completed',
      'step.exit',
      'call.done',
    ])
    for (const row of ofAgent) {
      const context = (row.result as JsonObject).context as JsonObject
      expect(context).toMatchObject({
        status: 'error',
        error: { diagnosis: { root_cause: SEED_DIAGNOSIS.root_cause } },
      })
    }
    expect(await statusOf(SEED.failedChild)).toMatchObject({
      failed: true,
      completed: false,
      current_step: 'post_entries',
    })
  })

  test('the diagnosis run is a child of the parent and names the run it diagnosed', async () => {
    await start()
    const { parent_execution_id, events } = await objectOf(`/${SEED.diagnosis}`)
    expect(parent_execution_id).toBe(SEED.parent)
    expect(listOf(events).at(-1)!.context).toMatchObject({ workload: { execution_id: SEED.failedChild } })
  })

  test('a cancelled child reads completed at the status endpoint, and the envelope says ok', async () => {
    await start()
    expect(await statusOf(SEED.cancelledChild)).toMatchObject({ completed: true, failed: false })
    expect(await objectOf(`/${SEED.cancelledChild}`)).toMatchObject({ status: 'CANCELLED' })
    expect(await objectOf(`/${SEED.cancelledChild}/cancellation-check`)).toMatchObject({
      cancelled: true,
      completed: false,
    })
    expect(await textOf(`/${SEED.parentOfCancelled}`)).toContain(`"status":"ok","framework":"noetl"`)
  })

  test('a run that tries a failed command again reads FAILED meanwhile', async () => {
    await start()
    expect(await objectOf(`/${SEED.retrying}`)).toMatchObject({ status: 'FAILED', error: 'HTTP 503' })
    expect((await objectOf(`/${SEED.retrying}/cancellation-check`)).failed).toBe(false)
  })
})

describe('200,000 rows', () => {
  test('are made when they are asked for', async () => {
    const run = longRun(200_000)
    await start({ runs: [run] })
    const last = await objectOf(`/${run.executionId}?page_size=500&page=400`)
    expect(last.pagination).toMatchObject({ has_next: false, has_prev: true })
    expect(listOf(last.events)).toHaveLength(500)
    expect(listOf(last.events).at(-1)!.event_type).toBe('playbook.initialized')
  })
})

describe('access', () => {
  test('asks for the token, and takes no other method than GET', async () => {
    await start({ token: 'open-sesame' })
    const refused = await get('')
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await get('', { headers: { authorization: 'Bearer open-sesame' } })).status).toBe(200)
    expect((await get('', { method: 'POST', headers: { authorization: 'Bearer open-sesame' } })).status).toBe(
      405,
    )
    const calls = standIn!.calls.map(({ method, route, status }) => `${method} ${route} ${status}`)
    expect(calls).toEqual(['GET list 401', 'GET list 200', 'POST list 405'])
  })

  test('what is not there is not found, in the words of the dialect', async () => {
    await start()
    expect(await objectOf('/42')).toEqual({ detail: 'Execution 42 not found' })
    for (const path of ['/42', '/x', `/${SEED.parent}/list`, `/${SEED.parent}/detail`])
      expect((await get(path)).status).toBe(404)
  })
})

describe.runIf(existsSync(folder))('recorded documents', () => {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const names = files
    .filter((name) => /^(?:parent|child|diagnosis|rust)-/.test(name))
    .map((name) => name.slice(0, -5))

  test.each(names)('%s is sent as it was recorded, digit for digit', async (name) => {
    const text = sample(name)
    const run = runOfDocument(text)
    await start({ runs: [run], dialect: run.recordedHead!.dialect })
    const recorded = readJson(text)
    expect(readJson(await textOf(`/${run.executionId}?page_size=500`))).toEqual(recorded)
  })

  test('a run of one dialect is sent in the other', async () => {
    const run = runOfDocument(sample('parent-green-diagnosis-attached'))
    await start({ runs: [run], dialect: 'rust' })
    const recorded = readJson(sample('rust-server-detail')) as JsonObject
    const sent = await objectOf(`/${run.executionId}`)
    expect(Object.keys(sent)).toEqual(Object.keys(recorded))
    expect(sent.events).toEqual(recorded.events)
  })

  test.each(['child-failed', 'child-cancelled'])('the status document of %s', async (name) => {
    const run = runOfDocument(sample('child-failed'), { statusText: sample(`status-${name}`) })
    await start({ runs: [run] })
    expect(await objectOf(`/${run.executionId}/status`)).toEqual(readJson(sample(`status-${name}`)))
  })
})
