import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { runClosedLoop } from './closed-loop'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** Answers with the status that the path names, once `together` requests are open; `/cut` ends the connection. */
async function serve(together = 1) {
  const seen = { paths: [] as string[], sockets: new Set<unknown>(), open: 0, openMost: 0 }
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const server = createServer((request, response) => {
    seen.paths.push(request.url!)
    seen.sockets.add(request.socket)
    seen.openMost = Math.max(seen.openMost, ++seen.open)
    if (seen.open >= together) release()
    void released.then(() => {
      seen.open -= 1
      if (request.url === '/cut') return request.socket.destroy()
      response.writeHead(Number(request.url!.slice(1)))
      response.end(request.headers.authorization ?? 'nobody')
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { seen, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const common = { headers: { authorization: 'somebody' }, connections: 4, warmUpMs: 0, measureMs: 500 }

test('as many requests are open at once as there are connections, which are used again', async () => {
  const { seen, origin } = await serve(4)
  const load = await runClosedLoop({ ...common, origin, paths: ['/200'] })
  expect(seen.openMost).toBe(4)
  expect(seen.sockets.size).toBe(4)
  expect(load.answers).toBeGreaterThan(4)
  expect(load.perSecond).toBeCloseTo(load.answers / 0.5)
  expect(load.errors).toBe(0)
  expect(load.bytesPerAnswer).toBe('somebody'.length)
  expect(load.p50Ms).toBeGreaterThan(0)
  expect(load.p95Ms).toBeGreaterThanOrEqual(load.p50Ms)
  expect(load.generatorCores).toBeGreaterThan(0)
})

test('every path is asked for in its turn, and only what was answered with 200 counts', async () => {
  const { seen, origin } = await serve()
  const paths = ['/200', '/503', '/302', '/cut']
  const load = await runClosedLoop({ ...common, connections: 1, origin, paths })
  expect(seen.paths.slice(0, 8)).toEqual([...paths, ...paths])
  expect(load.answers).toBeGreaterThan(0)
  // Three of four were no good; of the last turn some may be left over.
  expect(Math.abs(load.errors - 3 * load.answers)).toBeLessThanOrEqual(3)
})

test('what is answered while warming up does not count', async () => {
  const { seen, origin } = await serve()
  const load = await runClosedLoop({ ...common, origin, paths: ['/200'], warmUpMs: 300 })
  expect(load.answers).toBeLessThan(seen.paths.length)
  expect(load.seconds).toBe(0.5)
})
