import { projectIds } from '@/app/_server/access'
import { byteRange } from '@/app/_server/byte-range'
import { db } from '@/app/_server/db'
import { defineRoute } from '@/app/_server/define-route'
import { streamed } from '@/app/_server/patch-response'
import { Refusal } from '@/app/_server/respond'
import { readReceivedRange } from '@/db/queries/received'

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
    if (as !== null && as !== 'text') throw new Refusal('bad-request', 'as: must be text')
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
    if (ifNoneMatch(request, etag)) return new Response(null, { status: 304, headers })
    // Read before anything is sent: what fails here is still a problem and no broken download.
    const first = await readReceivedRange(
      db(),
      projects,
      sha256,
      range.start,
      Math.min(range.start + PIECE_BYTES, range.end),
    )
    if (!first) throw new Refusal('not-found')
    const { start, keptLength } = first
    const end = Math.max(start, Math.min(range.end, keptLength))
    if (range.partial === 'range') headers['content-range'] = `bytes ${start}-${end - 1}/${keptLength}`
    headers['inquest-kept-length'] = String(keptLength)
    headers['content-length'] = String(end - start)
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      yield first.bytes
      for (let at = first.end; at < end; at += PIECE_BYTES) {
        const next = await readReceivedRange(db(), projects, sha256, at, Math.min(at + PIECE_BYTES, end))
        if (!next) throw new Error('the part is gone')
        yield next.bytes
      }
    }
    return new Response(
      first.end >= end
        ? (first.bytes as Uint8Array<ArrayBuffer>)
        : streamed(pieces(), 'a download of a raw record broke off'),
      { status: range.partial === 'range' ? 206 : 200, headers },
    )
  },
)

/** A reader that takes nothing holds no more than a few of these, whatever the length of the part. */
const PIECE_BYTES = 1_048_576

const ifNoneMatch = (request: Request, etag: string): boolean =>
  (request.headers.get('if-none-match') ?? '')
    .split(',')
    .some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')
