import { capText } from '../../text/cap-text'
import { NO_INPUT } from '../../model/same-input'
import { decisiveLine } from '../../text/decisive-line'
import type { HeldCall, HeldResult } from './merge-calls'
import { pointerTo } from './merge-streams'
import type { Pointer } from '../../model/execution'
import { readCommands, type Command, type HeldRow } from './workflow-commands'
import { readWorks, type CommandWork } from './workflow-attempts'
import type { CallFact, ResultFact } from '../../model/event-facts'
import type { FailureSign } from '../../model/failure-signs'
import type { CommandFact } from '../../model/workflow-facts'

/** An agent that a step of the run called, and that failed. */
export interface AgentFailure {
  callId: string
  step: string
  /** The run of the agent; null when none was started, or none is named. */
  childId: string | null
  kind: string | null
  code: string | null
  message: string | null
  pointer: Pointer
}

export interface WorkflowCalls {
  calls: HeldCall[]
  results: HeldResult[]
  /** Child runs by the call that started them. */
  children: Map<string, string>
  agentFailures: AgentFailure[]
  /** Steps that called an agent and have ended, with nothing in their rows of how the agent ended; `reference`: where the rows say that it is kept. */
  lostDiagnoses: { step: string; reference: string | null; pointer: Pointer }[]
  /** Commands that have not ended. */
  pending: number
}

/**
 * The calls of a run: a command from its issue to its end, each with the rows of its step. Rows of the tables name their command. Those of
 * the API name their step alone, so of several commands of one step that are open at once the oldest is taken to be answered first.
 *
 * @param rows in the order of their ids
 * @param commandFacts what the table of commands says of them
 */
export function readCalls(
  rows: readonly HeldRow[],
  commandFacts: readonly CommandFact[] = [],
): WorkflowCalls {
  const commands = readCommands(rows)
  const loops = new Set(
    rows.flatMap(({ row }) => (row.type.startsWith('loop.') && row.node !== null ? [row.node] : [])),
  )
  const read: WorkflowCalls = {
    calls: [],
    results: [],
    children: new Map(),
    agentFailures: [],
    lostDiagnoses: [],
    pending: 0,
  }
  const works = readWorks(commands, commandFacts, loops)
  for (const command of commands) readCommand(command, works.get(command)!, read)
  return read
}

function readCommand(
  { id, step, first, rows, ended }: Command,
  { target, counted }: CommandWork,
  read: WorkflowCalls,
): void {
  const span = { start: 0, end: first.place.keptEnd - first.place.keptStart }
  const call: CallFact = { callId: id, tool: step, target, inputDigest: NO_INPUT, span }
  read.calls.push({ place: first.place, call, ...(counted && { counted }) })
  if (!ended && !rows.some(({ row }) => row.type === 'step.exit')) read.pending++
  const child = rows.flatMap(({ row }) => row.agent?.executionId ?? [])[0]
  if (child !== undefined) read.children.set(id, child)
  const agent = rows.find(({ row }) => row.agent?.outcome === 'error')
  const tool = rows.find(({ row }) => row.label === 'tool_error')
  if (agent) {
    const { message, errorCode, errorKind, span: at } = agent.row.agent!
    read.results.push({ place: agent.place, result: failed(id, ['agent_failed'], message ?? errorCode, at) })
    const pointer = pointerTo(agent.place, at)
    read.agentFailures.push({
      callId: id,
      step,
      childId: child ?? null,
      kind: errorKind,
      code: errorCode,
      message,
      pointer,
    })
    return
  }
  if (tool) {
    const worded = rows.find(({ row }) => row.label === 'tool_error' && row.error) ?? tool
    const { error } = worded.row
    read.results.push({
      place: worded.place,
      result: failed(id, [], error?.text ?? null, error?.span ?? wholeOf(worded)),
    })
    return
  }
  const done = rows.find(({ row }) => row.label === 'completed' || row.label === 'unresolved')
  if (!done) return
  const isAgent = rows.some(({ row }) => row.tool?.trim().toLowerCase() === 'agent')
  const agentRow = rows.find(({ row }) => row.agent)
  if (agentRow ? agentRow.row.agent!.outcome !== 'ok' : isAgent) {
    const reference = rows.find(({ row }) => row.reference !== undefined)?.row.reference ?? null
    read.lostDiagnoses.push({ step, reference, pointer: pointerTo(done.place, wholeOf(done)) })
    return
  }
  read.results.push({ place: done.place, result: { callId: id, failed: false, span: wholeOf(done) } })
}

const wholeOf = ({ place }: HeldRow): { start: number; end: number } => ({
  start: 0,
  end: place.keptEnd - place.keptStart,
})

function failed(
  callId: string,
  signs: FailureSign[],
  text: string | null,
  span: ResultFact['span'],
): ResultFact {
  const line = text === null ? null : decisiveLine(text)
  const decisive = line && { decisive: { text: capText(line.text, 500), span } }
  return {
    callId,
    failed: true,
    ...(signs.length === 0 ? {} : { signs }),
    ...(text === null ? {} : { text }),
    ...decisive,
    span,
  }
}
