import { createHash } from 'node:crypto'
import { readPatchRange, type PatchAbout } from '@/db/queries/patch-bytes'
import { downloadName } from '@/lib/fixes/download-name'
import { byteRange } from './byte-range'
import { db } from './db'
import { log } from './log'

/** Sent with all that an agent wrote and a reviewer saves: a file, of no kind that a browser would open, under a policy by which nothing in it runs. */
const FILE_HEADERS = {
  'content-type': 'application/octet-stream',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-transform, immutable, max-age=31536000',
  vary: 'cookie, authorization',
}

export const disposition = (name: string): string => `attachment; filename="${name}"; filename*=UTF-8''${name}`

export const hasEtag = (request: Request, etag: string): boolean =>
  (request.headers.get('if-none-match') ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')

/** A small file beside a patch. */
export function fileResponse(request: Request, { bytes, etag, name, type }: { bytes: Uint8Array | string; etag: string; name: string; type?: string }): Response {
  const body = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  const headers = { ...FILE_HEADERS, ...(type ? { 'content-type': type } : {}), etag, 'content-disposition': disposition(name) }
  if (hasEtag(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(body as Uint8Array<ArrayBuffer>, { headers: { ...headers, 'content-length': String(body.length) } })
}

const CHUNK_BYTES = 1024 * 1024

/**
 * The proposed bytes, all of them or a range. They are sent as they are read, a chunk at a time, and a whole patch is compared with its digest on the
 * way: the last chunk of one that is not what was stored is never sent, so that no reader takes it for the patch.
 */
export function patchResponse(request: Request, query: URLSearchParams, about: PatchAbout): Response {
  const { projectId, sha256, size } = about
  const range = byteRange(query, request.headers.get('range'), size)
  const headers: Record<string, string> = { ...FILE_HEADERS, 'accept-ranges': 'bytes', 'content-disposition': disposition(downloadName(about)) }
  if (range === 'unsatisfiable') return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } })
  const { start, end, partial } = range
  const etag = partial === 'query' ? `"${sha256}-${start}-${end}"` : `"${sha256}"`
  headers.etag = etag
  if (partial !== 'query') headers['repr-digest'] = `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`
  if (hasEtag(request, etag)) return new Response(null, { status: 304, headers })
  if (partial === 'range') headers['content-range'] = `bytes ${start}-${end - 1}/${size}`
  headers['content-length'] = String(end - start)
  const body = request.method === 'HEAD' ? null : streamOf(projectId, sha256, start, end, start === 0 && end === size)
  return new Response(body, { status: partial === 'range' ? 206 : 200, headers })
}

function streamOf(projectId: string, sha256: string, start: number, end: number, isWhole: boolean): ReadableStream<Uint8Array> {
  const hash = createHash('sha256')
  let at = start
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (at >= end) return controller.close()
        const chunk = await readPatchRange(db(), projectId, sha256, at, Math.min(at + CHUNK_BYTES, end))
        at += chunk.length
        hash.update(chunk)
        if (chunk.length === 0 || (at >= end && isWhole && hash.digest('hex') !== sha256)) throw new Error(`the stored patch ${sha256} is not what its digest says`)
        controller.enqueue(chunk)
        if (at >= end) controller.close()
      } catch (error) {
        log.error({ err: error }, 'a download of a patch broke off')
        controller.error(error)
      }
    },
  })
}

/** All bytes at once, for what is made of them; compared with the digest. */
export async function wholePatch({ projectId, sha256, size }: PatchAbout): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at += CHUNK_BYTES) bytes.set(await readPatchRange(db(), projectId, sha256, at, Math.min(at + CHUNK_BYTES, size)), at)
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error(`the stored patch ${sha256} is not what its digest says`)
  return bytes
}
