import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A relay to a database of this machine that can stop to forward and go on, as a network does that drops everything without a word. */
export async function freezingRelay(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const to = Number(url.port)
  let frozen = false
  let accepted = 0
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  const server = createServer((socket) => {
    accepted += 1
    sockets.add(socket)
    const upstream = connect(to, '127.0.0.1')
    const pass = (from: Socket, onto: Socket) =>
      from.on('data', (chunk) => (frozen ? held.push(() => onto.write(chunk)) : onto.write(chunk)))
    pass(socket, upstream)
    pass(upstream, socket)
    for (const one of [socket, upstream]) one.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      upstream.destroy()
    })
    upstream.on('close', () => frozen || socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    accepted: () => accepted,
    open: () => sockets.size,
    freeze: (next: boolean) => {
      frozen = next
      if (!next) for (const write of held.splice(0)) write()
    },
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
