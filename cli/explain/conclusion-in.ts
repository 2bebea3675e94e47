import { readStepConclusion, type StepConclusion } from '@/lib/model/step-conclusion'
import { explainText } from '@/lib/words/cli/explain'
import { CliFailure } from '../exit-codes'
import type { Environment } from '../settings'

/** How the step ended, as the environment says; null: it does not. @throws CliFailure */
export function conclusionIn(env: Environment): StepConclusion | null {
  const word = env.INQUEST_STEP_CONCLUSION ?? ''
  const conclusion = readStepConclusion(word)
  if (conclusion === undefined) throw new CliFailure('usage', explainText.badConclusion({ word }))
  return conclusion
}
