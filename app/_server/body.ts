import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { z } from 'zod'
import { limits } from '@/lib/limits'
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
      throw new Refusal(
        'bad-encoding',
        `Content-Encoding ${one.slice(0, 40)} is not known; gzip, deflate and br are.`,
      )
    })
}

/**
 * Collects a stream into one buffer, refusing it as soon as it is over the limit. With a length that was announced the
 * buffer is made once, so a large body is held once and not twice.
 */
async function collect(
  stream: ReadableStream<Uint8Array>,
  announced: number | null,
  max: number,
  over: () => Refusal,
): Promise<Uint8Array> {
  const reader = stream.getReader()
  const fixed = announced === null ? null : new Uint8Array(announced)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (length + value.length > max) throw over()
      if (fixed && length + value.length <= fixed.length) fixed.set(value, length)
      else if (!fixed) chunks.push(value)
      length += value.length
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined) // the sender's error is the one to tell
    if (error instanceof Refusal) throw error
    throw new Refusal('bad-request', `The body broke off after ${length} bytes.`)
  }
  if (fixed) {
    if (length !== fixed.length)
      throw new Refusal('bad-request', `Content-Length says ${fixed.length} bytes, ${length} arrived.`)
    return fixed
  }
  return joined(chunks, length)
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** Undoes one content coding; the output may be at most one MiB plus the allowed ratio times the input. */
function decoded(bytes: Uint8Array, coding: keyof typeof DECODERS, max: number): Promise<Uint8Array> {
  const ratioMax = MIB + bytes.length * limits.decompressionRatioMax
  return new Promise((resolve, reject) => {
    const decoder = DECODERS[coding]()
    const chunks: Uint8Array[] = []
    let length = 0
    const fail = (refusal: Refusal): void => {
      decoder.destroy()
      reject(refusal)
    }
    decoder.on('data', (chunk: Uint8Array) => {
      length += chunk.length
      if (length > max) return fail(new Refusal('too-large', `The decoded body is over ${mib(max)}.`))
      if (length > ratioMax) {
        return fail(
          new Refusal(
            'ratio-exceeded',
            `${bytes.length} bytes of ${coding} grow to more than ${limits.decompressionRatioMax} times their size.`,
          ),
        )
      }
      chunks.push(chunk)
    })
    decoder.on('end', () => resolve(joined(chunks, length)))
    decoder.on('error', (error) =>
      fail(new Refusal('bad-encoding', `The ${coding} stream could not be undone: ${error.message}.`)),
    )
    decoder.end(bytes)
  })
}

/**
 * The whole body with its content codings undone, or a refusal: never a part of it. A body that is shorter than its
 * Content-Length, or broke off, is refused too.
 */
export async function readBody(request: Request, max: number = limits.bodyBytesMax): Promise<Uint8Array> {
  const undo = codings(request)
  const over = (): Refusal =>
    new Refusal('too-large', `The body is over ${mib(max)}; send it in parts (docs/api.md#large-files).`)
  const header = request.headers.get('content-length')
  const announced = header !== null && /^\d{1,15}$/.test(header) ? Number(header) : null
  if (announced !== null && announced > max) throw over()
  let bytes: Uint8Array =
    request.body === null ? new Uint8Array(0) : await collect(request.body, announced, max, over)
  for (const coding of undo) bytes = await decoded(bytes, coding, max)
  return bytes
}

const JSON_BODY_MAX = MIB

/** A small JSON body, checked by its schema. An empty body reads as `{}`. */
export async function readJson<T extends z.ZodType>(request: Request, schema: T): Promise<z.infer<T>> {
  const text = new TextDecoder().decode(await readBody(request, JSON_BODY_MAX))
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
  } catch (error) {
    throw new Refusal('bad-request', `The body is not JSON: ${(error as Error).message}.`)
  }
  return checked(schema, value)
}

/** Checks a value from outside; the refusal names the field and what was expected there. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const told = result.error.issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
  throw new Refusal('bad-request', told.join('; '))
}
