import { READING_RULES } from '@/lib/judge/fixes/read-fix'
import { readPatch, type FixStore } from './patch-reader'
import { isStoreDown } from '../sql-state'
import type { RowOf } from '../schema/rows'

const AT_ONCE = 100
/** A patch that was kept so long ago and not read was left by a process that ended. */
const LEFT_SECONDS = 300

/**
 * Reads patches that were read by other rules, or not at all: those of all projects, or of one. The bytes, the state and what people decided stay; a
 * flag that is new is beside a decision that was made without it.
 *
 * @param options.left only those that nobody came to
 * @param options.onError hears of a patch that could not be read; the others are
 * @returns how many were read
 */
export async function rereadFixes(
  db: FixStore,
  {
    projectId,
    left = false,
    signal,
    onError = () => {},
  }: {
    projectId?: string
    left?: boolean
    signal?: AbortSignal
    onError?: (error: unknown, fixId: string) => void
  } = {},
): Promise<number> {
  const { sql } = db
  const within = projectId === undefined ? sql`` : sql`and project_id = ${projectId}`
  const wanted = left
    ? sql`rules = 'not-yet' and received_at < now() - make_interval(secs => ${LEFT_SECONDS})`
    : sql`rules <> ${READING_RULES}`
  let after = '00000000-0000-0000-0000-000000000000'
  for (let read = 0; ; ) {
    const due = await sql<
      RowOf<'fix_standing', 'projectId' | 'fixId'>[]
    >`select project_id as "projectId", fix_id as "fixId" from fix_standing where ${wanted} ${within} and fix_id > ${after} order by fix_id limit ${AT_ONCE}`
    for (const key of due) {
      if (signal?.aborted) return read
      try {
        await readPatch(db, key)
        read++
      } catch (error) {
        if (isStoreDown(error)) throw error
        // One patch that cannot be read keeps no other from it.
        onError(error, key.fixId)
      }
    }
    if (due.length < AT_ONCE) return read
    after = due.at(-1)!.fixId
  }
}
