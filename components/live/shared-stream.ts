import { createBacklog } from '@/lib/live/backlog'
import { type FromPage, PING_MS, SILENT_MS, type ToPage } from './live-messages'
import type { LiveEvent, LiveState } from './live-store'
import type { createLiveStream, LiveStream } from './live-stream'

/** How long the stream stays open when no page is visible: between two pages, or while tabs are switched. */
const LINGER_MS = 2_000
/** How long before it joins a page may have been made; what changed since then it has to hear. */
const PAGE_AGE_MS = 30_000
const BACKLOG_MAX = 500
/** A page that does not handle its messages has this many events kept for it; beyond them it reads everything again. */
const EVENTS_MAX = 200

const RESYNC: LiveEvent = { type: 'resync', id: null }

/** What is needed of a `MessagePort`. */
export interface Port {
  postMessage(message: ToPage): void
  onmessage: ((event: MessageEvent<FromPage>) => void) | null
  addEventListener(type: 'close', listener: () => void): void
}

interface Page {
  port: Port
  visible: boolean
  heardMs: number
  /** A message is on its way that the page has not handled yet. */
  busy: boolean
  due: boolean
  events: Map<string, LiveEvent>
}

/**
 * The one stream of a browser, shared by its pages. It is open while a page is visible. Hidden pages hear of changes as well,
 * as long as they handle their messages: to a frozen page one message is sent and no more, and what changes meanwhile is put
 * together for its return.
 */
export function createSharedStream(
  create: (handlers: Parameters<typeof createLiveStream>[1]) => LiveStream,
): {
  connect(port: Port): void
  /** Closes the stream; no page hears any more. */
  close(): void
} {
  const pages = new Map<Port, Page>()
  let state: LiveState = 'connecting'
  let reader: string | null = null
  let isOpen = false
  let linger: ReturnType<typeof setTimeout> | undefined
  let watch: ReturnType<typeof setInterval> | undefined
  const backlog = createBacklog<LiveEvent>(Date.now() - PAGE_AGE_MS, BACKLOG_MAX)

  const send = (page: Page): void => {
    if (page.busy || !page.due) return
    page.busy = true
    page.due = false
    page.port.postMessage({ state, events: [...page.events.values()] })
    page.events.clear()
  }
  const add = (page: Page, events: LiveEvent[]): void => {
    page.due = true
    for (const event of events) page.events.set(`${event.type} ${event.id}`, event)
    if (page.events.size > EVENTS_MAX) page.events = new Map([['resync', RESYNC]])
  }
  const tellAll = (events: LiveEvent[]): void => {
    for (const page of pages.values()) {
      add(page, events)
      send(page)
    }
  }

  const stream = create({
    onState: (next) => {
      if (next === state) return
      state = next
      tellAll([])
    },
    onEvents: (events) => {
      for (const event of events) backlog.tell(event, Date.now())
      tellAll(events)
    },
  })

  /** Opens or closes the stream, whichever the pages want. */
  const settle = (): void => {
    clearTimeout(linger)
    const wanted = [...pages.values()].some((page) => page.visible)
    if (wanted) {
      isOpen = true
      // Who signs in again has a new page, and that one joins.
      if (state !== 'signed-out') stream.open()
      watch ??= setInterval(dropSilent, PING_MS)
    } else if (isOpen)
      linger = setTimeout(() => {
        isOpen = false
        clearInterval(watch)
        watch = undefined
        stream.close()
      }, LINGER_MS)
  }
  const dropSilent = (): void => {
    const before = Date.now() - SILENT_MS
    let dropped = false
    for (const [port, page] of pages)
      if (page.visible && page.heardMs < before) dropped = pages.delete(port) || dropped
    if (dropped) settle()
  }

  const join = (port: Port): Page => {
    const page: Page = { port, visible: false, heardMs: 0, busy: false, due: true, events: new Map() }
    pages.set(port, page)
    return page
  }

  const hear = (port: Port, message: FromPage): void => {
    if (message.kind === 'leave') {
      pages.delete(port)
      return settle()
    }
    let page = pages.get(port)
    if (message.kind === 'done') {
      if (!page) return
      page.busy = false
      page.heardMs = Date.now()
      return send(page)
    }
    if (message.kind === 'join') {
      page = join(port)
      const missed = backlog.sinceTime(Date.now() - PAGE_AGE_MS)
      add(page, missed?.map(({ what }) => what) ?? [RESYNC])
    } else if (!page) {
      // It was taken for gone; what it missed is not known any more.
      page = join(port)
      add(page, [RESYNC])
    }
    const now = message.kind === 'join' ? message.reader : null
    // Somebody else has signed in: the stream was opened with the rights of the one before.
    const another = now !== null && reader !== null && now !== reader
    reader = now ?? reader
    page.visible = message.visible
    page.heardMs = Date.now()
    page.due = true
    if (another || (message.kind === 'join' && state === 'signed-out')) {
      isOpen = true
      stream.restart()
      tellAll([RESYNC])
    }
    settle()
    send(page)
  }

  return {
    connect: (port) => {
      port.onmessage = ({ data }) => hear(port, data)
      // Where the browser says so, a page that crashed is gone at once.
      port.addEventListener('close', () => hear(port, { kind: 'leave' }))
    },
    close: () => {
      clearTimeout(linger)
      clearInterval(watch)
      pages.clear()
      stream.close()
    },
  }
}
