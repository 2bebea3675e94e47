import { readCiRun } from '@/lib/formats/ci/ci-run'
import type { CiRun } from '@/lib/model/ci-run'
import { ciSummaryText } from '@/lib/words/cli/ci-summary'
import { CliFailure } from './exit-codes'
import type { Environment } from './settings'

/** A CI run that has an address. */
export type FoundCiRun = CiRun & { provider: string; path: string; run: string }

/**
 * The CI run that the environment names.
 *
 * @param settingOf what sets a part that is missing, for the message
 * @throws CliFailure `usage` when the environment names none
 */
export function findCiRun(env: Environment, settingOf: (part: string) => string): FoundCiRun {
  const found = readCiRun(env)
  const missing = (['provider', 'path', 'run'] as const).filter((part) => (found?.[part] ?? null) === null)
  if (missing.length > 0)
    throw new CliFailure(
      'usage',
      `Unknown CI run: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. ` +
        ciSummaryText.notInKnownCi({ missing: missing.map(settingOf) }),
    )
  return found as FoundCiRun
}

/** The variable that sets a part of a run. */
export const ciVariable = (part: string): string => `INQUEST_CI_${part.toUpperCase()}`
