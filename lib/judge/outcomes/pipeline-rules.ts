import type { OutcomeMessages } from '../../model/messages/outcome'
import { messageText } from '../message-text'
import { firstThatHolds, type RuleTable } from '../rule-table'
import { ended, judgementOf, type Ended, type Judgement } from './outcome'
import { brokenTask, type PipelineRun } from './pipeline-run'

const statusOf = ({ record }: PipelineRun): string | null => record?.fact.status ?? null

/** How a run of a pipeline ended: as its own record says. A record that still says running has nothing to say about its end. */
const PIPELINE_RULES: RuleTable<
  PipelineRun,
  Ended,
  Pick<OutcomeMessages, 'run_record' | 'run_record_open' | 'run_record_missing'>
> = [
  {
    id: 'run_record_missing',
    when: ({ record }) => record === null,
    verdict: ended('unknown'),
    params: () => ({}),
  },
  {
    id: 'run_record',
    when: (run) => statusOf(run) === 'failed',
    verdict: (run) =>
      ended('failed', brokenTask(run)?.fact.error?.failure === 'agent_step' ? 'agent' : 'tool'),
    params: (run) => ({ status: 'failed', noFailedTask: brokenTask(run) === null }),
    basis: 'recorded',
  },
  {
    id: 'run_record',
    when: (run) => statusOf(run) === 'passed',
    verdict: ended('succeeded'),
    params: () => ({ status: 'passed', noFailedTask: false }),
    basis: 'recorded',
  },
  {
    id: 'run_record_open',
    when: (run) => statusOf(run) === 'running',
    verdict: ended('unknown'),
    params: ({ record }) => ({
      status: 'running',
      hasEnd: record!.fact.finishedAt !== null,
      pid: record!.fact.pid,
    }),
  },
  {
    id: 'run_record_open',
    when: () => true,
    verdict: ended('unknown'),
    params: (run) => ({ status: messageText(statusOf(run)), hasEnd: null }),
  },
]

/**
 * How a run of a pipeline ended.
 *
 * @see docs/sources/async-pipeline.md
 */
export const judgePipeline = (run: PipelineRun): Judgement =>
  judgementOf(firstThatHolds(PIPELINE_RULES, run)!)
