import type { Outcome } from '../../model/execution'
import type { IngestKind } from '../../model/ingest-kinds'
import type { StepEndMessages } from '../../model/messages/step-end'
import type { RunResultFact } from '../../model/run-facts'
import type { StepConclusion } from '../../model/step-conclusion'
import { firstThatHolds, type RuleTable, type Verdict } from '../rule-table'

/** What is known of a step and of the file that it left. */
export interface StepEndFacts {
  /** Null: nobody told. */
  conclusion: StepConclusion | null
  /** `list`: all records of a run as one JSON list, which is written when the run has ended. `torn`: its end may be cut off. */
  file: 'missing' | 'empty_list' | 'list' | 'torn' | 'other'
  /** Null where there is no file. */
  kind: IngestKind | null
  /** The verdict on the execution, in which the end of its step counts already (`ci-step.ts`); null: the file holds none. */
  judged: { outcome: Outcome; rule: string } | null
  result: Pick<RunResultFact, 'numTurns'> | null
}

const isClaude = ({ kind }: StepEndFacts): boolean => kind === 'claude-stream'
const isRule = ({ judged }: StepEndFacts, rule: string): boolean => judged?.rule === rule
const failed = ({ judged }: StepEndFacts): boolean =>
  judged?.outcome === 'failed' || judged?.outcome === 'retriable'

/**
 * What the end of a step says beside its file (more-agents §2): what the reason may be, and what has no execution to be said of. The verdict is
 * whether somebody should look. Where the file itself says why the step failed, no rule holds.
 */
const STEP_END_RULES: RuleTable<StepEndFacts, boolean, StepEndMessages> = [
  {
    id: 'file_missing',
    when: ({ file }) => file === 'missing',
    verdict: ({ conclusion }) => conclusion === 'failure',
    params: ({ conclusion }) => ({ conclusion, reasons: MISSING[conclusion ?? 'untold'] }),
  },
  {
    id: 'no_messages',
    when: ({ file }) => file === 'empty_list',
    verdict: true,
    params: () => ({ reasons: ['died_at_start'] }),
  },
  {
    id: 'no_result',
    when: (step) =>
      isClaude(step) && step.file === 'list' && step.result === null && !isRule(step, 'ci_step_cancelled'),
    verdict: true,
    params: () => ({ reasons: ['died', 'stream_ended'] }),
  },
  {
    id: 'step_failed',
    when: (step) => isRule(step, 'ci_step_failed'),
    verdict: true,
    params: (step) => ({
      turns: step.result?.numTurns ?? null,
      reasons: !isClaude(step)
        ? ['later_part']
        : step.result === null
          ? step.file === 'torn'
            ? []
            : ['died', 'stream_ended']
          : ['turn_limit', 'structured_output', 'later_part', 'earlier_file'],
    }),
  },
  {
    id: 'cancelled_after_success',
    when: ({ conclusion, judged }) => conclusion === 'cancelled' && judged?.outcome === 'succeeded',
    verdict: true,
    params: (step) => ({ reasons: isClaude(step) ? ['hung_after_result'] : [] }),
  },
  {
    id: 'passed_after_failure',
    when: (step) => step.conclusion === 'success' && failed(step),
    verdict: true,
    params: (step) => ({ reasons: isClaude(step) ? ['error_ignored'] : [] }),
  },
]

const MISSING: Record<StepConclusion | 'untold', StepEndMessages['file_missing']['reasons']> = {
  failure: ['not_started', 'died_without_file'],
  cancelled: ['stopped_early'],
  success: ['nothing_to_do'],
  skipped: ['nothing_to_do'],
  untold: ['stopped_early', 'not_started', 'nothing_to_do'],
}

/** @returns null where the end of the step adds nothing to what its file says */
export const judgeStepEnd = (step: StepEndFacts): Verdict<boolean, StepEndMessages> | null =>
  firstThatHolds(STEP_END_RULES, step)
