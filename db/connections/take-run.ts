import { fetchFailure, type FetchFailure } from '@/lib/connections/failures'
import { isEnded, type RunPage } from '@/lib/formats/noetl/connection-documents'
import type { NoetlServer } from './noetl-server'
import type { RunStanding } from './run-standing'
import type { SaidOfRun } from './said-of-run'

export interface TakeRun {
  server: NoetlServer
  /** Takes in a document as it came. @param more other documents of the run follow */
  take: (bytes: Uint8Array, more: boolean) => Promise<void>
  /** What else the server says of a run of which its document says this. */
  said: (run: RunStanding, status: string | null, again: boolean) => Promise<SaidOfRun>
  /** Stores how far the run has come: after each page that was taken. */
  save: (run: RunStanding, look: number | null | 'due') => Promise<void>
  /** Whether there is time for another page. */
  goesOn: () => boolean
}

/** A run that has ended is looked at once more after so long: rows can come late, and a failed command can be tried again. */
const SECOND_LOOK_MS = 5 * 60_000

/**
 * Takes in what a run has that is not taken yet, page by page, the newest rows first. It can end after any page and go on there: rows that came
 * meanwhile only move those that are missing to later pages.
 *
 * @returns why the server did not give it, `later` when time was over, or null
 */
export async function takeRun(known: RunStanding, how: TakeRun): Promise<FetchFailure | 'later' | null> {
  const { server, take, said, save, goesOn } = how
  let run = known
  const takeSaid = async (
    status: string | null,
    { again, more }: { again: boolean; more: boolean },
  ): Promise<void> => {
    const found = await said(run, status, again)
    for (const [i, document] of found.documents.entries())
      await take(Buffer.from(document), more || i < found.documents.length - 1)
    run = found.run
  }
  if (run.walk === null && run.ended && run.takenTo !== null) {
    const glance = await server.run(run.runId, { rows: GLANCE_ROWS })
    if (!glance.ok) return glance.failure.status === 404 ? gone(run, save) : glance.failure
    if (isUnchanged(run, glance.page)) {
      await takeSaid(glance.page.status, { again: false, more: false })
      await save({ ...run, failures: 0 }, null)
      return null
    }
    // Rows can have come that are older than those that are known: all pages again.
    if (glance.page.total !== null && glance.page.total !== run.takenRows)
      run = { ...run, takenTo: null, takenRows: null }
  }
  /** Of the page before. */
  let newestBefore: bigint | null = null
  for (;;) {
    const walk = run.walk ?? { page: 1, since: run.takenTo, newest: null, total: null }
    const answer = await server.run(run.runId, walk)
    if (!answer.ok) return answer.failure.status === 404 ? gone(run, save) : answer.failure
    const { page, bytes } = answer
    const isFirst = walk.page === 1
    // Pages go from the newest rows to the oldest. One that begins where the page before began is that page again, and so would the next one be.
    if (!isFirst && newestBefore !== null && page.newest !== null && page.newest >= newestBefore)
      return fetchFailure('same_page', { id: 'rows_page_repeats', params: { page: walk.page } })
    newestBefore = page.newest
    const seen = {
      ...walk,
      newest: isFirst ? laterId(page.newest, walk.since) : walk.newest,
      total: isFirst ? page.total : walk.total,
    }
    // A server without pages sends the same again: only what changed is taken.
    const hasNew =
      page.rows > 0 && (walk.since === null || page.newest === null || page.newest > BigInt(walk.since))
    const isNew = hasNew || page.status !== run.status
    const isLast = !page.hasNext || page.rows === 0
    // Rows that came while its pages were fetched are before the first of them.
    const ended = isLast && isEnded(page.status) && page.total === seen.total
    // Before its last page: the analysis of a run waits for that.
    if (isLast) await takeSaid(page.status, { again: ended, more: isNew })
    if (isNew) await take(bytes, page.hasNext)
    if (isLast) {
      const done = {
        ...run,
        status: page.status,
        ended,
        walk: null,
        failures: 0,
        takenTo: seen.newest,
        quiet: isNew ? 0 : run.quiet + 1,
        takenRows: seen.total === null ? null : seen.total + (walk.since === null ? 0 : (run.takenRows ?? 0)),
      }
      await save(done, ended ? SECOND_LOOK_MS : restMs(done.quiet))
      return null
    }
    run = { ...run, status: page.status, walk: { ...seen, page: walk.page + 1 } }
    await save(run, 'due')
    if (!goesOn()) return 'later'
  }
}

/** Looks at an open run that follow one another at each poll, though nothing is new. */
const QUIET_FREE = 5
const REST_MS_MAX = 15 * 60_000
/** Behind the poll that is at work. */
const NEXT_POLL_MS = 100
const restMs = (quiet: number): number =>
  quiet <= QUIET_FREE ? NEXT_POLL_MS : Math.min(REST_MS_MAX, 30_000 * 2 ** Math.min(quiet - QUIET_FREE, 20))

/** The fewest that a server gives. */
const GLANCE_ROWS = 10

const isUnchanged = (run: RunStanding, page: RunPage): boolean =>
  page.status === run.status &&
  (page.newest === null ? null : String(page.newest)) === run.takenTo &&
  (page.total === null || page.total === run.takenRows)

const laterId = (newest: bigint | null, since: string | null): string | null =>
  newest === null || (since !== null && newest <= BigInt(since)) ? since : String(newest)

/** The server has forgotten it; what was taken stays. */
async function gone(run: RunStanding, save: TakeRun['save']): Promise<null> {
  await save({ ...run, status: 'gone', ended: true, walk: null, failures: 0 }, null)
  return null
}
