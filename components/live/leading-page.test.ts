import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Carrier } from './join-stream'
import { sharedByPages } from './leading-page'
import type { ToPage } from './live-messages'
import type { LiveEvent, LiveState } from './live-store'

/** A channel that delivers a moment later, and not to pages that do not run. */
class Channel {
  static open = new Set<Channel>()
  /** The page that is being made. */
  static owner: Page
  onmessage: ((event: MessageEvent) => void) | null = null
  private readonly owner = Channel.owner
  constructor() {
    Channel.open.add(this)
  }
  postMessage(data: unknown): void {
    if (!Channel.open.has(this)) throw new DOMException('Channel is closed', 'InvalidStateError')
    if (!this.owner.runs) return
    const others = [...Channel.open].filter((one) => one !== this)
    setTimeout(() => {
      for (const one of others)
        if (one.owner.runs) one.onmessage?.({ data: structuredClone(data) } as MessageEvent)
    }, 1)
  }
  close(): void {
    Channel.open.delete(this)
  }
}

class Page {
  runs = true
  got: ToPage[] = []
  lost = 0
  streams = { open: 0, opened: 0 }
  tell: (events: LiveEvent[]) => void = () => undefined
  private carrier!: Carrier
  private readonly open = sharedByPages(
    (handlers: { onState(state: LiveState): void; onEvents(events: LiveEvent[]): void }) => {
      this.tell = handlers.onEvents
      return {
        open: () => {
          if (this.streams.open === 0) this.streams.opened += 1
          this.streams.open = 1
          handlers.onState('open')
        },
        close: () => void (this.streams.open = 0),
        restart: () => void (this.streams.open = 1),
      }
    },
  )
  constructor(private visible = true) {
    this.join()
  }
  join(): void {
    Channel.owner = this
    this.carrier = this.open({
      onMessage: (message) => {
        if (!this.runs) return
        this.got.push(message)
        this.carrier.post({ kind: 'done' })
      },
      onGone: () => {
        this.lost += 1
        // As `joinStream` does.
        this.close()
        this.join()
      },
    })
    this.carrier.post({ kind: 'join', reader: 'ada', visible: this.visible })
  }
  show(visible: boolean): void {
    this.visible = visible
    this.carrier.post({ kind: 'here', visible })
  }
  close(): void {
    this.carrier.post({ kind: 'leave' })
    this.carrier.close()
  }
  ids = (): (string | null)[] => this.got.flatMap(({ events }) => events.map(({ id }) => id))
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  vi.stubGlobal('BroadcastChannel', Channel)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Channel.open.clear()
})
const pass = (ms = 2_000) => vi.advanceTimersByTimeAsync(ms)
const streaming = (pages: Page[]): Page[] => pages.filter(({ streams }) => streams.open > 0)

describe('pages of a browser without shared workers', () => {
  test('hold one stream together, of a visible one, and all hear of a change', async () => {
    for (let round = 0; round < 20; round++) {
      const pages = Array.from({ length: 8 }, (_, index) => new Page(index % 3 !== 0))
      await pass()
      const [leader, ...others] = streaming(pages)
      expect(others).toEqual([])
      leader!.tell([{ type: 'execution', id: 'a' }])
      await pass()
      for (const page of pages) expect(page.ids()).toEqual(['a'])
      for (const page of pages) page.close()
      expect(streaming(pages)).toEqual([])
    }
  })

  test('have no stream while none is visible, and one when one is shown', async () => {
    const pages = [new Page(false), new Page(false)]
    await pass()
    expect(streaming(pages)).toEqual([])
    pages[1]!.show(true)
    await pass()
    expect(streaming(pages)).toEqual([pages[1]])
    pages[1]!.show(false)
    await pass(3_000)
    expect(streaming(pages)).toEqual([])
    pages[0]!.show(true)
    await pass()
    expect(streaming(pages)).toHaveLength(1)
  })

  test('choose another leader within a second when theirs is closed', async () => {
    const pages = [new Page(), new Page(), new Page(false)]
    await pass()
    const [first] = streaming(pages)
    first!.close()
    await pass(1_000)
    const rest = pages.filter((page) => page !== first)
    const [second, ...others] = streaming(rest)
    expect([second !== undefined, others]).toEqual([true, []])
    second!.tell([{ type: 'execution', id: 'b' }])
    await pass()
    for (const page of rest) expect(page.ids()).toContain('b')
  })

  test('have one leader again when one that hung goes on', async () => {
    const pages = [new Page(), new Page()]
    await pass()
    const [hung] = streaming(pages)
    const other = pages.find((page) => page !== hung)!
    hung!.runs = false
    // As `joinStream` does when nobody answers.
    other.join()
    await pass()
    expect(streaming([other])).toEqual([other])
    hung!.runs = true
    const late = new Page()
    pages.push(late)
    await pass(5_000)
    expect(streaming(pages)).toHaveLength(1)
    streaming(pages)[0]!.tell([{ type: 'execution', id: 'c' }])
    await pass()
    for (const page of pages) expect(page.ids()).toContain('c')
  })
})
