import type { CiStepFact } from '../../model/run-facts'
import type { WithEvidence } from '../../model/summary'
import type { OutcomeMessages } from '../../model/messages/outcome'
import { blamedOnRun, type CauseInput, type CauseTable } from './cause-found'

export interface StepFacts extends CauseInput {
  ciStep: WithEvidence<CiStepFact>
}

const pointer = ({ ciStep }: StepFacts) => ciStep.pointer

/** Causes of executions that the end of their CI step decides: the records of the agent hold none. */
export const STEP_CAUSES: CauseTable<StepFacts, 'ci_step_failed' | 'ci_step_cancelled'> = [
  {
    id: 'ci_step_failed',
    when: ({ judgement }) => judgement.rule === 'ci_step_failed',
    verdict: blamedOnRun('process'),
    params: ({ judgement }) => judgement.params as OutcomeMessages['ci_step_failed'],
    pointer,
  },
  {
    id: 'ci_step_cancelled',
    when: ({ judgement }) => judgement.rule === 'ci_step_cancelled',
    verdict: blamedOnRun('interruption'),
    params: () => ({}),
    pointer,
  },
]
