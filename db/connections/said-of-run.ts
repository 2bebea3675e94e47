import { isEnded, withAskedAt } from '@/lib/formats/noetl/connection-documents'
import type { FetchFailure } from '@/lib/connections/failures'
import type { NoetlServer } from './noetl-server'
import type { RunStanding } from './run-standing'

export interface SaidOfRun {
  /** Documents to take in. */
  documents: string[]
  /** As it is once they are. */
  run: RunStanding
}

export interface SayingServer {
  server: Pick<NoetlServer, 'status'>
  /** ISO. */
  now: () => string
  /** The status endpoint failed for a run, which keeps nothing of it out. */
  onFailure: (runId: string, failure: FetchFailure) => void
}

/** Statuses of a server that has no such endpoint. */
const NOT_THERE = new Set([404, 405, 410, 501])
/** Runs in a row whose status could not be asked, after which no other is asked for in this poll. */
const FAILED_MAX = 3

/**
 * What a server says of a run beside its document. Its status endpoint is asked once, when the list or the document says that the run has ended, and again only when
 * the document says something else. The entry of the list is taken where it names another end than the document, and from then on each time it changes.
 *
 * @returns to be called for each run of a poll, with what its document says. `again`: it will be looked at again, so what failed now can wait
 */
export function saidOfRuns({
  server,
  now,
  onFailure,
}: SayingServer): (run: RunStanding, status: string | null, again: boolean) => Promise<SaidOfRun> {
  let failed = 0
  return async (run, status, again) => {
    const documents: string[] = []
    let { statusAsked, listedTaken } = run
    const { listed } = run
    const isOther =
      listed !== null &&
      listed.status !== listedTaken &&
      (listedTaken !== null || (isEnded(listed.status) && listed.status !== status))
    if (isOther) {
      documents.push(withAskedAt(listed.entry, listed.at))
      listedTaken = listed.status
    }
    const asksFor = status ?? ''
    if (statusAsked !== asksFor && (isEnded(status) || isEnded(listed?.status ?? null))) {
      const answer = failed < FAILED_MAX ? await server.status(run.runId) : null
      const failure =
        answer === null || answer.ok || NOT_THERE.has(answer.failure.status ?? 0) ? null : answer.failure
      if (answer?.ok) documents.push(withAskedAt(answer.text, now()))
      if (failure !== null) onFailure(run.runId, failure)
      if (answer !== null) failed = failure === null ? 0 : failed + 1
      if ((answer !== null && failure === null) || !again) statusAsked = asksFor
    }
    return { documents, run: { ...run, statusAsked, listedTaken } }
  }
}
