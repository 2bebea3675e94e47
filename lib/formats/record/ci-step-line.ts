import type { CiRun } from '../../model/ci-run'

/** The CI job whose step ran an agent. */
export interface CiStep {
  /** Null: no CI run is known. */
  ci: CiRun | null
  /** How the step ended; null: unknown. */
  conclusion: string | null
}

/** A document that says which CI run an execution was part of, and how its step ended. Sent again it adds nothing. */
export const ciStepLine = (executionKey: string, { ci, conclusion }: CiStep): string =>
  `${JSON.stringify({ type: 'record.ci', version: 1, executionKey, ci: ci ?? {}, conclusion })}\n`

/** Executions that are no part of another one: what a sub-agent did is on the page of its parent. */
export const withoutParts = (keys: Iterable<string>): string[] => {
  const all = new Set(keys)
  const isPart = (key: string): boolean => {
    for (let at = key.lastIndexOf('/'); at > 0; at = key.lastIndexOf('/', at - 1))
      if (all.has(key.slice(0, at))) return true
    return false
  }
  return [...all].filter((key) => !isPart(key))
}
