import { projectIds } from '@/app/_server/access'
import { byteRange } from '@/app/_server/byte-range'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { hasEtag, startedStream } from '@/app/_server/download'
import { Refusal } from '@/app/_server/respond'
import { readReceivedRange, receivedPieces } from '@/db/queries/received'
import { logText } from '@/lib/words/server/log'
import { requestText } from '@/lib/words/server/requests'

/**
 * Kept bytes, by the digest of the whole part. They are what an agent left: never shown as anything but text or a download,
 * and with a policy under which nothing in them could run.
 */
export const GET = defineRoute<{ action: 'read' }, { sha256: string }>(
  '/api/v1/received/{sha256}',
  { action: 'read' },
  async ({ request, params, access, query }) => {
    const sha256 = params.sha256.toLowerCase()
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Refusal('not-found')
    const as = query.get('as')
    if (as !== null && as !== 'text') throw new Refusal('bad-request', requestText.asText)
    const projects = projectIds(access)
    const about = await readReceivedRange(db(), projects, sha256, 0, 0)
    if (!about) throw new Refusal('not-found')
    const range = byteRange(query, request.headers.get('range'), about.keptLength)
    const headers: Record<string, string> = {
      'content-type': as === 'text' ? 'text/plain; charset=utf-8' : 'application/octet-stream',
      'content-disposition': `${as === 'text' ? 'inline' : 'attachment'}; filename="${sha256.slice(0, 16)}.jsonl"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      // The address names the content, so it never changes; who may read it may.
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'cookie, authorization',
      'accept-ranges': 'bytes',
    }
    if (range === 'unsatisfiable')
      return new Response(null, {
        status: 416,
        headers: { ...headers, 'content-range': `bytes */${about.keptLength}` },
      })
    const etag = range.partial === 'query' ? `"${sha256}-${range.start}-${range.end}"` : `"${sha256}"`
    headers.etag = etag
    if (hasEtag(request, etag)) return new Response(null, { status: 304, headers })
    const part = await receivedPieces(db(), projects, sha256, range.start, range.end)
    if (!part) throw new Refusal('not-found')
    if (range.partial === 'range')
      headers['content-range'] = `bytes ${part.start}-${part.end - 1}/${part.keptLength}`
    headers['inquest-kept-length'] = String(part.keptLength)
    headers['content-length'] = String(part.end - part.start)
    return new Response(await startedStream(part.pieces, logText.rawDownloadBroke), {
      status: range.partial === 'range' ? 206 : 200,
      headers,
    })
  },
)
