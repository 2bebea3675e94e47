import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { formatLiveEvent, formatLiveStart, LIVE_HEARTBEAT } from '@/lib/live/event'
import type { LiveEvent, LiveState } from './live-store'
import { createLiveStream } from './live-stream'

interface Asked {
  lastId: string | null
  answer(status: number): void
  begin(): void
  write(text: string): void
  end(): void
  gone: boolean
}

let asked: Asked[]
beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    let controller!: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) })
    return new Promise<Response>((resolve, reject) => {
      const one: Asked = {
        lastId: new Headers(init.headers).get('last-event-id'),
        answer: (status) => resolve(new Response(null, { status })),
        begin: () => resolve(new Response(body)),
        write: (text) => controller.enqueue(new TextEncoder().encode(text)),
        end: () => controller.close(),
        gone: false,
      }
      init.signal!.addEventListener('abort', () => {
        one.gone = true
        reject(init.signal!.reason as Error)
        try {
          controller.error(init.signal!.reason)
        } catch {
          // It had ended before.
        }
      })
      asked.push(one)
    })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function world() {
  const states: LiveState[] = []
  const heard: LiveEvent[] = []
  const stream = createLiveStream('/live', {
    onState: (state) => void (states.at(-1) === state || states.push(state)),
    onEvents: (events) => void heard.push(...events),
  })
  return { stream, states, heard }
}
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const start = (at: string) => formatLiveStart(`run-${at}`)
const change = (id: string, at: string) => formatLiveEvent({ type: 'execution', id }, `run-${at}`)

describe('a stream', () => {
  test('goes on after the last event it heard, also when it was closed for a while', async () => {
    const { stream, states, heard } = world()
    stream.open()
    stream.open()
    expect(asked.map(({ lastId }) => lastId)).toEqual([null])
    asked[0]!.begin()
    asked[0]!.write(start('7'))
    await pass(250)
    stream.close()
    stream.open()
    expect(asked[0]!.gone).toBe(true)
    asked[1]!.begin()
    asked[1]!.write(change('a', '8') + start('8'))
    await pass(250)
    stream.close()
    stream.open()
    expect(asked.map(({ lastId }) => lastId)).toEqual([null, 'run-7', 'run-8'])
    expect(heard).toEqual([{ type: 'execution', id: 'a' }])
    expect(states, 'closing it on purpose is no news').toEqual(['open'])
  })

  test('opens again when the server ends it, and does not hurry one that ends at once', async () => {
    const { stream, states } = world()
    stream.open()
    asked[0]!.begin()
    await pass(60_000 - 30_000)
    asked[0]!.write(LIVE_HEARTBEAT)
    asked[0]!.end()
    await pass()
    expect(asked).toHaveLength(2)
    for (let n = 1; n < 4; n++) {
      asked[n]!.begin()
      asked[n]!.end()
      await pass(500)
      expect(asked).toHaveLength(n + 1)
      await pass(600)
      expect(asked).toHaveLength(n + 2)
    }
    expect(states).toEqual(['open'])
  })

  test('that is tried for long leaves no listeners behind', async () => {
    const added = vi.spyOn(AbortSignal.prototype, 'addEventListener')
    const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener')
    const { stream } = world()
    stream.open()
    for (let n = 0; n < 12; n++) {
      asked[n]!.answer(503)
      await pass(15_000)
    }
    const lasting = new Set(removed.mock.calls.map(([, listener]) => listener))
    const left = added.mock.calls.filter(([, listener]) => !lasting.has(listener))
    // Each request has one of its own, on a signal of its own; the last one is still under way.
    expect(left).toHaveLength(asked.length + 1)
    stream.close()
    vi.restoreAllMocks()
  })

  test('that falls silent is broken, whatever the network says', async () => {
    const { stream, states } = world()
    stream.open()
    asked[0]!.begin()
    for (let n = 0; n < 5; n++) {
      asked[0]!.write(LIVE_HEARTBEAT)
      await pass(15_000)
    }
    expect(asked[0]!.gone).toBe(false)
    await pass(40_000)
    expect(asked[0]!.gone).toBe(true)
    expect(states).toEqual(['open', 'lost'])
  })

  test('says when the server has lost its database, and when it is back', async () => {
    const { stream, states, heard } = world()
    stream.open()
    asked[0]!.begin()
    asked[0]!.write(formatLiveEvent({ type: 'stale', id: null }, 'run-1'))
    await pass(250)
    expect(states).toEqual(['open', 'stale'])
    expect(heard).toEqual([])
    asked[0]!.write(formatLiveEvent({ type: 'resync', id: null }, 'run-2'))
    await pass(250)
    expect(states).toEqual(['open', 'stale', 'open'])
    expect(heard).toEqual([{ type: 'resync', id: null }])
  })

  test('tries a server that is away less and less often, and still every 13 seconds', async () => {
    const { stream, states } = world()
    stream.open()
    const waits: number[] = []
    for (let n = 0; n < 8; n++) {
      asked[n]!.answer(503)
      const since = Date.now()
      while (asked.length === n + 1) await pass(50)
      waits.push(Date.now() - since)
    }
    expect(waits[0]).toBeGreaterThanOrEqual(750)
    expect(waits[0]).toBeLessThan(1_500)
    expect(Math.min(...waits.slice(4))).toBeGreaterThan(7_000)
    expect(Math.max(...waits)).toBeLessThan(13_000)
    expect(states).toEqual(['lost'])
  })

  test('gives a server that says nothing at all 10 seconds, and says meanwhile that it connects', async () => {
    const { stream, states } = world()
    stream.open()
    await pass(3_000)
    expect(states).toEqual(['connecting'])
    await pass(10_000)
    expect(asked[0]!.gone).toBe(true)
    expect(states).toEqual(['connecting', 'lost'])
  })

  test('ends when nobody is signed in, and starts anew for somebody else', async () => {
    const { stream, states } = world()
    stream.open()
    asked[0]!.begin()
    asked[0]!.write(start('7'))
    await pass(5_000)
    asked[0]!.end()
    await pass()
    asked[1]!.answer(401)
    await pass(120_000)
    expect(asked).toHaveLength(2)
    expect(states).toEqual(['open', 'signed-out'])
    stream.restart()
    expect(asked.map(({ lastId }) => lastId)).toEqual([null, 'run-7', null])
  })
})
