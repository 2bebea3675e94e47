import type { Aftermath, Aftermaths, FailureSummaries, FailureSummary } from '../model/messages/failures'
import type { WorkBetween } from '../model/messages/run-retry'
import { cutAtWord } from '../text/visible'
import { textOf, type Catalogue } from './catalogue'
import { taskFailureWords } from './failed-task'
import { capital, count, failedRequests, quoted, whatHappened, withQuote } from './phrases'
import { workBetweenWords } from './work-between'

const CALLS_CHARS_MAX = 220
const TASK_CHARS_MAX = 240
const QUOTE_CHARS_MIN = 24

/** What failed, for a list. */
export const FAILURE_SUMMARY_WORDS: Catalogue<FailureSummaries> = {
  calls_failed: ({ call, failed, targets, error }) => {
    const alike =
      failed === 1
        ? ''
        : ` (${count(failed)} similar calls${targets === null ? '' : `, ${count(targets)} targets`})`
    const start = `${capital(whatHappened(call))}${alike}`
    const room = Math.max(CALLS_CHARS_MAX - start.length - 2, QUOTE_CHARS_MIN)
    return cutAtWord(error === '' ? start : `${start}: ${quoted(error, room)}`, CALLS_CHARS_MAX)
  },
  requests_failed: ({ requests, ...common }) => `${capital(failedRequests(requests, common))} failed`,
  task_failed: ({ error, ...task }) => withQuote(taskFailureWords(task), error, TASK_CHARS_MAX),
}

export const failureSummaryWords = (what: FailureSummary): string => textOf(FAILURE_SUMMARY_WORDS, what)

const each = (members: number): string => (members === 1 ? '' : members === 2 ? 'both ' : 'all ')
const byCall = (number: number | null, inferred = false): string => {
  const facts = [...(number === null ? [] : [`call ${count(number)}`]), ...(inferred ? ['inferred'] : [])]
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`
}
const between = (work: WorkBetween | null): string =>
  work === null ? '' : `; between them: ${workBetweenWords(work)}`
const made = (writer: number | null): string =>
  writer === null ? '' : `; call ${count(writer)} names the same file and may have made the change`

/** What became of it, in the terms of the counts. */
export const AFTERMATH_WORDS: Catalogue<Aftermaths> = {
  fixed_on_retry: ({ members, number, between: work }) =>
    `${each(members)}fixed on retry${byCall(number)}${between(work)}`,
  worked_around: ({ members, number }) => `${each(members)}worked around${byCall(number, true)}`,
  retry_without_result: ({ writer }) => `its retry has no result${made(writer)}`,
  not_comparable: ({ writer }) => `unclear if retried${made(writer)}`,
  all_attempts_failed: ({ attempts, writer }) => `${count(attempts)} attempts, all failed${made(writer)}`,
  not_retried: ({ members, writer }) => `${members > 1 ? 'none retried' : 'not retried'}${made(writer)}`,
  mixed: ({ fixed, workedAround, unresolved, writer }) => {
    const parts = [
      ...(fixed === 0 ? [] : [`${count(fixed)} fixed on retry`]),
      ...(workedAround === 0 ? [] : [`${count(workedAround)} worked around (inferred)`]),
      ...(unresolved === 0
        ? []
        : [`${count(unresolved)} ${fixed + workedAround > 0 ? 'unresolved' : 'not fixed on retry'}`]),
    ]
    return `${parts.join(', ')}${made(writer)}`
  },
  run_continued: () => 'the run continued',
  nothing_followed: () => 'nothing followed',
  task_never_passed: () => 'the task never passed',
}

export const aftermathWords = (ended: Aftermath): string => textOf(AFTERMATH_WORDS, ended)
