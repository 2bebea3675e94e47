import { cutAtWord, oneLine } from '../../text/visible'
import type { OutcomeMessages, RowParams, RowsHeldParams } from '../../model/messages/outcome'
import { messageText } from '../message-text'
import { firstThatHolds, type RuleTable } from '../rule-table'
import { ended, judgementOf, type Ended, type Judgement } from './outcome'
import type { Chain, Disagreement } from '../../model/summary'
import type { AgentFailure } from '../calls/workflow-calls'
import type { WorkflowRun } from '../calls/workflow-run'

/** Agents that failed, and whose step did not come to a good end later. A failure that was made good turns no run red. */
export function openAgentFailures({ agentFailures }: WorkflowRun, chains: readonly Chain[]): AgentFailure[] {
  const recovered = new Set(chains.filter((chain) => chain.recovered).flatMap((chain) => chain.failedCallIds))
  return agentFailures.filter(({ callId }) => !recovered.has(callId))
}

interface RunFacts {
  run: WorkflowRun
  /** Agents whose failure stayed. */
  failures: readonly AgentFailure[]
}

type Messages = Pick<
  OutcomeMessages,
  | 'cancelled_row'
  | 'agent_failed_inside'
  | 'terminal_row'
  | 'run_incomplete'
  | 'agent_result_missing'
  | 'end_step_completed'
  | 'batch_completed'
  | 'nothing_terminal'
>

const STEPS_NAMED = 3

const rowOf = ({ terminalRow }: WorkflowRun): RowParams | null =>
  terminalRow && { type: messageText(terminalRow.row.type), eventId: terminalRow.row.eventId }

const rowsHeld = ({ held, total, said, progress }: WorkflowRun): RowsHeldParams => ({
  held,
  total,
  said: messageText(said),
  ...(progress && { progress: { ...progress, step: messageText(progress.step) } }),
})

const incomplete = (run: WorkflowRun): RowsHeldParams | null => (run.complete ? null : rowsHeld(run))

/**
 * How a run of a workflow engine ended. Its server's reading stands, with the rule that decided there, but for what
 * that reading cannot know: that an agent inside failed, which is data to the engine, and that rows are missing.
 */
const RUN_RULES: RuleTable<RunFacts, Ended, Messages> = [
  {
    id: 'cancelled_row',
    when: ({ run }) => run.cancelledRow !== null,
    verdict: ended('cancelled'),
    params: ({ run }) => ({ eventId: run.cancelledRow!.row.eventId }),
    basis: 'recorded',
  },
  {
    id: 'agent_failed_inside',
    when: ({ run, failures }) => failures.length > 0 && run.terminal.status !== 'RUNNING',
    verdict: ended('failed', 'agent'),
    params: ({ run, failures }) => {
      const steps = [...new Set(failures.map(({ step }) => step))]
      return {
        failures: failures.length,
        steps: steps.slice(0, STEPS_NAMED).map((step) => messageText(step)),
        moreSteps: steps.length > STEPS_NAMED,
        status: run.terminal.status,
        row: rowOf(run),
        serverRule: run.terminal.rule,
        incomplete: incomplete(run),
      }
    },
  },
  {
    id: 'terminal_row',
    when: ({ run }) => {
      const isEnd = run.terminalRow !== null && run.terminalRow.row.type !== 'command.failed'
      return run.terminal.status === 'FAILED' && (run.complete || run.hasNewest || isEnd)
    },
    verdict: ended('failed', 'tool'),
    params: ({ run }) => ({ ended: 'failed', row: rowOf(run), incomplete: incomplete(run) }),
    basis: 'recorded',
  },
  {
    id: 'run_incomplete',
    when: ({ run }) => !run.complete,
    verdict: ended('unknown'),
    params: ({ run }) => rowsHeld(run),
  },
  {
    id: 'agent_result_missing',
    when: ({ run }) => run.terminal.status === 'COMPLETED' && run.lostDiagnoses.length > 0,
    verdict: ended('unknown'),
    params: ({ run }) => ({
      serverRule: run.terminal.rule,
      step: messageText(run.lostDiagnoses[0]!.step),
      reference: messageText(run.lostDiagnoses[0]!.reference),
    }),
  },
  {
    id: 'terminal_row',
    when: ({ run }) => run.terminal.rule === 'terminal_row',
    verdict: ended('succeeded'),
    params: ({ run }) => ({ ended: 'succeeded', row: rowOf(run) }),
    basis: 'recorded',
  },
  {
    id: 'end_step_completed',
    when: ({ run }) => run.terminal.rule === 'end_step_completed',
    verdict: ended('succeeded'),
    params: () => ({}),
  },
  {
    id: 'batch_completed',
    when: ({ run }) => run.terminal.rule === 'batch_completed',
    verdict: ended('succeeded'),
    params: () => ({}),
  },
  { id: 'nothing_terminal', when: () => true, verdict: ended('running'), params: () => ({}) },
]

/**
 * How a run of a workflow engine ended.
 *
 * @param failures agents whose failure stayed
 * @see docs/sources/noetl.md
 */
export const judgeRun = (run: WorkflowRun, failures: readonly AgentFailure[]): Judgement =>
  judgementOf(firstThatHolds(RUN_RULES, { run, failures })!)

/** One word for the statuses of runs that mean the same; null for those that claim no end, which disagree with none. */
function endSaid(status: string): string | null {
  const word = status.trim().toUpperCase()
  if (/^(?:COMPLETED?|SUCCESS|OK)$/.test(word)) return 'COMPLETED'
  if (/^(?:FAILED|ERROR)$/.test(word)) return 'FAILED'
  return /^CANCELL?ED$/.test(word) ? 'CANCELLED' : null
}

/**
 * Where the list, the document of the run, the status endpoint, the table of runs and the rows say different ends of one run: who says what, the rows by which
 * rule of their server, and what counts here.
 */
export function statusDisagreements(
  { saidBy, terminal, cancelledRow }: WorkflowRun,
  { outcome, rule }: Judgement,
): Disagreement[] {
  const rows = cancelledRow ? 'CANCELLED' : terminal.status
  const by = cancelledRow ? 'cancelled_row' : terminal.rule
  const values = [
    // The log of a session is another channel than the table of runs beside the event log.
    ...saidBy.map(({ form, status }) => ({
      channel: form === 'log' ? ('table' as const) : form,
      said: cutAtWord(oneLine(status), 100),
      end: endSaid(status),
    })),
    { channel: 'rows' as const, said: `${rows} (${by})`, end: endSaid(rows) },
  ].filter(({ end }) => end !== null)
  if (new Set(values.map(({ end }) => end)).size < 2) return []
  return [
    {
      rule: 'run_status',
      params: {},
      values: values.map(({ channel, said }) => ({ channel, said })),
      used: `${outcome} (${rule})`,
    },
  ]
}
