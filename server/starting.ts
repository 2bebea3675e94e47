import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReadyState } from '@/lib/api/ready-state'

const RETRY_S = 2

const STYLE = [
  ':root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}',
  'body{margin:0;display:grid;min-height:100vh;place-items:center;background:light-dark(#fbfaf8,#141311);color:light-dark(#1f1c18,#ece8e1)}',
  'main{max-width:32rem;padding:2rem}h1{font-size:20px;margin:0 0 .5rem}p{margin:.25rem 0}',
  '.quiet{color:light-dark(#575148,#b6afa3)}',
].join('')

const HEADERS = {
  'retry-after': String(RETRY_S),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'`,
}

/**
 * What every request hears until the pages can answer. A reader gets a page that contains all it needs and asks again by itself, so that it
 * becomes the page that was asked for; a program gets the problem document.
 *
 * @param doing what is being done now, in a few words of ours
 */
export const answerStarting =
  (doing: () => string, startedMs = Date.now()) =>
  (
    request: Pick<IncomingMessage, 'method' | 'headers' | 'url'>,
    response: Pick<ServerResponse, 'writeHead' | 'end'>,
  ): void => {
    if (request.url === '/readyz') {
      response.writeHead(503, { ...HEADERS, 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify({ status: 'starting' satisfies ReadyState }))
      return
    }
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (reads && /\btext\/html\b/i.test(request.headers.accept ?? '')) {
      response.writeHead(503, { ...HEADERS, 'content-type': 'text/html; charset=utf-8' })
      response.end(
        request.method === 'HEAD' ? undefined : page(doing(), Math.round((Date.now() - startedMs) / 1000)),
      )
      return
    }
    response.writeHead(503, { ...HEADERS, 'content-type': 'application/problem+json' })
    response.end(
      JSON.stringify({
        type: '/problems/store-down',
        title: 'Server starting',
        status: 503,
        detail: `It is ${doing()}.`,
      }),
    )
  }

const page = (doing: string, seconds: number): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${RETRY_S}">
<title>Inquest is starting</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Inquest is starting</h1>
<p>It is ${doing}; it began ${seconds} s ago.</p>
<p class="quiet">Your page opens automatically. The first start, and the first one after each change, takes about a minute.</p>
</main>
</body>
</html>
`
