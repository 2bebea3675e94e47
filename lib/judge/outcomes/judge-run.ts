import { oneLine } from '../../text/visible'
import type { Judgement, OutcomeRule } from './outcome'
import { quoted, some } from '../causes/phrases'
import type { Chain, ExecutionSummary } from '../../model/summary'
import type { AgentFailure } from '../calls/workflow-calls'
import type { WorkflowRun } from '../calls/workflow-run'

/** Agents that failed, and whose step did not come to a good end later. A failure that was made good turns no run red. */
export function openAgentFailures({ agentFailures }: WorkflowRun, chains: readonly Chain[]): AgentFailure[] {
  const recovered = new Set(chains.filter((chain) => chain.recovered).flatMap((chain) => chain.failedCallIds))
  return agentFailures.filter(({ callId }) => !recovered.has(callId))
}

/**
 * How a run of a workflow engine ended. Its server's reading stands, with the rule that decided there, but for what that reading cannot
 * know: that an agent inside failed, which is data to the engine, and that rows are missing.
 *
 * @param failures agents whose failure stayed
 * @see docs/sources/noetl.md
 */
export function judgeRun(run: WorkflowRun, failures: readonly AgentFailure[]): Judgement {
  const { terminal, terminalRow, cancelledRow } = run
  const by = (
    outcome: Judgement['outcome'],
    rule: OutcomeRule,
    because: string,
    failedAt: Judgement['failedAt'] = null,
  ): Judgement => ({
    outcome,
    basis: rule === 'terminal_row' || rule === 'cancelled_row' ? 'recorded' : 'inferred',
    rule,
    because,
    failedAt,
  })
  const row =
    terminalRow === null ? '' : `${oneLine(terminalRow.row.type)} (event ${terminalRow.row.eventId})`
  if (cancelledRow)
    return by(
      'cancelled',
      'cancelled_row',
      `A row says that the run was cancelled (event ${cancelledRow.row.eventId}); its status may call such a run completed.`,
    )
  const missing = run.complete ? '' : ` ${whatIsMissing(run)}`
  if (failures.length > 0 && terminal.status !== 'RUNNING') {
    const steps = [...new Set(failures.map(({ step }) => step))].map((step) => quoted(oneLine(step), 60))
    return by(
      'failed',
      'agent_failed_inside',
      `${some(failures.length, 'agent')} failed inside (${steps.slice(0, 3).join(', ')}${steps.length > 3 ? ', …' : ''}). ` +
        `The run itself reads ${terminal.status}${row === '' ? '' : ` by ${row}`}, rule ${terminal.rule}` +
        `${terminal.status === 'COMPLETED' ? ': to the engine the failure of an agent is data' : ''}.${missing}`,
      'agent',
    )
  }
  const isEnd = terminalRow !== null && terminalRow.row.type !== 'command.failed'
  if (terminal.status === 'FAILED' && (run.complete || run.hasNewest || isEnd))
    return by('failed', 'terminal_row', `The newest row that ends the run is ${row}.${missing}`, 'tool')
  if (!run.complete)
    return by('unknown', 'run_incomplete', `${whatIsMissing(run)} What is missing may say otherwise.`)
  if (terminal.status === 'COMPLETED' && run.untold.length > 0)
    return by(
      'unknown',
      'agent_result_missing',
      `The run reads COMPLETED (${terminal.rule}), but the rows of step ${quoted(oneLine(run.untold[0]!.step), 60)} ` +
        `do not hold how its agent ended: ${whereResultIs(run.untold[0]!.reference)}.`,
    )
  switch (terminal.rule) {
    case 'terminal_row':
      return by(
        'succeeded',
        'terminal_row',
        `The newest row that ends the run is ${row}, and no agent inside failed.`,
      )
    case 'end_step_completed':
      return by(
        'succeeded',
        'end_step_completed',
        'No row ends the run; its newest row is that its last step, “end”, completed.',
      )
    case 'batch_completed':
      return by(
        'succeeded',
        'batch_completed',
        'No row ends the run; its newest row is that a batch completed, and no command is open.',
      )
    default:
      return by(
        'running',
        'nothing_terminal',
        'No row ends the run, and nothing in the newest one lets an end be inferred.',
      )
  }
}

const whereResultIs = (reference: string | null): string =>
  reference === null
    ? 'it was not waited for, or what it returned was dropped'
    : `what it returned is kept elsewhere (${oneLine(reference).slice(0, 120)}), where nobody looked`

/** What is known of the rows that are not here. */
export function whatIsMissing({ held, total, said }: WorkflowRun): string {
  const count =
    total === null
      ? `${some(held, 'row')} of the run are here, and nothing says that these are all`
      : `${held} of ${some(total, 'row')} of the run are here`
  return `${count}${said === null ? '' : `; its server calls it ${oneLine(said).slice(0, 40)}`}.`
}

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
): ExecutionSummary['disagreements'] {
  const rows = cancelledRow ? 'CANCELLED' : terminal.status
  const by = cancelledRow ? 'cancelled_row' : terminal.rule
  const values = [
    // The log of a session is another door than the table of runs beside the event log.
    ...saidBy.map(({ form, status }) => ({
      door: form === 'log' ? ('table' as const) : form,
      said: oneLine(status).slice(0, 100),
      end: endSaid(status),
    })),
    { door: 'rows' as const, said: `${rows} (${by})`, end: endSaid(rows) },
  ].filter(({ end }) => end !== null)
  if (new Set(values.map(({ end }) => end)).size < 2) return []
  return [
    {
      fact: 'status of the run',
      values: values.map(({ door, said }) => ({ door, said })),
      used: `${outcome} (${rule})`,
    },
  ]
}
