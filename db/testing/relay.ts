import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Stands between a client and the database, and lets a test take the database away. */
export interface Relay {
  url: string
  /** Ends the connections that go through it: in order, or with a reset. */
  cut(how: 'close' | 'reset'): void
  /** Goes on taking connections and bytes, and passes nothing on, as a stopped server does. */
  freeze(): void
  /** Serves the connections that are open and says nothing on new ones. */
  hold(): void
  /** Passes on what was held back, and everything after it. */
  thaw(): void
  /** Connections are refused; those that are open are cut. */
  refuse(): Promise<void>
  /** Takes connections again, on the same port. */
  accept(): Promise<void>
  /** Connections that it holds. */
  open(): number
  close(): Promise<void>
}

/**
 * @param url of the real server
 * @param answer is given each new connection; what it returns false for goes no further
 */
export async function relayTo(url: string, answer: (socket: Socket) => boolean = () => true): Promise<Relay> {
  const { port: behind } = new URL(url)
  const sockets = new Set<Socket>()
  const pairs = new Map<Socket, Socket>()
  let frozen = false
  let server: Server
  let port = 0
  const take = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    if (!answer(socket)) return
    const onwards = connect(Number(behind), '127.0.0.1').on('error', () => undefined)
    pairs.set(socket, onwards)
    socket.on('close', () => {
      pairs.delete(socket)
      onwards.destroy()
    })
    onwards.on('close', () => socket.destroy())
    if (!frozen) join(socket, onwards)
  }
  const accept = async (): Promise<void> => {
    server = createServer(take).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const cut = (how: 'close' | 'reset'): void => {
    for (const socket of sockets) {
      if (how === 'reset') socket.resetAndDestroy()
      else socket.destroy()
    }
  }
  const refuse = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      cut('close')
    })
  await accept()
  const through = new URL(url)
  through.port = String(port)
  return {
    url: through.href,
    cut,
    freeze: () => {
      frozen = true
      for (const [socket, onwards] of pairs) part(socket, onwards)
    },
    hold: () => void (frozen = true),
    thaw: () => {
      frozen = false
      for (const [socket, onwards] of pairs) join(socket, onwards)
    },
    refuse,
    accept,
    open: () => pairs.size,
    close: refuse,
  }
}

function join(a: Socket, b: Socket): void {
  // Twice would pass everything on twice.
  part(a, b)
  a.pipe(b)
  b.pipe(a)
}

function part(a: Socket, b: Socket): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.unpipe(to)
    from.pause()
  }
}
