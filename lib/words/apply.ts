import type { ApplyNote, ApplyStepName } from '../model/apply-steps'

/** What each step of applying a patch by hand is for. */
export const APPLY_STEP_WORDS: Record<ApplyStepName, string> = {
  download: 'In the repository: download it outside the work tree and check its digest',
  branch: 'Start from a clean tree on a new branch',
  check: 'Check that it applies',
  apply: 'Apply it',
  compare: 'Compare with the files listed here',
  run: 'Run the task that failed again',
}

/** Below the command of a step. */
export const APPLY_NOTE_WORDS: Record<ApplyNote, string> = {
  scope: 'The key needs the scope read. “OK” means the download matches the proposed patch.',
  'base-unknown': 'The base commit is unknown. Start where the failure happened.',
  'async-pipeline': 'For tasks of async-pipeline. Then report the result here.',
}
