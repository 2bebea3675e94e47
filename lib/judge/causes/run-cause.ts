import { oneLine } from '../../text/visible'
import { openAgentFailures } from '../outcomes/judge-run'
import { messageText } from '../message-text'
import { focusOn } from './focus'
import {
  blamed,
  causeBy,
  pointerOf,
  quotedCall,
  wholeOf,
  type CauseFound,
  type CauseInput,
  type CauseTable,
} from './cause-found'
import type { AgentFailure } from '../calls/workflow-calls'
import type { WorkedCall } from '../calls/merge-calls'
import type { WorkflowRun } from '../calls/workflow-run'

interface RunFacts extends CauseInput {
  run: WorkflowRun
  /** The last failure in time is often a consequence: what failed first and stayed so is where to begin. */
  firstFailed: WorkedCall | undefined
}

const agentOf = ({ run, work }: RunFacts): AgentFailure => openAgentFailures(run, work.chains)[0]!
const failedByRow = ({ judgement: { rule, outcome } }: RunFacts): boolean =>
  rule === 'terminal_row' && outcome === 'failed'

/** Causes of a run that the rows of its engine tell of; without one the cause is that of any other run. */
const RUN_CAUSES: CauseTable<
  RunFacts,
  'agent_failed' | 'agent_end_missing' | 'step_failed' | 'no_failed_step'
> = [
  {
    id: 'agent_failed',
    when: ({ judgement }) => judgement.rule === 'agent_failed_inside',
    verdict: blamed('agent_failure'),
    params: (facts) => {
      const { step, childId, code, kind, message } = agentOf(facts)
      return {
        step: messageText(step),
        code: messageText(code ?? kind),
        childId: messageText(childId),
        runCompleted: facts.run.terminal.status === 'COMPLETED',
        error: messageText(oneLine(message ?? '')),
      }
    },
    pointer: (facts) => agentOf(facts).pointer,
  },
  {
    id: 'agent_end_missing',
    when: ({ judgement }) => judgement.rule === 'agent_result_missing',
    verdict: blamed('result_unreadable'),
    params: ({ run }) => ({ step: messageText(run.lostDiagnoses[0]!.step) }),
    pointer: ({ run }) => run.lostDiagnoses[0]!.pointer,
  },
  {
    id: 'step_failed',
    when: (facts) => failedByRow(facts) && facts.firstFailed !== undefined,
    verdict: ({ firstFailed, work }) => blamed('tool_failure', focusOn(firstFailed!, work)),
    params: ({ firstFailed }) => quotedCall(firstFailed!),
    pointer: ({ firstFailed }) => pointerOf(firstFailed!),
  },
  {
    id: 'no_failed_step',
    when: failedByRow,
    verdict: blamed('unexplained'),
    params: ({ run: { terminalRow } }) => ({
      row: messageText(terminalRow!.row.type),
      error: messageText(oneLine(terminalRow!.row.error?.text ?? '')),
    }),
    pointer: ({ run }) => wholeOf(run.terminalRow!.place),
  },
]

/** The cause of a run that the rows of its engine tell of; null where it is that of any other run. */
export function causeOfRun(run: WorkflowRun, input: CauseInput): CauseFound | null {
  const { calls, chains } = input.work
  const firstFailed = calls.find(
    (a) => a.state === 'failed' && !(a.chain !== null && chains[a.chain]?.recovered),
  )
  return causeBy(RUN_CAUSES, { ...input, run, firstFailed }, input)
}
