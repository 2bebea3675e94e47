import { clip } from '../ingest/claude/text'
import type { CallFact, ResultFact, RowFact } from '../ingest/normal-form'
import { NO_INPUT } from '../attempts/same-input'
import { decisiveLine } from '../text/decisive-line'
import type { HeldCall, HeldResult } from './merge-calls'
import { pointerTo, type Place } from './merge-streams'
import type { Pointer } from './types'

export interface HeldRow {
  place: Place
  row: RowFact
}

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
  /** Steps that called an agent and have ended, with nothing in their rows of how the agent ended. */
  untold: { step: string; pointer: Pointer }[]
  /** Commands that have not ended. */
  pending: number
}

interface Command {
  id: string
  step: string
  first: HeldRow
  rows: HeldRow[]
  ended: boolean
  replied: boolean
}

/**
 * The calls of a run: a command from its issue to its end, each with the rows of its step. Rows name their step and not their command, so
 * of several commands of one step that are open at once the oldest is taken to be answered first.
 *
 * @param rows in the order of their ids
 */
export function readCalls(rows: readonly HeldRow[]): WorkflowCalls {
  const commands: Command[] = []
  const open = new Map<string, Command[]>()
  const loops = new Set(rows.flatMap(({ row }) => (row.type.startsWith('loop.') && row.node !== null ? [row.node] : [])))
  for (const held of rows) {
    const { type, node } = held.row
    if (node === null || !/^(?:command|call|step)\./.test(type)) continue
    const waiting = open.get(node) ?? []
    open.set(node, waiting)
    let command = type === 'command.issued' ? undefined : commandOf(waiting, type)
    if (command === undefined) {
      command = { id: held.row.eventId ?? held.place.identity, step: node, first: held, rows: [], ended: false, replied: false }
      commands.push(command)
      waiting.push(command)
    }
    command.rows.push(held)
    if (type.startsWith('call.')) command.replied = true
    if (ENDS_COMMAND.test(type)) {
      command.ended = true
      waiting.splice(waiting.indexOf(command), 1)
    }
  }
  const read: WorkflowCalls = { calls: [], results: [], children: new Map(), agentFailures: [], untold: [], pending: 0 }
  const tries = new Map<string, number>()
  for (const command of commands) {
    const number = (tries.get(command.step) ?? 0) + 1
    tries.set(command.step, number)
    // Items of a loop are pieces of work of their own, no tries of one.
    readCommand(command, loops.has(command.step) ? `item ${number}` : null, read)
  }
  return read
}

const ENDS_COMMAND = /^command\.(?:completed|failed|cancelled)$/

function commandOf(waiting: readonly Command[], type: string): Command | undefined {
  if (type.startsWith('call.')) return waiting.find((one) => !one.replied) ?? waiting[0]
  if (type === 'step.exit' || ENDS_COMMAND.test(type)) return waiting.find((one) => one.replied) ?? waiting[0]
  return waiting.at(-1)
}

function readCommand({ id, step, first, rows, ended }: Command, target: string | null, read: WorkflowCalls): void {
  const span = { start: 0, end: first.place.keptEnd - first.place.keptStart }
  const call: CallFact = { callId: id, tool: step, target, inputDigest: NO_INPUT, span }
  read.calls.push({ place: first.place, call })
  if (!ended && !rows.some(({ row }) => row.type === 'step.exit')) read.pending++
  const child = rows.flatMap(({ row }) => row.agent?.executionId ?? [])[0]
  if (child !== undefined) read.children.set(id, child)
  const agent = rows.find(({ row }) => row.agent?.outcome === 'error')
  const tool = rows.find(({ row }) => row.label === 'tool_error')
  if (agent) {
    const { message, errorCode, errorKind, span: at } = agent.row.agent!
    read.results.push({ place: agent.place, result: failed(id, 'agent_failure', message ?? errorCode, at) })
    const pointer = pointerTo(agent.place, at)
    read.agentFailures.push({ callId: id, step, childId: child ?? null, kind: errorKind, code: errorCode, message, pointer })
    return
  }
  if (tool) {
    const worded = rows.find(({ row }) => row.label === 'tool_error' && row.error) ?? tool
    const { error } = worded.row
    read.results.push({ place: worded.place, result: failed(id, 'other', error?.text ?? null, error?.span ?? wholeOf(worded)) })
    return
  }
  const done = rows.find(({ row }) => row.label === 'completed' || row.label === 'unresolved')
  if (!done) return
  const isAgent = rows.some(({ row }) => row.tool?.trim().toLowerCase() === 'agent')
  const told = rows.find(({ row }) => row.agent)
  if (told ? told.row.agent!.outcome !== 'ok' : isAgent) {
    read.untold.push({ step, pointer: pointerTo(done.place, wholeOf(done)) })
    return
  }
  read.results.push({ place: done.place, result: { callId: id, failed: false, span: wholeOf(done) } })
}

const wholeOf = ({ place }: HeldRow): { start: number; end: number } => ({ start: 0, end: place.keptEnd - place.keptStart })

function failed(callId: string, failureClass: 'agent_failure' | 'other', text: string | null, span: ResultFact['span']): ResultFact {
  const line = text === null ? null : decisiveLine(text)
  const decisive = line && { decisive: { text: clip(line.text, 500), span } }
  return { callId, failed: true, failureClass, ...(text === null ? {} : { text }), ...decisive, span }
}
