import { lastIndexOf, timeMs, type NoetlEvent, type NoetlRun } from './runs'

const TERMINAL: Record<string, 'COMPLETED' | 'FAILED' | 'CANCELLED'> = {
  'playbook.completed': 'COMPLETED',
  'workflow.completed': 'COMPLETED',
  'playbook.failed': 'FAILED',
  'workflow.failed': 'FAILED',
  'command.failed': 'FAILED',
  'execution.cancelled': 'CANCELLED',
}
const COMPLETING = ['command.completed', 'call.done', 'step.exit']

export interface RunState {
  status: 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'RUNNING'
  /** The row that decided, if any did. */
  decidedBy: NoetlEvent | null
  /** Nothing says that the run ended: its rows look as if. */
  inferred: boolean
  newest: NoetlEvent | null
  startTime: string | null
  endTime: string | null
  durationSeconds: number | null
}

/** The state that the source derives: its newest terminal row decides, even where a command failed and is tried again. */
export function stateOf({ events }: Pick<NoetlRun, 'events'>): RunState {
  const newest = events.count === 0 ? null : events.at(events.count - 1)
  const startTime = events.count === 0 ? null : events.at(0).createdAt
  const of = (status: RunState['status'], decidedBy: NoetlEvent | null, inferred: boolean): RunState => {
    const endTime = decidedBy?.createdAt ?? null
    const until = endTime ?? newest?.createdAt
    const durationSeconds = startTime && until ? Math.max(0, timeMs(until) - timeMs(startTime)) / 1000 : null
    return { status, decidedBy, inferred, newest, startTime, endTime, durationSeconds }
  }
  const index = lastIndexOf(events, ({ eventType }) => Object.hasOwn(TERMINAL, eventType))
  if (index !== -1) return of(TERMINAL[events.at(index).eventType]!, events.at(index), false)
  if (newest?.status === 'COMPLETED') {
    if (newest.nodeName === 'end' && COMPLETING.includes(newest.eventType))
      return of('COMPLETED', newest, true)
    if (newest.eventType === 'batch.completed' && openCommands({ events }) === 0)
      return of('COMPLETED', newest, true)
  }
  return of('RUNNING', null, false)
}

/** Commands that were issued and neither completed, failed nor were cancelled. */
export function openCommands({ events }: Pick<NoetlRun, 'events'>): number {
  let open = 0
  for (let i = 0; i < events.count; i++) {
    const { eventType } = events.at(i)
    if (eventType === 'command.issued') open++
    else if (/^command\.(?:completed|failed|cancelled)$/.test(eventType)) open--
  }
  return Math.max(0, open)
}

/** What the status endpoint says. It infers more freely, from any completing row with no open command, and a cancelled run completed. */
export function endOf(run: Pick<NoetlRun, 'events'>): {
  failed: boolean
  completed: boolean
  inferred: boolean
} {
  const { status, inferred, newest } = stateOf(run)
  if (status === 'FAILED') return { failed: true, completed: false, inferred }
  if (status !== 'RUNNING') return { failed: false, completed: true, inferred }
  const looksDone = newest !== null && COMPLETING.includes(newest.eventType) && openCommands(run) === 0
  return { failed: false, completed: looksDone, inferred: looksDone }
}
