import { importText } from '@/lib/words/cli/import'
import { runAddress } from '../ci-summary/summary'
import { ciVariable, findCiRun } from '../find-ci-run'
import type { Output } from '../output'
import { readAddress } from '../settings'
import type { Environment } from '../settings'
import type { CiStep } from './send-ci-step'

/** The job that imports. The page of its run is told before anything is sent, and so also where nothing can be. */
export function nameCiStep(conclusion: string | null, env: Environment, output: Output): CiStep {
  const ci = findCiRun(env, ciVariable)
  const base = readAddress(env)
  const url = base && runAddress(ci, base)
  if (url !== null) output.line(importText.ciRunPage({ url }))
  output.record({ ciRun: { ...ci, url } })
  return { ci, conclusion }
}
