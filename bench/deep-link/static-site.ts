import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BenchContext } from '../support/result'

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The least that shows this text: one document, a few rules of style, no script. */
function pageOf(sentence: string, text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Static</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}p.cause{font-size:1.2rem;white-space:pre-wrap}</style></head>
<body><main><p class="cause">${escapeHtml(sentence)}</p>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}</main></body></html>`
}

export interface StaticSite {
  url: string
  put: (path: string, sentence: string, text: string) => void
}

/** Serves pages from memory with `node:http` and nothing else. */
export async function serveStatic({ after }: BenchContext): Promise<StaticSite> {
  const pages = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '')
    response.writeHead(page ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': page?.length ?? 0,
    })
    response.end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put: (path, sentence, text) => void pages.set(path, Buffer.from(pageOf(sentence, text))),
  }
}
