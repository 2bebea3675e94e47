import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FromPage, SILENT_MS, type ToPage } from './live-messages'
import type { LiveEvent, LiveState } from './live-store'
import { createSharedStream, type Port } from './shared-stream'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

/** A stream that does as the test says and counts. */
function world() {
  const stream = { open: false, opened: 0, restarts: 0 }
  let handlers!: { onState(state: LiveState): void; onEvents(events: LiveEvent[]): void }
  const shared = createSharedStream((given) => {
    handlers = given
    return {
      open: () => {
        if (!stream.open) stream.opened += 1
        stream.open = true
        handlers.onState('open')
      },
      close: () => void (stream.open = false),
      restart: () => {
        stream.restarts += 1
        stream.open = true
        handlers.onState('open')
      },
    }
  })
  const page = (options: { visible?: boolean; reader?: string | null; frozen?: boolean } = {}) => {
    const { visible = true, reader = 'ada' } = options
    const got: ToPage[] = []
    let close = (): void => {}
    const port: Port = {
      onmessage: null,
      postMessage: (message) => {
        got.push(message)
        if (!self.frozen) queueMicrotask(() => self.say({ kind: 'done' }))
      },
      addEventListener: (_type, listener) => void (close = listener),
    }
    const self = {
      got,
      frozen: options.frozen ?? false,
      say: (message: FromPage) => port.onmessage?.({ data: message } as MessageEvent<FromPage>),
      ids: () => got.flatMap(({ events }) => events.map(({ type, id }) => id ?? type)),
      crash: () => close(),
    }
    shared.connect(port)
    self.say({ kind: 'join', reader, visible })
    return self
  }
  return { stream, page, tell: (...ids: string[]) => handlers.onEvents(ids.map(execution)), handlers }
}
const execution = (id: string): LiveEvent => ({ type: 'execution', id })
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('one stream for all pages of a browser', () => {
  test('is opened once, and each page hears of each change', async () => {
    const { stream, page, tell } = world()
    const pages = Array.from({ length: 10 }, (_, index) => page({ visible: index === 3 }))
    await settle()
    tell('a')
    await settle()
    tell('b')
    await settle()
    expect(stream.opened).toBe(1)
    for (const one of pages) {
      expect(one.ids()).toEqual(['a', 'b'])
      expect(one.got.at(-1)!.state).toBe('open')
    }
  })

  test('is closed a moment after no page is visible, and opened again for the first that is', async () => {
    const { stream, page } = world()
    const [first, second] = [page(), page({ visible: false })]
    first.say({ kind: 'here', visible: false })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(stream.open, 'tabs are being switched').toBe(true)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(stream.open).toBe(false)
    second.say({ kind: 'here', visible: true })
    expect(stream).toMatchObject({ open: true, opened: 2 })
    second.say({ kind: 'leave' })
    await vi.advanceTimersByTimeAsync(3_000)
    expect(stream.open).toBe(false)
  })

  test.each(['silent', 'crashed'])('does not stay open for a visible page that is %s', async (how) => {
    const { stream, page } = world()
    const gone = page()
    if (how === 'crashed') gone.crash()
    await vi.advanceTimersByTimeAsync(SILENT_MS * 2)
    expect(stream.open).toBe(false)
  })

  test('a page that was taken for gone and speaks again reads everything again', async () => {
    const { stream, page, tell } = world()
    const other = page()
    const frozen = page()
    frozen.frozen = true
    const stay = setInterval(() => other.say({ kind: 'here', visible: true }), 5_000)
    await vi.advanceTimersByTimeAsync(SILENT_MS * 2)
    clearInterval(stay)
    tell('a')
    expect(frozen.ids()).toEqual([])
    frozen.frozen = false
    frozen.say({ kind: 'here', visible: true })
    await settle()
    expect(frozen.ids()).toEqual(['resync'])
    expect(stream.open).toBe(true)
  })

  test('a frozen page gets one message, and the rest of them as one when it goes on', async () => {
    const { page, tell } = world()
    const frozen = page({ visible: false, frozen: true })
    page()
    const before = frozen.got.length
    for (let n = 0; n < 50; n++) tell(`e${n % 20}`)
    expect(frozen.got.length - before).toBe(0)
    frozen.frozen = false
    frozen.say({ kind: 'done' })
    await settle()
    expect(frozen.got.length - before).toBe(1)
    expect(frozen.ids()).toEqual(Array.from({ length: 20 }, (_, n) => `e${n}`))
    frozen.frozen = true
    for (let n = 0; n < 1_000; n++) tell(`f${n}`)
    frozen.say({ kind: 'done' })
    expect(frozen.got.at(-1)!.events, 'too many to name').toContainEqual({ type: 'resync', id: null })
    expect(frozen.got.at(-1)!.events.length).toBeLessThanOrEqual(200)
  })

  test('a page that joins hears what changed since it was made', async () => {
    const { page, tell } = world()
    page()
    tell('old')
    await vi.advanceTimersByTimeAsync(60_000)
    tell('new')
    await vi.advanceTimersByTimeAsync(10_000)
    const late = page()
    await settle()
    expect(late.ids()).toEqual(['new'])
  })

  test('starts anew when somebody else has signed in, and after nobody was', async () => {
    const { stream, page, handlers } = world()
    const first = page({ reader: 'ada' })
    page({ reader: 'ada' })
    page({ reader: null })
    expect(stream.restarts).toBe(0)
    page({ reader: 'bob' })
    await settle()
    expect(stream.restarts).toBe(1)
    expect(first.ids()).toEqual(['resync'])

    stream.open = false
    handlers.onState('signed-out')
    await settle()
    expect(first.got.at(-1)!.state).toBe('signed-out')
    first.say({ kind: 'here', visible: true })
    expect(stream.open, 'nobody is asked in vain').toBe(false)
    page({ reader: 'bob' })
    expect(stream.restarts).toBe(2)
  })
})
