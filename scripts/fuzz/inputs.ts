import fc from 'fast-check'
import { encodedBody } from './encodings'
import type { Endpoint } from './endpoints'
import { fromSchema } from './from-schema'
import { mutated } from './mutations'
import type { Samples } from './samples'
import { encode, inAddress, oddText } from './values'

/** One request, whole: it can be sent again by itself. */
export interface Input {
  method: string
  /** Path and query as they go over the wire. */
  target: string
  headers: Record<string, string>
  body: Uint8Array | null
  as: 'key' | 'session' | 'nobody'
  /** How often it is sent, and whether at the same time. */
  times: 1 | 2
  atOnce: boolean
}

/** What a server holds: values by the name of the parameter that takes them, `*` for the others. */
export type Known = Record<string, string[]>

const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'POST', 'GET', 'PROPFIND'] as const

const knownFor = (known: Known, name: string): string[] => {
  const values = [...(known[name] ?? []), ...(known['*'] ?? [])]
  return values.length > 0 ? values : ['x']
}

/** A value of a parameter: mostly one that the server knows, sometimes that one a little changed, else an odd one. */
const parameter = (known: Known, name: string): fc.Arbitrary<string> => {
  const real = fc.constantFrom(...(known[name] ?? knownFor(known, name)))
  const changed = fc
    .tuple(real, fc.nat({ max: 60 }), fc.constantFrom('', '\0', 'A', '=', '.', '/', '\ud800'))
    .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1))
  return fc.oneof({ weight: 5, arbitrary: real.map(encode) }, inAddress(fc.oneof(changed, oddText)))
}

/** All headers together may have 16 KiB; beyond that the connection is closed, as it should be. */
const HEADER_CHARS_MAX = 4_000

/** A header may contain any byte but line ends and NUL; Node refuses to send others. */
const headerText = (known: Known, name: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...knownFor(known, name)),
    inAddress(oddText).map((text) => text.slice(0, HEADER_CHARS_MAX)),
    fc.constantFrom('0', '1', '999999999999999', '-5', 'é', '%ff', 'a'.repeat(4_000), '\u00ff'),
  )

/** Requests to an endpoint, all of them made from one seed. */
export function inputsFor(endpoint: Endpoint, known: Known, samples: Samples): fc.Arbitrary<Input> {
  const body = bodyOf(endpoint, known, samples)
  const path = pathOf(endpoint, known)
  const query = fc.record(Object.fromEntries(endpoint.query.map((name) => [name, parameter(known, name)])), {
    requiredKeys: [],
  })
  const headers = fc.record(
    Object.fromEntries(
      endpoint.headers
        .filter((name) => name !== 'Content-Encoding')
        .map((name) => [name.toLowerCase(), headerText(known, name)]),
    ),
    { requiredKeys: [] },
  )
  return fc
    .record({
      body,
      path,
      query,
      headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, headers),
      oddHeaders: fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, commonHeaders),
      method: fc.oneof({ weight: 40, arbitrary: fc.constant(endpoint.method) }, fc.constantFrom(...METHODS)),
      as: fc.oneof(
        { weight: 6, arbitrary: fc.constant('key' as const) },
        { weight: 4, arbitrary: fc.constant('session' as const) },
        fc.constant('nobody' as const),
      ),
      repeat: fc.oneof(
        { weight: 8, arbitrary: fc.constant({ times: 1, atOnce: false } as const) },
        fc.constantFrom({ times: 2, atOnce: false } as const, { times: 2, atOnce: true } as const),
      ),
    })
    .map(({ body: made, path: at, query: asked, headers: own, oddHeaders, method, as, repeat }) => {
      const search = Object.entries(asked).map(([name, value]) => `${name}=${value}`)
      const glue = at.includes('?') ? '&' : '?'
      const carries = made !== null && method !== 'GET' && method !== 'HEAD' && method !== 'TRACE'
      return {
        method,
        target: search.length === 0 ? at : at + glue + search.join('&'),
        headers: {
          ...(carries ? made.headers : {}),
          ...(own as Record<string, string>),
          ...(oddHeaders as Record<string, string>),
        },
        body: carries ? made.bytes : null,
        as: endpoint.name.startsWith('page') && as === 'key' ? 'session' : as,
        ...repeat,
      }
    })
}

const pathOf = ({ path }: Endpoint, known: Known): fc.Arbitrary<string> => {
  const pieces = path.split(/\{(\w+)\}/)
  return fc
    .tuple(
      ...pieces.map((piece, i) =>
        i % 2 === 0 ? fc.constant(piece) : parameter(known, path.includes('/fixes/{id}') ? 'fix' : piece),
      ),
    )
    .map((parts) => parts.join(''))
}

/** Headers that any request may carry, of which one or two come at once: with more, the cause would be hard to see. */
const COMMON_HEADERS: [string, string][] = Object.entries({
  accept: ['*/*', 'text/html', 'application/json', ';;;', 'a/b;q=x'],
  range: ['bytes=0-0', 'bytes=-1', 'bytes=5-2', 'bytes=0-0,2-3', 'bytes=999999999999999999999-', 'x'],
  'if-none-match': ['*', '"a"', 'W/"b"'],
  'x-request-id': ['short', 'a'.repeat(200), 'é-------é'],
  'x-forwarded-for': ['1.2.3.4', ', ,', 'a'.repeat(3_000), '::ffff:1'],
  'x-forwarded-host': ['evil.example', 'a b', ':::'],
  origin: ['null', 'http://evil.example', 'x'],
  cookie: ['inquest.session_token=x', 'a=%', ';;;', `x=${'y'.repeat(5_000)}`],
  rsc: ['1'],
  'next-router-prefetch': ['1'],
  'next-router-state-tree': ['%', '[]', '{}', encodeURIComponent('["",{}]')],
  'next-action': ['0'.repeat(40)],
}).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))

const commonHeaders = fc
  .array(fc.constantFrom(...COMMON_HEADERS), { minLength: 1, maxLength: 2 })
  .map((chosen): Record<string, string> => Object.fromEntries(chosen))

type Made = { bytes: Uint8Array; headers: Record<string, string> } | null

function bodyOf({ body, headers }: Endpoint, known: Known, samples: Samples): fc.Arbitrary<Made> {
  if (body === null) return fc.constant(null)
  if (body === 'form') return mutated(samples.patch).map(form)
  const bytes =
    'samples' in body
      ? mutated(samples[body.samples])
      : fc.oneof(
          { weight: 4, arbitrary: fromSchema(body.schema, Object.values(known).flat()).map(jsonOf) },
          fromSchema(body.schema, ['x']).chain((value) => mutated([jsonOf(value)])),
        )
  const type = 'samples' in body ? 'application/octet-stream' : 'application/json'
  if ('schema' in body && !headers.includes('Content-Encoding'))
    return bytes.map((plain) => ({ bytes: plain, headers: { 'content-type': type } }))
  return encodedBody(bytes).map(({ bytes: wire, encoding }) => ({
    bytes: wire,
    headers: { 'content-type': type, ...(encoding === null ? {} : { 'content-encoding': encoding }) },
  }))
}

const jsonOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value) ?? '')

const BOUNDARY = 'fuzz-boundary'

/** A fix is proposed as the patch alone or, as here, as a form. */
function form(patch: Uint8Array): Made {
  const head = (name: string): string =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`
  return {
    bytes: new Uint8Array(
      Buffer.concat([
        Buffer.from(head('patch')),
        patch,
        Buffer.from(`\r\n${head('proposal')}{"task":"test","title":"Fuzzed"}\r\n--${BOUNDARY}--\r\n`),
      ]),
    ),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  }
}
