import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { z } from 'zod'
import { limits } from '@/lib/limits'
import { bodyText } from '@/lib/words/server/bodies'
import { busy, openShare } from './admission'
import { createArrival } from './body-arrival'
import { growingBytes } from './growing-bytes'
import { Refusal } from './respond'

const MIB = 1024 * 1024
const mib = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const

/** Content codings of the request, in the order in which they must be undone. */
function codings(request: Request): (keyof typeof DECODERS)[] {
  const named = (request.headers.get('content-encoding') ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
  return named
    .filter((one) => one !== '' && one !== 'identity')
    .reverse()
    .map((one) => {
      if (one in DECODERS) return one as keyof typeof DECODERS
      throw new Refusal('bad-encoding', bodyText.unknownEncoding({ one }))
    })
}

export interface ReadBody {
  /** Bytes at most, before and after content decoding. */
  max?: number
  /** Called once with the first bytes, decoded, before the rest is read: what it throws ends the reading. */
  onHead?: (head: Uint8Array) => void
}

/** Bytes that `onHead` is shown, where there are so many. */
export const HEAD_BYTES = 256 * 1024

/**
 * The whole body with its content codings undone, or a refusal: never a part of it. A body that is shorter than its
 * Content-Length, or broke off, is refused too. It is decoded as it comes, and counts against the budget of the server until its request
 * is answered (`releaseShare`).
 *
 * @throws Refusal `too-large`, `bad-encoding`, `ratio-exceeded`, `bad-request`, `request-timeout`, `busy`
 */
export async function readBody(
  request: Request,
  { max = limits.bodyBytesMax, onHead }: ReadBody = {},
): Promise<Uint8Array> {
  const undo = codings(request)
  const tooLarge = (): Refusal => new Refusal('too-large', bodyText.bodyTooLarge({ mib: mib(max) }))
  const announced = announcedBytes(request)
  if (announced !== null && announced > max) throw tooLarge()
  const isPlain = undo.length === 0
  const arrival = createArrival(request.body, { announced: request.body && announced, max, tooLarge })
  const bytes = growingBytes(isPlain ? (announced ?? max) : max)
  const share = openShare(request, () => {
    bytes.drop()
    arrival.stop(busy())
  })
  let head = onHead
  const take = (piece: Uint8Array): void => {
    if (bytes.length + piece.length > max)
      throw isPlain ? tooLarge() : new Refusal('too-large', bodyText.decodedBodyTooLarge({ mib: mib(max) }))
    if (!isPlain) checkRatio(undo, bytes.length + piece.length, Math.max(arrival.received(), announced ?? 0))
    if (!share.grow(bytes.capacityWith(piece.length) - bytes.capacity, performance.now())) throw busy()
    bytes.push(piece)
    if (head !== undefined && bytes.length >= HEAD_BYTES) show()
  }
  const show = (): void => {
    const due = head
    head = undefined
    due?.(bytes.view().subarray(0, HEAD_BYTES))
  }
  try {
    await decode(arrival.pieces(), undo, take)
    show()
    share.settle()
    return bytes.finish()
  } catch (error) {
    bytes.drop()
    share.release()
    // Why reading was ended says more than how it broke off then.
    throw arrival.stopped() ?? error
  }
}

function announcedBytes(request: Request): number | null {
  const header = request.headers.get('content-length')
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null
}

function checkRatio(undo: readonly string[], decoded: number, received: number): void {
  if (decoded > MIB + received * limits.decompressionRatioMax)
    throw new Refusal('ratio-exceeded', bodyText.ratioExceeded({ received, undo }))
}

/** Hands each decoded piece on, and takes no more than the decoders can keep up with. */
async function decode(
  pieces: AsyncIterable<Uint8Array>,
  undo: readonly (keyof typeof DECODERS)[],
  take: (piece: Uint8Array) => void,
): Promise<void> {
  if (undo.length === 0) {
    for await (const piece of pieces) take(piece)
    return
  }
  let damaged: Refusal | undefined
  const decoders = undo.map((coding) =>
    DECODERS[coding]({ chunkSize: DECODED_PIECE_BYTES }).on('error', (error: NodeJS.ErrnoException) => {
      if (isCodingError(error))
        damaged ??= new Refusal('bad-encoding', bodyText.notDecompressed({ coding, message: error.message }))
    }),
  )
  try {
    await pipeline([Readable.from(pieces, { highWaterMark: 1 }), ...decoders, sinkOf(take)])
  } catch (error) {
    throw error instanceof Refusal ? error : (damaged ?? error)
  }
}

const sinkOf = (take: (piece: Uint8Array) => void): Writable =>
  new Writable({
    write(piece: Uint8Array, _encoding, done) {
      try {
        take(piece)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })

/** Of zlib (`Z_DATA_ERROR`, `ERR_BROTLI…`); other errors that reach a decoder are handed on through it. */
const isCodingError = ({ code }: NodeJS.ErrnoException): boolean => /^(Z_|ERR_BROTLI|ERR__)/.test(code ?? '')
const DECODED_PIECE_BYTES = 64 * 1024

const JSON_BODY_MAX = MIB

/** A small JSON body, checked by its schema. An empty body reads as `{}`. */
export async function readJson<T extends z.ZodType>(request: Request, schema: T): Promise<z.infer<T>> {
  const text = new TextDecoder().decode(await readBody(request, { max: JSON_BODY_MAX }))
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
  } catch (error) {
    throw new Refusal('bad-request', bodyText.bodyNotJson({ message: (error as Error).message }))
  }
  return checked(schema, value)
}

/** Checks a value from outside; the refusal names the field and what was expected there. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'body'}: ${boundOf(issue) ?? issue.message}`)
  throw new Refusal('bad-request', problems.join('; '))
}

/** How much a value may have at least or at most; null for other issues. The schema's own words name types of the language. */
function boundOf(issue: z.core.$ZodIssue): string | null {
  if (issue.code === 'invalid_type' && issue.expected === 'int') return 'a whole number'
  if (issue.code === 'too_big')
    return `${issue.inclusive === false ? 'less than' : 'at most'} ${amount(issue.maximum, issue.origin)}`
  if (issue.code === 'too_small')
    return `${issue.inclusive === false ? 'more than' : 'at least'} ${amount(issue.minimum, issue.origin)}`
  return null
}

function amount(count: number | bigint, of: string): string {
  const unit = of === 'string' ? 'character' : of === 'array' ? 'item' : null
  return unit === null ? String(count) : `${count} ${unit}${Number(count) === 1 ? '' : 's'}`
}
