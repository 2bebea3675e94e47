import { links } from '@/lib/links'
import { type FromPage, PING_MS, type ToPage } from './live-messages'
import { emitLive, setLiveState } from './live-store'
import { createLiveStream } from './live-stream'

/** A worker that does not answer is tried this often; then the page has a stream of its own. */
const WORKER_ATTEMPTS = 2

/**
 * Connects this page to the changes that the server tells, until it is stopped: through the shared worker of this browser, and
 * where there is none by a stream of its own while it is visible. HTTP/1.1 allows six connections to one server: a stream
 * for each tab would leave none for the seventh.
 *
 * @param reader who the page was made for
 */
export function connectLive(reader: string | null): () => void {
  let stop = (): void => {}
  const alone = (): void => void (stop = ownStream())
  if (typeof SharedWorker === 'function') stop = throughWorker(reader, alone)
  else alone()
  return () => stop()
}

const isVisible = (): boolean => document.visibilityState === 'visible'

function throughWorker(reader: string | null, giveUp: () => void): () => void {
  let port: MessagePort | null = null
  let silent = 0
  let failures = 0
  let timer: ReturnType<typeof setInterval> | undefined

  const say = (message: FromPage): void => port?.postMessage(message)
  const leave = (): void => {
    say({ kind: 'leave' })
    port?.close()
    port = null
  }
  const stop = (): void => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', here)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', back)
    leave()
  }
  const fail = (): void => {
    failures += 1
    leave()
    if (failures <= WORKER_ATTEMPTS) return join()
    stop()
    giveUp()
  }
  const join = (): void => {
    silent = 0
    let worker: SharedWorker
    try {
      worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
        type: 'module',
        name: 'inquest live',
      })
    } catch {
      failures = WORKER_ATTEMPTS
      return fail()
    }
    const mine = worker.port
    port = mine
    worker.onerror = () => {
      if (port !== mine) return
      failures = WORKER_ATTEMPTS
      fail()
    }
    mine.onmessage = ({ data }: MessageEvent<ToPage>) => {
      silent = 0
      failures = 0
      setLiveState(data.state)
      if (data.events.length > 0) emitLive(data.events)
      say({ kind: 'done' })
    }
    mine.addEventListener('close', () => port === mine && fail())
    say({ kind: 'join', reader, visible: isVisible() })
  }
  /** The worker ends with the process that it runs in, and nobody says so everywhere: no answer to two calls is a sign of it. */
  const here = (): void => {
    if (!port) return
    if (isVisible()) silent += 1
    if (silent > 2) return fail()
    say({ kind: 'here', visible: isVisible() })
  }
  const back = (event: PageTransitionEvent): void => {
    if (event.persisted) join()
  }

  document.addEventListener('visibilitychange', here)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', back)
  timer = setInterval(() => isVisible() && here(), PING_MS)
  join()
  return stop
}

function ownStream(): () => void {
  const stream = createLiveStream(links.api.live(), { onState: setLiveState, onEvents: emitLive })
  const settle = (): void => (isVisible() ? stream.open() : stream.close())
  const leave = (): void => stream.close()
  document.addEventListener('visibilitychange', settle)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', settle)
  settle()
  return () => {
    document.removeEventListener('visibilitychange', settle)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', settle)
    leave()
  }
}
