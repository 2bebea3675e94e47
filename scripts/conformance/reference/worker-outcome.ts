import { textOf } from '@/lib/judge/decisions/python-display'
import { isObject, member, type ExactJson } from '@/lib/text/exact-json'
import { isWord } from '@/lib/formats/noetl/event-row'

export interface WorkerOutcome {
  /** What the worker takes for an error of the tool; null when it finds none. */
  toolError: string | null
  /** Rows that it writes, with the status that follows from the name of their type. */
  events: { eventType: string; rowStatus: 'COMPLETED' | 'FAILED' }[]
}

/**
 * What the source's worker makes of the reply of a tool. Replies of agents are exempt: their failure is data, and the parent goes on.
 * What a tool raised is an error for every kind.
 *
 * @see docs/parity.md#rows
 */
export function workerOutcome(
  kind: unknown,
  reply: { response: unknown } | { raised: string },
): WorkerOutcome {
  const toolError = 'raised' in reply ? reply.raised : isExemptKind(kind) ? null : toolErrorOf(reply.response)
  const types =
    toolError === null
      ? ['call.done', 'step.exit', 'command.completed']
      : ['call.error', 'step.exit', 'command.failed']
  const rowStatus = (type: string): 'FAILED' | 'COMPLETED' =>
    /error|failed/.test(type) ? 'FAILED' : 'COMPLETED'
  return { toolError, events: types.map((eventType) => ({ eventType, rowStatus: rowStatus(eventType) })) }
}

function toolErrorOf(response: unknown): string | null {
  const status = member(response, 'status')
  if (status === 'error' || status === 'failed') {
    const error = member(response, 'error')
    if (isObject(error)) return textOf(member(error, 'message') ?? error)
    return isEmpty(error) ? 'Tool returned error status' : textOf(error)
  }
  const data = member(response, 'data')
  if (!isObject(data)) return null
  const failed = Object.entries(data).find(([, one]) => member(one, 'status') === 'error')
  return failed === undefined
    ? null
    : `${failed[0]}: ${textOf(member(failed[1], 'message') ?? 'Unknown error')}`
}

const isEmpty = (value: ExactJson | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0)

/** Whether replies of a kind of tool are exempt from the search for an error: those of agents, whatever they hold. */
export const isExemptKind = (kind: unknown): boolean => isWord(kind, 'agent')
