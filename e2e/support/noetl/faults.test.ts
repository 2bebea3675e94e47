import { afterEach, describe, expect, test } from 'vitest'
import { readJson, type JsonObject } from './json'
import { SEED, seedRuns } from './seed'
import { startNoetlStandIn, type NoetlStandIn } from './stand-in'
import type { Fault } from './faults'

let standIn: NoetlStandIn
afterEach(() => standIn.close())
const start = async (...faults: Fault[]) => {
  standIn = await startNoetlStandIn({ runs: seedRuns(), faults, token: 'secret' })
}
const get = (path = '', init: RequestInit = {}) =>
  fetch(`${standIn.url}/api/executions${path}`, { ...init, headers: { authorization: 'Bearer secret' } })
const lastCall = async () => {
  // The server learns of an end a moment after the client.
  for (let i = 0; i < 200 && standIn.calls.at(-1)?.ended === 'open'; i++)
    await new Promise((done) => setTimeout(done, 10))
  return standIn.calls.at(-1)!
}

describe('what a server can do wrong', () => {
  test('down: nothing listens, and it comes back at the same address', async () => {
    await start({ kind: 'down' })
    await expect(get()).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    await standIn.set({ faults: [] })
    expect((await get()).status).toBe(200)
    await standIn.set({ faults: [{ kind: 'down' }] })
    await expect(get()).rejects.toThrow()
  })

  test('reset: the connection ends without a word', async () => {
    await start({ kind: 'reset' })
    await expect(get()).rejects.toThrow()
    expect(await lastCall()).toMatchObject({ fault: 'reset', status: null, ended: 'gone' })
  })

  test('slow: nothing comes, so a reader gives up by itself', async () => {
    await start({ kind: 'slow', ms: 60_000, times: 1 })
    await expect(get('', { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    expect(await lastCall()).toMatchObject({ fault: 'slow', ended: 'gone', bytes: 0 })
    expect((await get()).status).toBe(200)
  })

  test('drip: the head comes at once, the rest in small pieces', async () => {
    await start({ kind: 'drip', ms: 20, bytes: 8 })
    const response = await get('', { signal: AbortSignal.timeout(300) })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError' })
    expect((await lastCall()).bytes).toBeLessThan(1000)
  })

  test('html: 200 with a page, which can claim to be JSON', async () => {
    await start({ kind: 'html', on: 'list' }, { kind: 'html', contentType: 'application/json' })
    const page = await get()
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toMatch(/^<!doctype html>/)
    const liar = await get(`/${SEED.parent}`)
    expect(liar.headers.get('content-type')).toBe('application/json')
    await expect(liar.json()).rejects.toThrow(SyntaxError)
  })

  test('status: 500, or what is wanted', async () => {
    await start(
      { kind: 'status', status: 500, times: 1 },
      { kind: 'status', status: 429, headers: { 'retry-after': '3' } },
    )
    expect((await get()).status).toBe(500)
    const later = await get()
    expect([later.status, later.headers.get('retry-after')]).toEqual([429, '3'])
  })

  test('redirect: on the same host the documents are where it leads', async () => {
    await start({ kind: 'redirect', to: 'same_host' })
    expect((await get('', { redirect: 'manual' })).headers.get('location')).toBe('/moved/api/executions')
    expect((await get()).status).toBe(200)
  })

  test('redirect: another host has them too, and knows who came with what', async () => {
    await start({ kind: 'redirect', to: 'other_host', status: 307 })
    const response = await get(`/${SEED.parent}`)
    expect([response.status, new URL(response.url).hostname]).toEqual([200, 'localhost'])
    expect(standIn.elsewhere.calls.map(({ route, headers }) => [route, headers.authorization])).toEqual([
      ['detail', undefined],
    ])
    expect(new URL(standIn.url).hostname).toBe('127.0.0.1')
  })

  test('redirect: round and round', async () => {
    await start({ kind: 'redirect', to: 'itself' })
    await expect(get()).rejects.toMatchObject({ cause: { message: 'redirect count exceeded' } })
  })

  test('huge: 300 MB, of which no more is sent than is read', async () => {
    await start({ kind: 'huge', declared: true })
    const response = await get()
    expect(response.headers.get('content-length')).toBe('300000000')
    const reader = response.body!.getReader()
    await reader.read()
    await reader.cancel()
    const { ended, bytes } = await lastCall()
    expect(ended).toBe('gone')
    expect(bytes).toBeLessThan(20_000_000)
  })

  test('huge: well-formed to its last byte, also when it grows out of a small body', async () => {
    await start({ kind: 'huge', bytes: 3_000_000, times: 1 }, { kind: 'huge', bytes: 3_000_000, gzip: true })
    for (const isSmall of [false, true]) {
      const text = await (await get()).text()
      expect(text.length).toBe(3_000_000)
      expect(Object.keys(JSON.parse(text))).toEqual(['events'])
      expect((await lastCall()).bytes < 100_000).toBe(isSmall)
    }
  })

  test('cut: the connection ends in the middle of the answer', async () => {
    await start({ kind: 'cut' })
    const response = await get(`/${SEED.parent}`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
    expect((await lastCall()).ended).toBe('gone')
  })

  test('half: the answer ends well, in the middle of its JSON', async () => {
    await start({ kind: 'half' })
    const text = await (await get(`/${SEED.parent}`)).text()
    expect(text).toMatch(/^\{"execution_id"/)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
  })
})

describe('when it goes wrong', () => {
  test('on one route, for one run, after so many, so many times', async () => {
    await start({
      kind: 'status',
      status: 500,
      on: ['detail', 'events'],
      executionId: SEED.rows501,
      after: 1,
      times: 2,
    })
    const statuses = async (paths: string[]) => {
      const all: number[] = []
      for (const path of paths) all.push((await get(path)).status)
      return all
    }
    const page = `/${SEED.rows501}`
    const asked = ['', page, `/${SEED.parent}`, page, `${page}/status`, `${page}/events`, page]
    expect(await statuses(asked)).toEqual([200, 200, 200, 500, 200, 500, 200])
    expect(standIn.calls.map(({ fault }) => fault)).toEqual([
      null,
      null,
      null,
      'status',
      null,
      'status',
      null,
    ])
  })

  test('a token is asked for before anything is told', async () => {
    await start()
    expect((await fetch(`${standIn.url}/api/executions`)).status).toBe(401)
    expect(
      Object.keys(readJson(await (await fetch(`${standIn.url}/api/executions/42`)).text()) as JsonObject),
    ).toEqual(['detail'])
  })
})
