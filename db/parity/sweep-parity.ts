import type { LayerInput } from '@/lib/judge/parity/layers'
import type { CheckTrigger } from '@/lib/judge/parity/stored-check'
import { COMPARED_BY } from '@/lib/judge/parity/compared-by'
import type { Db } from '../client'
import { readNextDue, type DueLane } from '../queries/parity-due'
import { checkParity } from './check-parity'
import { InTheWay } from '../give-way'
import { forgetParity } from '../writes/publish/parity-due'

/** One check that nobody waits for. */
export interface CheckOrder {
  projectId: string
  executionId: string
  trigger: CheckTrigger
  failureTag?: string
  /** What its source said when it was asked just now. */
  fetched?: LayerInput[]
}

/** `in-the-way`: others work on it, or wait for it; it is as if it had not begun. `gone`: there is no such execution. */
export type CheckAnswer = 'checked' | 'in-the-way' | 'gone'

/** Checks an execution that nobody waits for. @param signal breaks it off */
export async function checkInTurn(
  db: Pick<Db, 'sql'>,
  { projectId, executionId, fetched = [], ...options }: CheckOrder,
  signal = new AbortController().signal,
): Promise<CheckAnswer> {
  try {
    return (await checkParity(db, [projectId], executionId, {
      ...options,
      fetched: async () => fetched,
      givesWay: signal,
    })) === null
      ? 'gone'
      : 'checked'
  } catch (error) {
    if (error instanceof InTheWay) return 'in-the-way'
    throw error
  }
}

export interface SweepOptions {
  /** Milliseconds of work; the check that goes beyond is the last one, but for one of what has been due longest. */
  budgetMs: number
  /** Milliseconds over which the work is spread by pauses. */
  withinMs: number
  /** Makes one check, here or in another thread. */
  check: (order: CheckOrder) => Promise<CheckAnswer>
  /** Asks the source of an execution for what it holds of it; nobody is asked when left out. */
  fetch?: (projectId: string, executionId: string) => Promise<LayerInput[]>
  pause: (ms: number) => Promise<void>
  failureTag?: string
  /** True when no further check is to begin. */
  isStopped?: () => boolean
  onError?: (error: unknown, executionId: string) => void
  /** Milliseconds of a clock that only goes forward. */
  clock?: () => number
}

export interface Swept {
  checked: number
  gaveWay: number
  workMs: number
}

/** Share of the work that belongs to what has been due longest, however much ends meanwhile. */
const LONGEST_SHARE = 1 / 4
/** Seconds for which an execution is left alone that could not be checked: while others work on it, and when the check itself broke. */
const LATER_SECONDS = 30
const BROKEN_SECONDS = 3_600
/** Pause when others have something to do. */
const BUSY_MS = 1_000

/**
 * Checks what is due until the budget is used up or nothing is due: what has just ended first, the newest before the others, and beside it what has been due
 * longest. What is next is looked up before each check, so that what ends meanwhile does not wait for the rest. Executions of which an analysis is due wait for it.
 */
export async function sweepParity(
  db: Pick<Db, 'sql'>,
  {
    budgetMs,
    withinMs,
    check,
    fetch,
    pause,
    failureTag,
    isStopped = () => false,
    onError = () => {},
    clock = () => performance.now(),
  }: SweepOptions,
): Promise<Swept> {
  const swept: Swept = { checked: 0, gaveWay: 0, workMs: 0 }
  const work: Record<DueLane, number> = { ended: 0, longest: 0 }
  const end = clock() + withinMs
  const isOver = (): boolean =>
    isStopped() || (swept.workMs >= budgetMs && work.longest > 0) || clock() >= end
  while (!isOver()) {
    let lane: DueLane = work.longest < LONGEST_SHARE * swept.workMs ? 'longest' : 'ended'
    let due = await readNextDue(db, lane)
    if (due === null && lane === 'ended') due = await readNextDue(db, (lane = 'longest'))
    if (due === null) break
    const { projectId, executionId, trigger, dueAt, dirty } = due
    const later = (seconds: number) => postpone(db, projectId, executionId, dueAt, seconds)
    if (dirty) {
      await later(LATER_SECONDS)
      continue
    }
    const started = clock()
    const make = async (): Promise<CheckAnswer> =>
      check({ projectId, executionId, trigger, failureTag, fetched: await fetch?.(projectId, executionId) })
    const answer = await make().catch((error: unknown) => (onError(error, executionId), 'broken' as const))
    const millis = clock() - started
    swept.workMs += millis
    work[lane] += millis
    if (answer === 'checked') swept.checked++
    if (answer === 'in-the-way') swept.gaveWay++
    if (answer === 'gone') await db.sql.begin((tx) => forgetParity(tx, projectId, executionId))
    // Also of one that was checked and overtaken by a change: it is still due, but not before all others.
    else await later(answer === 'broken' ? BROKEN_SECONDS : LATER_SECONDS)
    if (!isOver())
      await pause(answer === 'in-the-way' ? BUSY_MS : Math.min(BUSY_MS, millis * (withinMs / budgetMs - 1)))
  }
  return swept
}

/** Unless it was noted anew meanwhile when it is due. */
async function postpone(
  db: Pick<Db, 'sql'>,
  projectId: string,
  executionId: string,
  dueAt: string,
  seconds: number,
): Promise<void> {
  await db.sql`
    update parity_standing set due_at = now() + make_interval(secs => ${seconds}) where project_id = ${projectId} and execution_id = ${executionId} and due_at = ${dueAt}`
}

/** Hours over which the checks are spread that another version of this code makes due. */
const SPREAD_HOURS = 24

/**
 * What was compared by other code than this is due again: another release may derive something else from the same bytes. Each within a day, at a time of its own;
 * what is due sooner stays so.
 */
export async function noteOtherCode(db: Pick<Db, 'sql'>): Promise<void> {
  await db.sql`
    update parity_standing set due_at = date_trunc('milliseconds', now() + random() * make_interval(hours => ${SPREAD_HOURS})), due_for = 'sweep'
    where check_id is not null and compared_by <> ${COMPARED_BY} and (due_at is null or due_at > now() + make_interval(hours => ${SPREAD_HOURS}))`
}
