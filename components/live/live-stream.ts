import { createParser } from 'eventsource-parser'
import { LIVE_START } from '@/lib/live/event'
import type { LiveEvent, LiveState } from './live-store'
import { parseLive } from './parse-live'

/** Events that come close together are handed over together. */
const BATCH_MS = 200
/** The server writes every 15 s; a stream that is silent for longer than this is broken, whatever the network says. */
const SILENT_MS = 40_000
/** How long the server has to begin its answer. */
const BEGIN_MS = 10_000
/** How long an earlier state stays on screen while a stream is opened again. */
const CALM_MS = 2_000
const AGAIN_MS_MIN = 1_000
const AGAIN_MS_MAX = 10_000

export interface LiveStream {
  /** Opens the stream; nothing when it is open. It continues after the last event that was heard. */
  open(): void
  /** Closes it on purpose: the state stays what it is. */
  close(): void
  /** Closes it, forgets what was heard, and opens it anew, as whoever the cookie says. */
  restart(): void
}

interface Handlers {
  onState(state: LiveState): void
  onEvents(events: LiveEvent[]): void
}

type End = 'ended' | 'lost' | 'signed-out'

/**
 * One stream of server-sent events that is kept open, in a page or in a worker. `fetch` and not `EventSource`, which can
 * neither continue after an event that an earlier stream heard, nor tell a session that has ended from a server that is away.
 */
export function createLiveStream(address: string, handlers: Handlers): LiveStream {
  let opened: AbortController | null = null
  let lastId: string | null = null
  let batch: LiveEvent[] = []
  let batchTimer: ReturnType<typeof setTimeout> | undefined

  const flush = (): void => {
    clearTimeout(batchTimer)
    batchTimer = undefined
    if (batch.length > 0) handlers.onEvents(batch)
    batch = []
  }
  const take = (event: LiveEvent): void => {
    if (event.type === 'stale') return handlers.onState('stale')
    if (event.type === 'resync') handlers.onState('open')
    batch.push(event)
    batchTimer ??= setTimeout(flush, BATCH_MS)
  }

  async function read(signal: AbortSignal, begun: () => void): Promise<End> {
    const attempt = new AbortController()
    const stop = (): void => attempt.abort()
    signal.addEventListener('abort', stop)
    let watch = setTimeout(stop, BEGIN_MS)
    try {
      const response = await fetch(address, {
        headers: { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) },
        cache: 'no-store',
        signal: attempt.signal,
      })
      if (response.status === 401 || response.status === 403) return 'signed-out'
      if (!response.ok || !response.body) return 'lost'
      const parser = createParser({
        onEvent: ({ id, event, data }) => {
          if (id !== undefined) lastId = id
          if (event === LIVE_START) return
          const change = parseLive(event ?? 'message', data)
          if (change !== null) take(change)
        },
      })
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      begun()
      for (;;) {
        clearTimeout(watch)
        watch = setTimeout(stop, SILENT_MS)
        const { done, value } = await reader.read()
        if (done) return 'ended'
        parser.feed(value)
      }
    } catch {
      return 'lost'
    } finally {
      clearTimeout(watch)
      signal.removeEventListener('abort', stop)
      attempt.abort()
    }
  }

  async function keepOpen(signal: AbortSignal): Promise<void> {
    let attempts = 0
    while (!signal.aborted) {
      const calm = setTimeout(() => attempts === 0 && handlers.onState('connecting'), CALM_MS)
      const startMs = Date.now()
      const end = await read(signal, () => {
        clearTimeout(calm)
        attempts = 0
        handlers.onState('open')
      })
      clearTimeout(calm)
      if (signal.aborted) return
      flush()
      if (end === 'signed-out') {
        opened = null
        handlers.onState('signed-out')
        return
      }
      // Streams end after a while, and with the session: whoever reads now is asked anew. One that ends at once is not hurried.
      if (end === 'ended') {
        if (Date.now() - startMs < AGAIN_MS_MIN) await pause(AGAIN_MS_MIN, signal)
        continue
      }
      handlers.onState('lost')
      await pause(Math.min(AGAIN_MS_MAX, AGAIN_MS_MIN * 2 ** attempts++) * (0.75 + Math.random() / 2), signal)
    }
  }

  const stream: LiveStream = {
    open: () => {
      if (opened) return
      opened = new AbortController()
      void keepOpen(opened.signal)
    },
    close: () => {
      flush()
      opened?.abort()
      opened = null
    },
    restart: () => {
      stream.close()
      lastId = null
      stream.open()
    },
  }
  return stream
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
