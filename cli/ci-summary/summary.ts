import type { CiExecutions } from '@/lib/api/decision-schemas'
import { isEmpty, viewCiRun, type CiView } from '@/lib/views/ci/ci-view'
import { links } from '@/lib/links'
import { groupCauses, type CauseGroup } from './group-causes'

/** A CI run that can be asked for. */
export interface NamedRun {
  provider: string
  path: string
  run: string
  attempt: number | null
}

/** What is reported of a CI run, in any format. */
export interface Summary {
  run: NamedRun
  /** The executions of one job, or of all. */
  job: string | null
  view: CiView
  groups: CauseGroup[]
  /** Failures of other jobs, if the summary is of one job. */
  failedElsewhere: number
  /** Executions beyond those that the server lists. */
  leftOut: number
  url: string
  /** Nothing of it has arrived. */
  unknown: boolean
  addressOf(executionId: string): string
}

/** A run of which nothing could be asked. */
export interface UnreadRun {
  run: NamedRun
  job: string | null
  /** Page of the run; null: no server is known. */
  url: string | null
  because: string
}

/**
 * @param base address of the server, as people reach it
 * @param job only what this job did; null: the whole run
 */
export function summarise(found: CiExecutions, run: NamedRun, job: string | null, base: URL): Summary {
  const whole = viewCiRun(found.items, run)
  const mine = <T extends { job: string | null }>(items: T[]): T[] =>
    job === null ? items : items.filter((one) => one.job === job)
  const view = {
    ...whole,
    failed: mine(whole.failed),
    open: mine(whole.open),
    succeeded: mine(whole.succeeded),
  }
  return {
    run,
    job,
    view,
    groups: groupCauses(view.failed),
    failedElsewhere: whole.failed.length - view.failed.length,
    leftOut: found.leftOut,
    url: runAddress(run, base),
    unknown: isEmpty(view),
    addressOf: (id) => absolute(base, links.decided(id)),
  }
}

/** The page of a run, on the server at this address. */
export const runAddress = ({ provider, path, run, attempt }: NamedRun, base: URL): string =>
  absolute(base, links.ciRun(provider, path, run, attempt))

/** An address below that of the server, which may lie below a path of a proxy. */
const absolute = (base: URL, path: string): string =>
  new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base).href
