import { readCiRun } from '@/lib/formats/ci/ci-run'
import { isRetriedByJob } from '@/lib/views/ci/ci-view'
import { importText } from '@/lib/words/cli/import'
import { writeJobFile } from '../ci-summary/job-file'
import { runAddress } from '../ci-summary/summary'
import { conclusionIn } from '../explain/conclusion-in'
import { annotationsOf, INERT } from '../explain/inert'
import { ciVariable, findCiRun } from '../find-ci-run'
import type { Output } from '../output'
import { readAddress } from '../settings'
import type { Environment } from '../settings'
import type { CiStep } from './send-ci-step'

/**
 * The job that imports. The page of its run is told before anything is sent, and so also where nothing can be: in the log, and on GitHub as the
 * output `url` and in the summary.
 */
export function nameCiStep(conclusion: string | null | undefined, env: Environment, output: Output): CiStep {
  const ci = findCiRun(env, ciVariable)
  const base = readAddress(env)
  // Where each job counts its own attempts, the number of this job says nothing about the others.
  const url = base && runAddress(isRetriedByJob(ci.provider) ? { ...ci, attempt: null } : ci, base)
  if (url !== null) {
    output.line(importText.ciRunPage({ url }))
    if (ci.provider === 'github') {
      if (env.GITHUB_OUTPUT) writeJobFile(env.GITHUB_OUTPUT, `url=${url}\n`, 'append')
      if (env.GITHUB_STEP_SUMMARY)
        writeJobFile(env.GITHUB_STEP_SUMMARY, `${importText.ciRunSummary({ url })}\n\n`, 'append')
    }
  }
  output.record({ ciRun: { ...ci, url } })
  return {
    ci,
    conclusion: conclusion === undefined ? conclusionIn(env) : conclusion || null,
    step: env.GITHUB_ACTION || null,
  }
}

/** An output whose lines do nothing in the log of the job: they name files, and say what is in them. */
export function inertIn(env: Environment, output: Output): Output {
  const inert = INERT[annotationsOf(undefined, readCiRun(env))]
  return { ...output, line: (text) => output.line(inert(text)), note: (text) => output.note(inert(text)) }
}
