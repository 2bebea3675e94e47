import { watch } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { BenchContext } from '../support/result'

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Floor</title></head><body><main id="shown"></main>
<script>new EventSource('/live').onmessage = ({ data }) => (document.getElementById('shown').textContent = data)</script></body></html>`

/** The least that brings what is posted to an open page: nothing is parsed, kept or looked up. */
export async function serveFloor({ after }: BenchContext): Promise<{ url: string }> {
  const readers = new Set<ServerResponse>()
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const message = `data: ${JSON.stringify(await text(request))}\n\n`
      for (const reader of readers) reader.write(message)
      response.end()
    } else if (request.url === '/live') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      readers.add(response)
    } else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Posts what a file grows by as soon as the system says that it did. */
export async function followFile(path: string, url: string, { after }: BenchContext): Promise<void> {
  const file = await open(path)
  let offset = (await file.stat()).size
  let turn = Promise.resolve()
  const send = async (): Promise<void> => {
    const grown = Buffer.alloc((await file.stat()).size - offset)
    if (grown.length === 0) return
    await file.read(grown, 0, grown.length, offset)
    offset += grown.length
    await fetch(url, { method: 'POST', body: grown })
  }
  const watcher = watch(path, () => (turn = turn.then(send)))
  after(async () => {
    watcher.close()
    await turn
    await file.close()
  })
}
