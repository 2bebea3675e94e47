import { createHash } from 'node:crypto'
import { readPatchRange, readSecretRuns, type PatchAbout } from '@/db/queries/patch-bytes'
import { downloadName } from '@/lib/views/fixes/download-name'
import { hideSecrets } from '@/lib/judge/fixes/hide-secrets'
import { logText } from '@/lib/words/server/log'
import { byteRange } from './byte-range'
import { db } from './db'
import { disposition, FILE_HEADERS, hasEtag, streamed } from './download'

/** Three bytes are four characters of base64: what is spelled chunk by chunk needs a multiple of three. */
const CHUNK_BYTES = 3 * 256 * 1024
const BROKEN = logText.patchDownloadBroke

/**
 * The proposed bytes, all of them or a range. They are sent as they are read, a chunk at a time, and a whole patch is compared with its digest on the
 * way: the last chunk of one that is not what was stored is never sent, so that no reader takes it for the patch.
 */
export function patchResponse(request: Request, query: URLSearchParams, about: PatchAbout): Response {
  const { sha256, size } = about
  const range = byteRange(query, request.headers.get('range'), size)
  const headers: Record<string, string> = {
    ...FILE_HEADERS,
    'accept-ranges': 'bytes',
    'content-disposition': disposition(downloadName(about)),
  }
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } })
  const { start, end, partial } = range
  const etag = partial === 'query' ? `"${sha256}-${start}-${end}"` : `"${sha256}"`
  headers.etag = etag
  if (partial !== 'query')
    headers['repr-digest'] = `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`
  if (hasEtag(request, etag)) return new Response(null, { status: 304, headers })
  if (partial === 'range') headers['content-range'] = `bytes ${start}-${end - 1}/${size}`
  headers['content-length'] = String(end - start)
  const body =
    request.method === 'HEAD'
      ? null
      : streamed(patchChunks(about, start, end, start === 0 && end === size), BROKEN)
  return new Response(body, { status: partial === 'range' ? 206 : 200, headers })
}

/**
 * A range of the patch for a reader who may not have its bytes: the lines that hold a secret are hidden, every place stays. It is no part of the patch,
 * so it has neither its tag nor its digest, and no name under which it could be saved as one.
 */
export async function hiddenResponse(
  request: Request,
  query: URLSearchParams,
  about: PatchAbout & { id: string },
): Promise<Response> {
  const { start, end } = byteRange(query, null, about.size) as { start: number; end: number }
  const runs = await readSecretRuns(db(), about.projectId, about.id)
  if (runs === null) throw new Error(logText.secretsUnknown({ id: about.id }))
  const hide = hideSecrets(runs, start)
  const read = rangeOf(about)
  const headers = {
    ...FILE_HEADERS,
    'cache-control': 'private, no-store',
    'content-disposition': 'attachment; filename="hidden.txt"',
    'content-length': String(end - start),
    'x-inquest-hidden': 'secrets',
  }
  const body =
    request.method === 'HEAD'
      ? null
      : streamed(
          chunksOf(async (from, to) => hide(await read(from, to)), start, end, null),
          BROKEN,
        )
  return new Response(body, { headers })
}

type ReadRange = (start: number, end: number) => Promise<Uint8Array>
const rangeOf =
  ({ projectId, sha256 }: Pick<PatchAbout, 'projectId' | 'sha256'>): ReadRange =>
  (start, end) =>
    readPatchRange(db(), projectId, sha256, start, end)

/** A part of a patch, a chunk at a time. Of a whole one the last chunk is not handed out when the digest is another. */
export const patchChunks = (
  about: Pick<PatchAbout, 'projectId' | 'sha256'>,
  start: number,
  end: number,
  isWhole: boolean,
): AsyncGenerator<Uint8Array> => chunksOf(rangeOf(about), start, end, isWhole ? about.sha256 : null)

/** @param digest what all of it must come to; null where it is not the whole */
async function* chunksOf(
  read: ReadRange,
  start: number,
  end: number,
  digest: string | null,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for (let at = start; at < end; ) {
    const chunk = await read(at, Math.min(at + CHUNK_BYTES, end))
    at += chunk.length
    if (digest !== null) hash.update(chunk)
    if (chunk.length === 0 || (at >= end && digest !== null && hash.digest('hex') !== digest))
      throw new Error(logText.storedPatchDiffers({ digest }))
    yield chunk
  }
}
