import { log } from './log'

/** Sent with all that an agent wrote and a reviewer saves: a file, of no kind that a browser would open, under a policy by which nothing in it runs. */
export const FILE_HEADERS = {
  'content-type': 'application/octet-stream',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-transform, immutable, max-age=31536000',
  vary: 'cookie, authorization',
}

/** The same for a file that is another one when somebody has reviewed or commented. */
export const CHANGING_FILE_HEADERS = { ...FILE_HEADERS, 'cache-control': 'private, no-store' }

export const disposition = (name: string): string =>
  `attachment; filename="${name}"; filename*=UTF-8''${name}`

export const hasEtag = (request: Request, etag: string): boolean =>
  (request.headers.get('if-none-match') ?? '')
    .split(',')
    .some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')

/** A small file beside a patch. */
export function fileResponse(
  request: Request,
  { bytes, etag, name, type }: { bytes: Uint8Array | string; etag: string; name: string; type?: string },
): Response {
  const body = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  const headers = {
    ...FILE_HEADERS,
    ...(type ? { 'content-type': type } : {}),
    etag,
    'content-disposition': disposition(name),
  }
  if (hasEtag(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : (body as Uint8Array<ArrayBuffer>), {
    headers: { ...headers, 'content-length': String(body.length) },
  })
}

/** Sends what a generator makes as it is asked for. One that fails breaks the answer off, and `broken` is logged. */
export function streamed(chunks: AsyncGenerator<Uint8Array>, broken: string): ReadableStream<Uint8Array> {
  let left = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await chunks.next()
        if (left) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        log.error({ err: error }, broken)
        controller.error(error)
      }
    },
    async cancel() {
      // A piece may be on its way: nobody waits for it any more.
      left = true
      await chunks.return(undefined)
    },
  })
}

/** The same, with the first piece made before the answer begins: what fails there is still a problem, and no broken download. */
export async function startedStream(
  chunks: AsyncGenerator<Uint8Array>,
  broken: string,
): Promise<ReadableStream<Uint8Array>> {
  const first = await chunks.next()
  return streamed(
    (async function* () {
      if (!first.done) yield first.value
      yield* chunks
    })(),
    broken,
  )
}
