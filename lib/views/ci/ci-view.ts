import type { CiGroup } from '../../model/ci-run'
import type { Outcome } from '../../model/execution'
import type { CiExecution } from '../attempts/chain'

/** Outcomes that make a CI run worth a look. */
export const FAILED_OUTCOMES = ['failed', 'retriable', 'interrupted'] as const satisfies Outcome[]
export const isFailed = ({ outcome }: Pick<CiExecution, 'outcome'>): boolean =>
  (FAILED_OUTCOMES as readonly string[]).includes(outcome)

/** One try of a CI run, as the provider counts. */
export interface CiAttempt {
  attempt: number
  executions: number
  failed: number
}

/** Providers that attempt single jobs again, and count for each job: there the newest attempt of every job makes the run. */
const RETRIED_BY_JOB = new Set(['buildkite'])
export const isRetriedByJob = (provider: string): boolean => RETRIED_BY_JOB.has(provider)

/** A CI run as it is shown: one attempt, in the groups of its page. */
export interface CiView {
  /** The attempt that is shown; null when none of its executions names one, when each job shows its newest, or when nothing was asked for nor came. */
  attempt: number | null
  /** Attempts of which anything has arrived, newest first. */
  attempts: CiAttempt[]
  failed: CiExecution[]
  /** Neither failed nor succeeded: running, cancelled, or with an end that nobody knows. */
  open: CiExecution[]
  succeeded: CiExecution[]
}

/**
 * Sorts the executions of a CI run into one attempt and its groups; the order within them stays. What names no attempt is in each of them.
 *
 * @param items executions of all attempts of the run
 * @param asked its provider, and the attempt to show; null: the newest of which anything has arrived, of each job where jobs are tried one by one
 */
export function viewCiRun(
  items: readonly CiExecution[],
  asked: { provider: string; attempt: number | null },
): CiView {
  const numbers = [...new Set(items.flatMap(({ ciAttempt }) => ciAttempt ?? []))].sort((a, b) => b - a)
  const byJob = asked.attempt === null && isRetriedByJob(asked.provider)
  const attempt = byJob ? null : (asked.attempt ?? numbers[0] ?? null)
  const of = (n: number | null): CiExecution[] =>
    items.filter(({ ciAttempt }) => ciAttempt === n || ciAttempt === null)
  const shown = byJob ? newestOfJobs(items) : of(attempt)
  return {
    attempt,
    attempts: numbers.map((n) => ({
      attempt: n,
      executions: of(n).length,
      failed: of(n).filter(isFailed).length,
    })),
    failed: shown.filter(isFailed),
    open: shown.filter((one) => !isFailed(one) && one.outcome !== 'succeeded'),
    succeeded: shown.filter(({ outcome }) => outcome === 'succeeded'),
  }
}

function newestOfJobs(items: readonly CiExecution[]): CiExecution[] {
  const newest = new Map<string | null, number>()
  for (const { job, ciAttempt } of items) newest.set(job, Math.max(newest.get(job) ?? 0, ciAttempt ?? 0))
  return items.filter(({ job, ciAttempt }) => ciAttempt === null || ciAttempt === newest.get(job))
}

/** Where an execution stands: its group, and its place there. Outside of all groups it is in none. */
export function placeOf(
  { failed, open, succeeded }: CiView,
  id: string | undefined,
): { group: CiExecution[]; place: number; kind: CiGroup } {
  const group = [failed, open, succeeded].find((items) => items.some((one) => one.id === id)) ?? []
  return {
    group,
    place: group.findIndex((one) => one.id === id),
    kind: group === failed ? 'failed' : group === open ? groupOfOpen(open) : 'succeeded',
  }
}

/** What those are that neither failed nor succeeded. */
export const groupOfOpen = (open: readonly CiExecution[]): CiGroup =>
  open.every(({ outcome }) => outcome === 'running') ? 'running' : 'open'

/** Whether anything of the shown attempt has arrived. */
export const isEmpty = ({ failed, open, succeeded }: CiView): boolean =>
  failed.length + open.length + succeeded.length === 0

/** The failure that the address of the run opens by itself, since there is no other; null when there is something to choose from, or nothing. */
export const onlyFailure = ({ failed }: CiView): CiExecution | null =>
  failed.length === 1 ? failed[0]! : null

/** What is open beside the list: what the address asks for, else the first failure, else the first whose end is not a success. */
export function openedOf({ failed, open, succeeded }: CiView, asked: string | null): CiExecution | null {
  return [...failed, ...open, ...succeeded].find(({ id }) => id === asked) ?? failed[0] ?? open[0] ?? null
}
