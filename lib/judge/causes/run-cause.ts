import { oneLine } from '../../text/visible'
import { found, pointerOf, sentence, type CauseFound, type CauseInput } from './cause-found'
import { focusOn } from './focus'
import { openAgentFailures } from '../outcomes/judge-run'
import { decisiveText, quoted, whatHappened, capital } from './phrases'
import type { Advice } from '../../model/execution'
import type { AgentFailure } from '../calls/workflow-calls'
import type { WorkflowRun } from '../calls/workflow-run'

/** The cause of a run that the rows of its engine tell of; undefined where it is that of any other run. */
export function causeOfRun(run: WorkflowRun, input: CauseInput): CauseFound | null | undefined {
  const {
    judgement: { rule },
    work,
  } = input
  if (rule === 'agent_failed_inside') {
    const failure = openAgentFailures(run, work.chains)[0]!
    return found(
      'agent_failure',
      sentence(agentSentence(failure, run), oneLine(failure.message ?? '')),
      failure.pointer,
    )
  }
  if (rule === 'agent_result_missing') {
    const { step, pointer } = run.untold[0]!
    const text = `The run is COMPLETED, but its events do not show how the agent of step ${quoted(oneLine(step), 60)} ended`
    return found('result_unreadable', text, pointer)
  }
  if (rule === 'terminal_row' && input.judgement.outcome === 'failed') {
    // The last failure in time is often a consequence: what failed first and stayed so is where to begin.
    const first = work.calls.find(
      (a) => a.state === 'failed' && !(a.chain !== null && work.chains[a.chain]?.recovered),
    )
    if (first) {
      const text = sentence(`The run failed: ${whatHappened(first)}`, decisiveText(first))
      return found('tool_failure', text, pointerOf(first), focusOn(first, work))
    }
    const { place, row } = run.terminalRow!
    const pointer = { received: place.received, byteStart: place.keptStart, byteEnd: place.keptEnd }
    const text = sentence(
      `${capital(oneLine(row.type))}: the run failed, but no step reports a failure`,
      oneLine(row.error?.text ?? ''),
    )
    return found('unexplained', text, pointer)
  }
  return undefined
}

function agentSentence({ step, childId, code, kind }: AgentFailure, run: WorkflowRun): string {
  const how = code ?? kind
  const named = how === null ? '' : ` (${oneLine(how).slice(0, 40)})`
  const start = `The agent of step ${quoted(oneLine(step), 40)} failed${named}${run.terminal.status === 'COMPLETED' ? ' in a COMPLETED run' : ' and so did the run'}`
  return childId === null ? start : `${start}; see its own run ${oneLine(childId).slice(0, 40)}`
}

/** Kinds of errors that come before any run of the agent. */
const BEFORE_THE_RUN = new Set(['agent.configuration', 'agent.dependency'])

/** What is known of another attempt, and where to look: the envelope of an agent nearly always says no more than that it failed. */
export function adviseOnAgent({
  childId,
  kind,
  message,
}: Pick<AgentFailure, 'childId' | 'kind' | 'message'>): Advice {
  if (kind !== null && BEFORE_THE_RUN.has(kind))
    return {
      retry: 'cannot-help',
      retryBecause: 'The agent never started: the step is misconfigured or a dependency is missing.',
      next:
        `${kind === 'agent.configuration' ? 'Fix the step’s settings' : 'Install what the worker lacks'}` +
        `${message === null ? '' : `: ${quoted(oneLine(message), 120)}`}; then rerun.`,
    }
  return {
    retry: 'unknown',
    retryBecause: 'The agent reported a failure without a reason, so a retry cannot be predicted from here.',
    next:
      childId === null
        ? 'Find the agent’s run by path and time (its ID was not recorded). Its first failed event has the cause.'
        : `Open the agent’s own run, ${oneLine(childId).slice(0, 40)}. Its first failed event has the cause.`,
  }
}
