import type { Carrier, OpenCarrier } from './join-stream'
import type { FromPage, ToPage } from './live-messages'
import type { createLiveStream, LiveStream } from './live-stream'
import { createSharedStream, type Port } from './shared-stream'

const CHANNEL = 'inquest live'
/** A page that nobody answers leads after this long, and up to twice that: two that ask at the same time should not both lead. */
const ANSWER_MS = 250

type Message =
  /** Who leads? */
  | { kind: 'who' }
  /** The page `from` leads. Of two that do, the one with the higher term stays, and of the same term the one with the lower name. */
  | { kind: 'lead'; from: string; term: number }
  /** The page `from` leads no more. */
  | { kind: 'bye'; from: string }
  | { kind: 'up'; from: string; to: string; message: FromPage }
  | { kind: 'down'; from: string; to: string; message: ToPage }

/**
 * Shares one stream among the pages of a browser that has no shared workers: one visible page leads, holds the stream for all and passes on
 * what changes. When it is closed or frozen it says so, and when it dies it answers no more; then another one leads.
 *
 * Leaders are found over a `BroadcastChannel` and not by Web Locks, which need a secure context.
 */
export function sharedByPages(
  create: (handlers: Parameters<typeof createLiveStream>[1]) => LiveStream,
): OpenCarrier {
  let termMax = 0
  return ({ onMessage, onGone }): Carrier => {
    const me = Math.random().toString(36).slice(2)
    const channel = new BroadcastChannel(CHANNEL)
    const send = (message: Message): void => channel.postMessage(message)
    let leader: string | null = null
    let term = 0
    let hosted: Host | null = null
    let closed = false
    let election: ReturnType<typeof setTimeout> | undefined
    /** What the leader has to hear first. */
    let joining: Extract<FromPage, { kind: 'join' }> | null = null

    const deliver = (message: FromPage): void => {
      if (hosted) hosted.hear(me, message)
      else if (leader !== null) send({ kind: 'up', from: me, to: leader, message })
    }
    const follow = (name: string, of: number): void => {
      clearTimeout(election)
      election = undefined
      leader = name
      term = of
      termMax = Math.max(termMax, of)
      if (joining) deliver(joining)
    }
    const lead = (): void => {
      election = undefined
      if (!joining?.visible) return
      hosted = createHost(create, (to, message) => {
        if (to !== me) return send({ kind: 'down', from: me, to, message })
        queueMicrotask(() => closed || onMessage(message))
      })
      follow(me, termMax + 1)
      send({ kind: 'lead', from: me, term })
    }
    const seek = (): void => {
      if (election !== undefined) return
      send({ kind: 'who' })
      election = setTimeout(lead, ANSWER_MS * (1 + Math.random()))
    }
    const end = (): void => {
      if (closed) return
      closed = true
      clearTimeout(election)
      if (hosted) {
        hosted.close()
        send({ kind: 'bye', from: me })
      }
      channel.close()
    }
    const lose = (): void => {
      end()
      onGone(false)
    }

    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (closed) return
      if (data.kind === 'who') {
        if (hosted) send({ kind: 'lead', from: me, term })
      } else if (data.kind === 'bye') {
        if (data.from === leader) lose()
      } else if (data.kind === 'lead') {
        if (leader === null) return follow(data.from, data.term)
        if (data.from === leader) return
        const isStronger = data.term > term || (data.term === term && data.from < leader)
        if (isStronger) lose()
        else if (hosted) send({ kind: 'lead', from: me, term })
      } else if (data.to !== me) return
      else if (data.kind === 'up') hosted?.hear(data.from, data.message)
      else if (data.from === leader) onMessage(data.message)
    }

    return {
      post: (message) => {
        if (closed) return
        if (message.kind === 'join') joining = message
        else if (message.kind === 'here' && joining) joining = { ...joining, visible: message.visible }
        if (leader !== null) deliver(message)
        else if (message.kind === 'join' || (message.kind === 'here' && message.visible)) seek()
      },
      close: end,
    }
  }
}

interface Host {
  hear(page: string, message: FromPage): void
  close(): void
}

/** The shared stream in a page, with a port for each page that speaks to it. */
function createHost(
  create: Parameters<typeof createSharedStream>[0],
  tell: (page: string, message: ToPage) => void,
): Host {
  const shared = createSharedStream(create)
  const ports = new Map<string, Port>()
  const portOf = (page: string): Port => {
    const port: Port = {
      onmessage: null,
      postMessage: (message) => tell(page, message),
      addEventListener: () => undefined,
    }
    ports.set(page, port)
    shared.connect(port)
    return port
  }
  return {
    hear: (page, message) => {
      const port = ports.get(page) ?? portOf(page)
      port.onmessage?.({ data: message } as MessageEvent<FromPage>)
      if (message.kind === 'leave') ports.delete(page)
    },
    close: shared.close,
  }
}
