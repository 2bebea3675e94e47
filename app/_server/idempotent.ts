import { createHash } from 'node:crypto'
import {
  beginIdempotent,
  dropIdempotent,
  finishIdempotent,
  type HeldKey,
  type IdempotentCall,
  RENEW_MS,
  renewIdempotent,
} from '@/db/idempotency'
import { bodyText } from '@/lib/words/server/bodies'
import { type Access, actorOf } from './access'
import { db } from './db'
import { json, Refusal } from './respond'

export interface Idempotent {
  access: Access
  projectId: string
  /** The caller's `Idempotency-Key`; null: the work is simply done. */
  key: string | null
  /** What makes this request this request. */
  request: readonly (string | number | boolean | null)[]
}

// Keys whose work failed while the database was away, so that the row is still there. Without this the caller would be refused until the
// lease of the key is over.
const unreleased = new Map<string, HeldKey>()

/**
 * Does the work once for each key: a repetition gets the first answer again. Work that failed may be tried again with its key.
 *
 * @throws Refusal `key-reused`, or `in-use` while the first request is still at work
 */
export async function idempotently(
  { access, projectId, key, request }: Idempotent,
  work: () => Promise<unknown>,
): Promise<Response> {
  if (key === null) return json(await work())
  const { sql } = db()
  const requestSha256 = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  const call: IdempotentCall = { projectId, caller: actorOf(access), key, requestSha256 }
  const name = JSON.stringify([projectId, call.caller, key, requestSha256])
  const left = unreleased.get(name)
  if (left !== undefined) {
    await dropIdempotent(sql, left)
    unreleased.delete(name)
  }
  const known = await beginIdempotent(sql, call)
  if (known.state === 'reused') throw new Refusal('key-reused')
  if (known.state === 'running')
    throw new Refusal('in-use', bodyText.firstInProgress, {
      headers: { 'retry-after': '1' },
    })
  if (known.state === 'answered')
    return json(known.answer, { status: known.status, headers: { 'idempotency-replayed': 'true' } })
  const { held } = known
  // One that fails is made up for by the next.
  const renewal = setInterval(() => void renewIdempotent(sql, held).catch(() => undefined), RENEW_MS)
  try {
    const answer = await work()
    await finishIdempotent(sql, held, 200, answer)
    return json(answer)
  } catch (error) {
    // The work's own error is the one to answer with.
    await dropIdempotent(sql, held).catch(() => unreleased.set(name, held))
    throw error
  } finally {
    clearInterval(renewal)
  }
}
