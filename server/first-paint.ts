import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { constants, createGzip, type Gzip } from 'node:zlib'
import { LATE_LOADER } from './late-loader'

/** Reads a built file by its address (`/_next/static/…`); null when there is none. */
export type ReadBuilt = (address: string) => string | null

const SCRIPT = /<script(?=[^>]*\ssrc="([^"]+)")(?=[^>]*\sasync\b)[^>]*><\/script>/g
const SCRIPT_HINT = /<link rel="preload"(?=[^>]*\sas="script")[^>]*>/g
const STYLE = /<link rel="stylesheet"(?=[^>]*\shref="([^"]+)")[^>]*>/g
const NONCE = /\snonce="([\w+/=-]+)"/

/** What is marked as `data-late` has its place, but is not laid out before the second frame. */
const LATE_STYLE =
  '@media screen and (scripting:enabled){html:not([data-painted]) [data-late]{content-visibility:hidden}}'

/**
 * Rewrites a page while it is written, so that its text is on screen before any script is asked for: stylesheets are in the page,
 * scripts are held back and asked for by a few lines at its end. Next has no setting for this: its scripts are `async`, and
 * compete with the first paint for the processor. A page that contains nothing of the kind passes unchanged.
 */
export class FirstPaint {
  #readBuilt: ReadBuilt
  #rest = ''
  #nonce: string | null = null
  #styles: string[] = []
  #scripts: string[] = []

  constructor(readBuilt: ReadBuilt) {
    this.#readBuilt = readBuilt
  }

  /** The next piece of the page, as it may be sent; a tag that is not whole yet waits for the next piece. */
  write(piece: string): string {
    const text = this.#rest + piece
    const end = wholeUntil(text)
    this.#rest = text.slice(end)
    return this.#rewrite(text.slice(0, end))
  }

  end(): string {
    const tail = this.#rewrite(this.#rest)
    this.#rest = ''
    const late = new Set([...this.#styles, ...this.#scripts])
    // Nothing was held back, so nothing waits to be shown either.
    if (late.size === 0) return tail
    const files = JSON.stringify([...late]).replaceAll('<', '\\u003c')
    return `${tail}<script nonce="${this.#nonce}">(${LATE_LOADER})(${files})</script>`
  }

  #rewrite(html: string): string {
    this.#nonce ??= ownText(NONCE.exec(html)?.[1]) ?? null
    // Without a nonce the lines at the end could not run: then everything stays as it is.
    if (this.#nonce === null) return html
    return html
      .replace(SCRIPT_HINT, '')
      .replace(SCRIPT, (_tag, address: string) => {
        this.#scripts.push(ownText(address))
        return ''
      })
      .replace(STYLE, (tag, address: string) => {
        const style = this.#readBuilt(address)
        if (style === null) return tag
        // The file itself follows, so that the framework finds what it put there.
        this.#styles.push(ownText(address))
        return `<style nonce="${this.#nonce}">${style}${LATE_STYLE}</style>`
      })
  }
}

/**
 * A copy with memory of its own. What is cut out of a page keeps the whole page alive, and the framework holds on to
 * responses for a while after they were sent: 200 MB under load.
 */
function ownText<T extends string | undefined>(text: T): T {
  return (text === undefined ? text : Buffer.from(text).toString()) as T
}

/** Text up to here holds whole tags only, and no file's script without its end. */
function wholeUntil(text: string): number {
  const script = text.lastIndexOf('<script')
  const tail = script < 0 ? '' : text.slice(script)
  if (/^<script(?=[^>]*\ssrc=)[^>]*>/.test(tail) && !tail.includes('</script>')) return script
  const open = text.lastIndexOf('<')
  return open >= 0 && text.indexOf('>', open) < 0 ? open : text.length
}

/** Styles of the build by their address, with their own addresses made absolute; each file is read once. */
export function builtStyles(root: string): ReadBuilt {
  const known = new Map<string, string | null>()
  return (address) => {
    const at = address.split('?')[0]!
    if (!known.has(at)) known.set(at, readStyle(root, at))
    return known.get(at)!
  }
}

function readStyle(root: string, address: string): string | null {
  if (!/^\/_next\/static\/[\w./~-]+\.css$/.test(address) || address.includes('..')) return null
  try {
    const text = readFileSync(path.join(root, '.next', address.slice('/_next/'.length)), 'utf8')
    const folder = path.posix.dirname(address)
    const absolute = text.replace(
      /url\((["']?)(?!data:|\/|[a-z]+:)([^"')]+)\1\)/g,
      (_all, _quote, to: string) => `url(${path.posix.join(folder, to)})`,
    )
    return absolute.includes('</style') ? null : absolute
  } catch {
    return null
  }
}

const asksForPage = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  headers.rsc === undefined &&
  (headers['sec-fetch-dest'] === 'document' || (headers.accept ?? '').includes('text/html'))

/** Between two programs of one machine compressing takes longer than sending; behind a proxy the reader may be far away. */
const isLocalReader = ({ socket, headers }: IncomingMessage): boolean =>
  /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') &&
  !process.env.INQUEST_PUBLIC_URL &&
  ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'via'].every((name) => headers[name] === undefined)

/** Lets the page that answers this request be painted before its scripts are asked for. Everything else passes untouched. */
export function paintFirst(request: IncomingMessage, response: ServerResponse, readBuilt: ReadBuilt): void {
  if (!asksForPage(request)) return
  const gzips = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) && !isLocalReader(request)
  // What is rewritten must be plain text; it is compressed below.
  delete request.headers['accept-encoding']
  const send = {
    write: response.write.bind(response),
    end: response.end.bind(response),
    flush: response.flushHeaders.bind(response),
    head: response.writeHead.bind(response),
  }
  let page: FirstPaint | null | undefined
  let gzip: Gzip | null = null
  const decoder = new TextDecoder()

  /** Decides at the first sign of an answer, before its head goes out. */
  const start = (): void => {
    if (page !== undefined) return
    const isHtml =
      String(response.getHeader('content-type') ?? '').startsWith('text/html') &&
      !response.hasHeader('content-encoding')
    page = isHtml ? new FirstPaint(readBuilt) : null
    if (!isHtml) return
    response.removeHeader('content-length')
    response.removeHeader('etag')
    response.removeHeader('link')
    response.setHeader('vary', [response.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
    if (!gzips) return
    response.setHeader('content-encoding', 'gzip')
    const packed = (gzip = createGzip({ level: 4 }))
    packed.on('data', (bytes: Buffer) => {
      sendHead()
      if (!send.write(bytes)) packed.pause()
    })
    packed.on('end', () => send.end())
    // Whoever writes waits for the response; that is us, and what is packed waits for the connection.
    packed.on('drain', () => response.emit('drain'))
    response.on('drain', () => packed.resume())
    response.once('close', () => packed.destroy())
  }
  // The response calls its own `writeHead`, which by now is the one below: for a page the head is sent here.
  const sendHead = (): void => void (response.headersSent || send.head(response.statusCode))
  /** @returns false when the reader is behind: then more should come only after `drain` */
  const put = (text: string): boolean => {
    if (text === '') return true
    if (!gzip) {
      sendHead()
      return send.write(text)
    }
    const goesOn = gzip.write(text)
    // The flush of what waits behind a slow reader would be one more thing that waits.
    if (goesOn) gzip.flush(constants.Z_SYNC_FLUSH)
    return goesOn
  }
  const textOf = (chunk: unknown, encoding: unknown): string =>
    typeof chunk === 'string'
      ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8').toString()
      : decoder.decode(chunk as Uint8Array, { stream: true })

  Object.assign(response, {
    writeHead(status: number, ...more: unknown[]) {
      response.statusCode = status
      const given = more.find((value) => typeof value === 'object' && value !== null) as
        | Record<string, string>
        | undefined
      for (const [name, value] of Object.entries(given ?? {})) response.setHeader(name, value)
      start()
      return page ? response : send.head(status)
    },
    flushHeaders() {
      start()
      if (!page) send.flush()
    },
    write(chunk: unknown, encoding?: unknown, done?: unknown) {
      start()
      if (!page) return (send.write as (...all: unknown[]) => boolean)(chunk, encoding, done)
      const goesOn = put(page.write(textOf(chunk, encoding)))
      for (const callback of [encoding, done]) if (typeof callback === 'function') callback()
      return goesOn
    },
    end(chunk?: unknown, encoding?: unknown, done?: unknown) {
      start()
      if (!page) return (send.end as (...all: unknown[]) => ServerResponse)(chunk, encoding, done)
      for (const callback of [chunk, encoding, done])
        if (typeof callback === 'function') response.once('finish', callback as () => void)
      const last =
        chunk !== undefined && chunk !== null && typeof chunk !== 'function'
          ? page.write(textOf(chunk, encoding))
          : ''
      put(last + page.end())
      if (gzip) gzip.end()
      else {
        sendHead()
        send.end()
      }
      return response
    },
  })
}
