/** How a CI system says that a step ended. */
export const STEP_CONCLUSIONS = ['failure', 'success', 'cancelled', 'skipped'] as const
export type StepConclusion = (typeof STEP_CONCLUSIONS)[number]

const SPELLED: Readonly<Record<string, StepConclusion>> = { failed: 'failure', canceled: 'cancelled' }

/**
 * The conclusion that a word names, in the spelling of any CI system (GitLab: `failed`, `canceled`).
 *
 * @returns null for an empty word, which a CI system gives for a step that never came; undefined for any other
 */
export function readStepConclusion(word: string): StepConclusion | null | undefined {
  const plain = word.trim().toLowerCase()
  if (plain === '') return null
  return STEP_CONCLUSIONS.find((one) => one === plain) ?? SPELLED[plain]
}
