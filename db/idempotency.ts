import { limits } from '@/lib/limits'
import type { Sql } from './client'
import type { RowOf } from './schema/rows'

export interface IdempotentCall {
  projectId: string
  /** Who calls: keys of different callers are different keys. */
  caller: string
  key: string
  /** Digest of method, path and body: the same key for another request is refused. */
  requestSha256: string
}

/** A key that a request at work holds. One whose lease ended may be held by another request meanwhile, whose row it must not touch. */
export interface HeldKey extends IdempotentCall {
  /** When it was taken, as the database spells it. */
  takenAt: string
}

export type IdempotentState =
  | { state: 'new'; held: HeldKey }
  | { state: 'running' }
  | { state: 'reused' }
  | { state: 'answered'; status: number; answer: unknown }

/** Seconds for which a key is held for a request at work unless it is renewed: after that its process has died, and it may be made again. */
const LEASE_SECONDS = 15
/** Milliseconds between two renewals. */
export const RENEW_MS = 5_000

/**
 * Takes a key before the work begins. `new`: do the work and `renewIdempotent` meanwhile, then `finishIdempotent` (or `dropIdempotent` when it failed);
 * `answered`: send the same answer again; `running`: the first request is still at work; `reused`: the key stands for another request.
 */
export async function beginIdempotent(sql: Sql, call: IdempotentCall): Promise<IdempotentState> {
  const [taken] = await sql<{ takenAt: string }[]>`
    insert into idempotency_keys as i (project_id, caller, key, request_sha256, expires_at)
    values (${call.projectId}, ${call.caller}, ${call.key}, ${call.requestSha256}, now() + make_interval(secs => ${LEASE_SECONDS}))
    on conflict (project_id, caller, key) do update
      set request_sha256 = excluded.request_sha256, status = null, answer = null, created_at = now(), expires_at = excluded.expires_at
      where i.expires_at < now()
    returning created_at::text as "takenAt"`
  if (taken) return { state: 'new', held: { ...call, takenAt: taken.takenAt } }
  const [known] = await sql<
    (RowOf<'idempotency_keys', 'request_sha256' | 'status'> & {
      answer: NonNullable<RowOf<'idempotency_keys', 'answer'>['answer']>
    })[]
  >`
    select request_sha256, status, answer from idempotency_keys where project_id = ${call.projectId} and caller = ${call.caller} and key = ${call.key}`
  // Dropped between the two statements: the work is free again.
  if (!known) return beginIdempotent(sql, call)
  if (known.request_sha256 !== call.requestSha256) return { state: 'reused' }
  return known.status === null
    ? { state: 'running' }
    : { state: 'answered', status: known.status, answer: known.answer }
}

const isHeld = (sql: Sql, { projectId, caller, key, takenAt }: HeldKey) =>
  sql`project_id = ${projectId} and caller = ${caller} and key = ${key} and created_at = ${takenAt}::timestamptz and status is null`

/** Keeps the key of a request that is still at work, every `RENEW_MS`. */
export async function renewIdempotent(sql: Sql, held: HeldKey): Promise<void> {
  await sql`
    update idempotency_keys set expires_at = now() + make_interval(secs => ${LEASE_SECONDS})
    where ${isHeld(sql, held)}`
}

/** Remembers the answer for `limits.idempotencyHours`. */
export async function finishIdempotent(
  sql: Sql,
  held: HeldKey,
  status: number,
  answer: unknown,
): Promise<void> {
  await sql`
    update idempotency_keys
    set status = ${status}, answer = ${JSON.stringify(answer)}::text::jsonb, expires_at = now() + make_interval(hours => ${limits.idempotencyHours})
    where ${isHeld(sql, held)}`
}

/** Forgets a key whose work failed, so that the caller can try again with it. */
export async function dropIdempotent(sql: Sql, held: HeldKey): Promise<void> {
  await sql`
    delete from idempotency_keys
    where ${isHeld(sql, held)}`
}

/** Removes keys whose time is over. @returns how many */
export async function cleanIdempotency(sql: Sql): Promise<number> {
  const { count } = await sql`delete from idempotency_keys where expires_at < now()`
  return count
}
