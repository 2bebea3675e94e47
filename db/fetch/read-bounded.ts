import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export class TooLargeError extends Error {
  override name = 'TooLargeError'
}

/**
 * The whole body with its coding undone; no more of it is read than may be held.
 *
 * @returns null for a coding that was not asked for
 * @throws TooLargeError, or what the connection or the coding broke with
 */
export async function readBounded(response: IncomingMessage, bytesMax: number): Promise<Uint8Array | null> {
  if (Number(response.headers['content-length'] ?? 0) > bytesMax) throw new TooLargeError()
  const body = decoded(response)
  if (body === null) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.length
    if (length > bytesMax) throw new TooLargeError()
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks, length))
}

function decoded(response: IncomingMessage): Readable | null {
  const coding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (coding === 'identity') return response
  if (coding !== 'gzip' && coding !== 'x-gzip') return null
  const gunzip = createGunzip()
  response.on('error', (error) => gunzip.destroy(error))
  return response.pipe(gunzip)
}
