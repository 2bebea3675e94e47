import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { isBelow } from '@/lib/connections/address'
import { fetchFailure, type FetchFailure } from '@/lib/connections/failures'
import type { FetchDetail } from '@/lib/model/messages/connections'
import { parseExactJson, type ExactJson } from '@/lib/text/exact-json'
import { limits } from '@/lib/limits'
import { allowedLookup, isAllowedAddress, type Resolve } from './allowed-lookup'
import { failureOf } from './failure-of'
import { readBounded, TooLargeError } from './read-bounded'

/** What of a server may be asked, and with what. */
export interface FetchScope {
  /** Nothing outside of this address is asked: origin and path, with a slash at its end. */
  baseUrl: string
  /** Goes to that origin only. */
  header: { name: string; value: string } | null
  /** Private networks and this machine may be asked. */
  allowPrivate: boolean
}

export interface FetchOptions {
  connectMs?: number
  /** From the beginning to the last byte, redirects included. */
  wholeMs?: number
  bytesMax?: number
  signal?: AbortSignal
  /** How names are resolved. */
  resolve?: Resolve
}

export type Fetched =
  | { ok: true; bytes: Uint8Array; value: ExactJson; headers: IncomingHttpHeaders }
  | { ok: false; failure: FetchFailure }

/**
 * Fetches a JSON document of a source that someone configured. Each question has a connection of its own, whose address is checked when it is
 * made; redirects are followed within the configured address; time and size are bounded, and the answer is JSON or a failure.
 *
 * @param path below the base address, with its query
 * @throws what `signal` was aborted with, and nothing else
 * @see docs/decisions/0018-fetching.md
 */
export async function fetchJson(
  scope: FetchScope,
  path: string,
  options: FetchOptions = {},
): Promise<Fetched> {
  const { wholeMs = limits.fetchMsMax, signal } = options
  const deadline = AbortSignal.timeout(wholeMs)
  const stop = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
  try {
    const base = new URL(scope.baseUrl)
    let url = new URL(path, base)
    for (let redirects = 0; ; redirects++) {
      if (!isBelow(url, base)) return failed(fetchFailure('redirected_elsewhere', elsewhere(url, base)))
      if (redirects > REDIRECTS_MAX) return failed(fetchFailure('redirected_elsewhere', 'too_many_redirects'))
      const answer = await askOnce(scope, url, stop, options)
      if ('failure' in answer) return failed(answer.failure)
      if (!('location' in answer)) return answer
      url = new URL(answer.location, url)
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (deadline.aborted)
      return failed(fetchFailure('timed_out', { id: 'too_slow', params: { seconds: wholeMs / 1000 } }))
    return failed(failureOf(error))
  }
}

const REDIRECTS_MAX = 3
const failed = (failure: FetchFailure): Fetched => ({ ok: false, failure })
const HOST_CHARS_MAX = 260

const elsewhere = (url: URL, base: URL): FetchDetail | 'outside_path' =>
  url.origin === base.origin
    ? 'outside_path'
    : { id: 'other_host', params: { origin: `${url.protocol}//${url.host.slice(0, HOST_CHARS_MAX)}` } }

async function askOnce(
  scope: FetchScope,
  url: URL,
  stop: AbortSignal,
  options: FetchOptions,
): Promise<Fetched | { location: string } | { failure: FetchFailure }> {
  const { connectMs = limits.fetchConnectMsMax, bytesMax = limits.fetchBytesMax, resolve } = options
  // A host that is an address is never looked up.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isAllowedAddress(host, scope.allowPrivate))
    return { failure: fetchFailure('private_address') }
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    agent: false,
    signal: stop,
    lookup: allowedLookup(scope.allowPrivate, resolve),
    headers: {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      ...(scope.header === null ? {} : { [scope.header.name]: scope.header.value }),
    },
  })
  try {
    const response = await new Promise<IncomingMessage>((done, fail) => {
      const late = setTimeout(() => request.destroy(new ConnectTimeoutError()), connectMs)
      request.on('socket', (socket) =>
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(late)),
      )
      request.on('close', () => clearTimeout(late))
      request.on('error', fail)
      request.on('response', done)
      request.end()
    })
    return await readAnswer(response, bytesMax)
  } catch (error) {
    if (error instanceof ConnectTimeoutError)
      return {
        failure: fetchFailure('timed_out', { id: 'no_connection', params: { seconds: connectMs / 1000 } }),
      }
    if (error instanceof TooLargeError)
      return {
        failure: fetchFailure('too_large', {
          id: 'too_large',
          params: { mebibytes: Math.round(bytesMax / 1024 / 1024) },
        }),
      }
    throw error
  } finally {
    request.destroy()
  }
}

class ConnectTimeoutError extends Error {
  override name = 'ConnectTimeoutError'
}

async function readAnswer(
  response: IncomingMessage,
  bytesMax: number,
): Promise<Fetched | { location: string } | { failure: FetchFailure }> {
  const { statusCode: status = 0, headers } = response
  if (status === 401 || status === 403)
    return { failure: fetchFailure('unauthorized', { id: 'status', params: { status } }, { status }) }
  if (status >= 300 && status < 400 && headers.location !== undefined) return { location: headers.location }
  if (status < 200 || status >= 300)
    return {
      failure: fetchFailure(
        'status',
        { id: 'status', params: { status } },
        { status, ...retryAfter(headers['retry-after']) },
      ),
    }
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(type))
    return {
      failure: fetchFailure('not_json', type === 'text/html' ? 'web_page' : null),
    }
  const bytes = await readBounded(response, bytesMax)
  if (bytes === null) return { failure: fetchFailure('not_json', 'unknown_encoding') }
  const text = new TextDecoder().decode(bytes)
  const read = parseExactJson(text)
  if (read.ok) return { ok: true, bytes, value: read.value, headers }
  if (read.why === 'too_deep')
    return { failure: fetchFailure('not_json', { id: 'too_deep', params: { levels: limits.jsonDepthMax } }) }
  return { failure: fetchFailure(isHalf(text) ? 'cut_off' : 'not_json') }
}

/** A text that begins as JSON does and does not end so. */
const isHalf = (text: string): boolean => /^\s*[[{]/.test(text) && !/[\]}]\s*$/.test(text)

/** The header in milliseconds: seconds, or a date. */
function retryAfter(value: string | undefined): { retryAfterMs?: number } {
  if (value === undefined) return {}
  const ms = /^\d{1,9}$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? { retryAfterMs: Math.max(0, ms) } : {}
}
