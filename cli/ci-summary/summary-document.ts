import type { Summary, UnreadRun } from './summary'
import type { CiExecution } from '@/lib/views/attempts/chain'

/** The summary for programs (`--json`). */
export function summaryDocument({
  run,
  job,
  view,
  groups,
  failedElsewhere,
  leftOut,
  url,
  unknown,
  addressOf,
}: Summary): object {
  const executionFields = ({ id, job: own, ciAttempt, outcome, retry, verdict }: CiExecution) => ({
    id,
    job: own,
    attempt: ciAttempt,
    outcome,
    retry,
    ...(verdict === undefined ? {} : { verdict }),
    url: addressOf(id),
  })
  return {
    ciRun: { ...run, job },
    url,
    known: !unknown,
    counts: {
      failed: view.failed.length,
      open: view.open.length,
      succeeded: view.succeeded.length,
      failedInOtherJobs: failedElsewhere,
      leftOut,
    },
    causes: groups.map(({ text, category, executions }) => ({
      text,
      category,
      executions: executions.map(executionFields),
    })),
  }
}

/** The same where the server could not be asked: there are no counts then. */
export const unreadDocument = ({ run, job, url, because }: UnreadRun): object => ({
  ciRun: { ...run, job },
  url,
  known: false,
  counts: null,
  causes: [],
  because,
})
