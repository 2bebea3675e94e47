import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { limits } from '@/lib/limits'
import type { OpenConnection } from '../queries/connections'
import { fetchRunNow } from './fetch-run-now'

let server: Server
/** Requests that the newest server had; one that was on its way to an earlier server is none of its own. */
let asked: () => number
afterEach(() => {
  server.closeAllConnections()
  server.close()
})
/** A server that always has another page of one small row. @param answer when it sends one */
async function endless(
  answer: (send: () => ServerResponse) => void = (send) => send(),
): Promise<OpenConnection> {
  let page = 0
  asked = () => page
  server = createServer((_, response) => {
    page++
    const text = JSON.stringify({
      execution_id: '7',
      start_time: '2026-01-01T00:00:00',
      status: 'FAILED',
      events: [{ event_id: page, event_type: 'step.enter' }],
      pagination: { page, has_next: true },
    })
    answer(() => response.writeHead(200, { 'content-type': 'application/json' }).end(text))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    projectId: 'p',
    id: randomUUID(),
    sourceId: 's',
    sourceName: 'staging',
    kind: 'noetl',
    baseUrl,
    header: null,
    databaseUrl: null,
    opened: true,
    allowPrivate: true,
    enabled: true,
    intervalSeconds: 60,
    knownSince: null,
    failures: 0,
    openedAt: '2026-01-01T00:00:00Z',
  }
}
const fast = { perSecond: 100_000 }

test('a server that always has another page is asked for so many, and what came is called a part', async () => {
  const fetched = await fetchRunNow(await endless(), '7', fast)
  expect(fetched).toMatchObject({ complete: false })
  expect(asked()).toBe(limits.fetchPagesMax)
})

test('the time is that of all pages, and of those that wait for their turn', async () => {
  // Each page comes well within it; the last one that is sent is not the last one.
  const slow = await endless((send) => void setTimeout(send, 20))
  expect(await fetchRunNow(slow, '7', { ...fast, wholeMs: 400 })).toEqual({
    state: 'unreadable',
    reason: {
      id: 'failed',
      params: { kind: 'timed_out', detail: { id: 'pages_too_slow', params: { seconds: 0.4 } }, about: null },
    },
  })
  expect(asked()).toBeLessThan(limits.fetchPagesMax)
  server.close()
  const paced = await endless()
  expect(await fetchRunNow(paced, '7', { perSecond: 0.001, wholeMs: 500 })).toMatchObject({
    state: 'unreadable',
  })
  expect(asked()).toBe(1)
})

test('who stops waiting hears that, and nothing more is asked', async () => {
  const stop = new AbortController()
  const connection = await endless((send) => {
    if (asked() === 3) stop.abort(new Error('the server is stopping'))
    else send()
  })
  await expect(fetchRunNow(connection, '7', { ...fast, signal: stop.signal })).rejects.toThrow(
    'the server is stopping',
  )
  expect(asked()).toBe(3)
})
