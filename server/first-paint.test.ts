import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FirstPaint, paintFirst } from './first-paint'

const css = '.a{color:red}'
const readBuilt = (address: string): string | null => (address === '/_next/static/a.css' ? css : null)

const page = `<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><link rel="stylesheet" href="/_next/static/a.css" nonce="N0nce+/=" data-precedence="next"/>
<link rel="preload" as="script" fetchPriority="low" nonce="N0nce+/=" href="/_next/static/m.js"/><script src="/_next/static/b.js" async="" nonce="N0nce+/="></script>
<link rel="icon" href="/icon.svg"/><script src="/_next/static/old.js" noModule="" nonce="N0nce+/="></script></head><body><p>The cause &lt;script src="x" async&gt;</p>
<script nonce="N0nce+/=" id="_R_">self.x=1</script><script src="/_next/static/m.js" nonce="N0nce+/=" async=""></script><script nonce="N0nce+/=">push([1,"\\u003cscript"])</script></body></html>`

const rewrite = (pieces: string[]): string => {
  const paint = new FirstPaint(readBuilt)
  return pieces.map((piece) => paint.write(piece)).join('') + paint.end()
}

test('a page that was sent is let go of, also while its response is still held', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heapMb = (): number => {
    collect()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const longNonce = page.replaceAll('N0nce+/=', 'abcdefghijklmnopqrstuvwx')
  const before = heapMb()
  const held = Array.from({ length: 60 }, (_, i) => {
    const paint = new FirstPaint(readBuilt)
    paint.write(`${longNonce}<!-- ${i} ${String(i % 10).repeat(2 ** 20)} -->`)
    paint.end()
    return paint
  })
  expect(heapMb() - before).toBeLessThan(20)
  expect(held).toHaveLength(60)
})

describe('a page that is painted first', () => {
  const sent = rewrite([page])

  test('asks for no script and no stylesheet before its end', () => {
    expect(sent).not.toMatch(/<script[^>]*\sasync/)
    expect(sent).not.toMatch(/as="script"/)
    expect(sent).not.toMatch(/<link rel="stylesheet"/)
    expect(sent.indexOf('The cause')).toBeLessThan(sent.indexOf('self.x=1'))
    const files = /\((\[[^\]]*\])\)<\/script>$/.exec(sent)![1]!
    expect(JSON.parse(files)).toEqual(['/_next/static/a.css', '/_next/static/b.js', '/_next/static/m.js'])
  })

  test('carries its style and the nonce of its policy', () => {
    expect(sent).toContain(`<style nonce="N0nce+/=">${css}`)
    expect(sent.match(/<script(?! nonce="N0nce\+\/=")(?! src="\/_next\/static\/old.js")/g)).toBeNull()
  })

  test('keeps everything else as it was', () => {
    for (const kept of [
      '<p>The cause &lt;script src="x" async&gt;</p>',
      'self.x=1',
      'push([1,"\\u003cscript"])',
      'noModule',
      '<link rel="icon"',
    ])
      expect(sent).toContain(kept)
  })

  test('is the same however it was cut on the way', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(page.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), page.length]
        expect(rewrite(at.slice(1).map((end, i) => page.slice(at[i], end)))).toBe(sent)
      }),
    )
  })

  test('passes unchanged when nothing of ours could run in it', () => {
    const bare = page.replaceAll(' nonce="N0nce+/="', '')
    expect(rewrite([bare])).toBe(bare)
  })

  test('keeps the link to a stylesheet that cannot be read', () => {
    const other = page.replace('/a.css', '/gone.css')
    expect(rewrite([other])).toContain('<link rel="stylesheet" href="/_next/static/gone.css"')
  })
})

describe('answers on their way out', () => {
  const umlaut = page.replace('The cause', 'Grüße 🧪')
  const server = createServer((request, response) => {
    paintFirst(request, response, readBuilt)
    if (request.url === '/json')
      return void response.writeHead(503, { 'content-type': 'application/json' }).end('{"a":1}')
    response.statusCode = 404
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-length', Buffer.byteLength(umlaut))
    response.flushHeaders()
    const bytes = Buffer.from(umlaut)
    // In the middle of a character.
    const cut = bytes.indexOf(Buffer.from('🧪')) + 2
    response.write(bytes.subarray(0, cut))
    response.end(bytes.subarray(cut))
  })
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  const get = (
    path: string,
    headers: Record<string, string>,
  ): Promise<{ answer: IncomingMessage; body: Buffer }> =>
    new Promise((resolve, reject) => {
      ask({ port: (server.address() as AddressInfo).port, path, headers, agent: false }, (answer) => {
        const chunks: Buffer[] = []
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => resolve({ answer, body: Buffer.concat(chunks) }))
      })
        .on('error', reject)
        .end()
    })

  test('a page keeps its status and every character', async () => {
    const { answer, body } = await get('/', { accept: 'text/html', 'accept-encoding': 'gzip' })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(body.toString()).toBe(rewrite([umlaut]))
  })

  test('a page for a reader elsewhere is compressed', async () => {
    const { answer, body } = await get('/', {
      accept: 'text/html',
      'accept-encoding': 'br, gzip',
      'x-forwarded-for': '192.0.2.1',
    })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.headers.vary).toContain('accept-encoding')
    expect(gunzipSync(body).toString()).toBe(rewrite([umlaut]))
  })

  test.each([
    ['what is no page', '/json', { accept: 'text/html' }],
    ['what a script asks for', '/', { accept: '*/*', rsc: '1' }],
  ])('%s passes untouched', async (_what, path, headers) => {
    const { answer, body } = await get(path, headers)
    expect(answer.statusCode).toBe(path === '/json' ? 503 : 404)
    expect(body.toString()).toBe(path === '/json' ? '{"a":1}' : umlaut)
  })

  test.each([
    ['as it is', {}],
    ['compressed', { 'accept-encoding': 'gzip', 'x-forwarded-for': '192.0.2.1' }],
  ])('a page is made no faster than its reader takes it, %s', async (_how, headers) => {
    // Noise, and longer than what gzip looks back, so that packing it does not make it small.
    const piece = `<p>${randomBytes(48 * 1024).toString('base64')}</p>`
    const PIECES = 400
    let made = 0
    const pages = createServer((request, response) => {
      paintFirst(request, response, readBuilt)
      response.setHeader('content-type', 'text/html; charset=utf-8')
      const source = Readable.from(
        (function* () {
          yield page.slice(0, page.indexOf('</body>'))
          for (; made < PIECES; made++) yield piece
        })(),
      )
      source.once('pause', () => pages.emit('waiting')).once('end', () => pages.emit('waiting'))
      source.pipe(response)
    })
    await new Promise<void>((resolve) => void pages.listen(0, '127.0.0.1', resolve))
    const waiting = once(pages, 'waiting')
    const { port } = pages.address() as AddressInfo
    const request = ask({ port, path: '/', headers: { accept: 'text/html', ...headers }, agent: false }).end()
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    await waiting
    expect(made).toBeLessThan(PIECES * 0.75)
    let bytes = 0
    for await (const chunk of answer) bytes += (chunk as Buffer).length
    expect(made).toBe(PIECES)
    expect(bytes).toBeGreaterThan(PIECES * 48 * 1024)
    await new Promise((resolve) => pages.close(resolve))
  })
})
