import type { FromPage, ToPage } from './live-messages'
import { emitLive, type LiveEvent, setLiveState } from './live-store'

/** A way to whoever holds the stream of this browser. */
export interface Carrier {
  post(message: FromPage): void
  close(): void
}

interface CarrierEvents {
  onMessage(message: ToPage): void
  /** Whoever held the stream is gone; `forGood`: there is no use in trying again. */
  onGone(forGood: boolean): void
}

/** Opens a way, once for each attempt. @throws where there is none */
export type OpenCarrier = (events: CarrierEvents) => Carrier

/** Whoever holds the stream and does not answer is tried this often. */
const ATTEMPTS = 2

const RESYNC: LiveEvent = { type: 'resync', id: null }

export const isVisible = (): boolean => document.visibilityState === 'visible'

/**
 * Joins the stream that the pages of this browser share, and joins it again when its holder is lost, until it is stopped.
 *
 * @param reader who the page was made for
 * @param pingMs how often a visible page says that it is there; a holder that does not answer two calls is lost
 * @param giveUp when nobody answers
 */
export function joinStream(
  open: OpenCarrier,
  { reader, pingMs, giveUp }: { reader: string | null; pingMs: number; giveUp: () => void },
): () => void {
  let carrier: Carrier | null = null
  let silent = 0
  let failures = 0
  /** What was missed while nobody held the stream for this page is not known: everything is read again. */
  let missed = false
  let timer: ReturnType<typeof setInterval> | undefined

  const leave = (): void => {
    carrier?.post({ kind: 'leave' })
    carrier?.close()
    carrier = null
  }
  const stop = (): void => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', here)
    document.removeEventListener('freeze', leave)
    document.removeEventListener('resume', back)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', shown)
    leave()
  }
  const fail = (forGood: boolean): void => {
    failures = forGood ? ATTEMPTS + 1 : failures + 1
    missed = true
    leave()
    if (failures <= ATTEMPTS) return join()
    stop()
    giveUp()
  }
  const join = (): void => {
    silent = 0
    let mine: Carrier | null = null
    try {
      mine = open({
        onMessage: (message) => {
          if (carrier !== mine) return
          silent = 0
          failures = 0
          setLiveState(message.state)
          const events = missed && message.state === 'open' ? [...message.events, RESYNC] : message.events
          if (message.state === 'open') missed = false
          if (events.length > 0) emitLive(events)
          mine?.post({ kind: 'done' })
        },
        onGone: (forGood) => carrier === mine && fail(forGood),
      })
    } catch {
      return fail(true)
    }
    carrier = mine
    mine.post({ kind: 'join', reader, visible: isVisible() })
  }
  /** A holder ends with the process that it runs in, and nobody says so everywhere: no answer to two calls is a sign of it. */
  const here = (): void => {
    if (!carrier) return
    if (isVisible()) silent += 1
    if (silent > 2) return fail(false)
    carrier.post({ kind: 'here', visible: isVisible() })
  }
  /** After it was frozen or put away. */
  const back = (): void => {
    if (carrier) return
    missed = true
    join()
  }
  const shown = (event: PageTransitionEvent): void => {
    if (event.persisted) back()
  }

  document.addEventListener('visibilitychange', here)
  document.addEventListener('freeze', leave)
  document.addEventListener('resume', back)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', shown)
  timer = setInterval(() => isVisible() && here(), pingMs)
  join()
  return stop
}
