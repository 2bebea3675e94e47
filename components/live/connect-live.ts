import { links } from '@/lib/links'
import { isVisible, joinStream, type OpenCarrier } from './join-stream'
import { sharedByPages } from './leading-page'
import { PAGE_PING_MS, PING_MS, type ToPage } from './live-messages'
import { emitLive, setLiveState } from './live-store'
import { createLiveStream } from './live-stream'

/**
 * Connects this page to the changes that the server tells, until it is stopped: through the shared worker of this browser; where there is
 * none, through a page that contains the stream for all; and at worst by a stream of its own while it is visible. HTTP/1.1 allows six
 * connections to one server: a stream for each tab would leave none for the seventh.
 *
 * @param reader who the page was made for
 */
export function connectLive(reader: string | null): () => void {
  let stop = (): void => {}
  const alone = (): void => void (stop = ownStream())
  const amongPages = (): void => {
    if (typeof BroadcastChannel !== 'function') return alone()
    const open = sharedByPages((handlers) => createLiveStream(links.api.live(), handlers))
    stop = joinStream(open, { reader, pingMs: PAGE_PING_MS, giveUp: alone })
  }
  if (typeof SharedWorker === 'function')
    stop = joinStream(throughWorker, { reader, pingMs: PING_MS, giveUp: amongPages })
  else amongPages()
  return () => stop()
}

const throughWorker: OpenCarrier = ({ onMessage, onGone }) => {
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
    type: 'module',
    name: 'inquest live',
  })
  const { port } = worker
  worker.onerror = () => onGone(true)
  port.onmessage = ({ data }: MessageEvent<ToPage>) => onMessage(data)
  port.addEventListener('close', () => onGone(false))
  return { post: (message) => port.postMessage(message), close: () => port.close() }
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
