import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endOf, stateOf } from './run-state'
import { rowsOf, type NoetlEvent } from './runs'

const row = (event: Partial<NoetlEvent>): NoetlEvent => ({
  eventId: '1',
  eventType: 'command.started',
  nodeName: 'step',
  status: 'RUNNING',
  createdAt: '2026-05-06T07:15:00',
  ...event,
})

interface Recorded {
  event_type: string
  status: string
  node_name: string
  created_at: string
}
interface Case {
  id: string
  op: string
  input: { latest_event: Recorded | null; terminal_event: Recorded | null; pending_commands: number }
  expected: { status: string; end_time: string | null }
}

const file = join(import.meta.dirname, '../../../../shared/conformance/diagnosis/wait.jsonl')

describe.runIf(existsSync(file))('recorded cases', () => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  const cases = lines
    .map((line) => JSON.parse(line) as Case)
    .filter(({ op }) => op === 'execution_status_from_events')
  const recorded = ({ event_type, status, node_name, created_at }: Recorded) =>
    row({ eventType: event_type, status, nodeName: node_name, createdAt: created_at })

  test('there are some', () => expect(cases.length).toBeGreaterThan(10))

  test.each(cases)('$id: the state of a run is the one that the source derives', ({ input, expected }) => {
    const { latest_event: latest, terminal_event: terminal, pending_commands: pending } = input
    const events = rowsOf([
      ...(terminal === null || terminal === latest ? [] : [recorded(terminal)]),
      ...Array.from({ length: pending }, () => row({ eventType: 'command.issued', status: 'PENDING' })),
      ...(latest === null ? [] : [recorded(latest)]),
    ])
    expect({ status: stateOf({ events }).status, end_time: stateOf({ events }).endTime }).toEqual(expected)
  })
})

test('the status endpoint infers an end that the others do not', () => {
  const events = rowsOf([
    row({ eventType: 'command.issued' }),
    row({ eventType: 'command.completed', status: 'COMPLETED' }),
  ])
  expect(stateOf({ events }).status).toBe('RUNNING')
  expect(endOf({ events })).toEqual({ failed: false, completed: true, inferred: true })
  const open = rowsOf([
    row({ eventType: 'command.issued' }),
    row({ eventType: 'call.done', status: 'COMPLETED' }),
  ])
  expect(endOf({ events: open }).completed).toBe(false)
})

test('times without a zone are UTC', () => {
  const events = rowsOf([
    row({}),
    row({ eventType: 'playbook.completed', createdAt: '2026-05-06T07:15:01.500Z' }),
  ])
  expect(stateOf({ events }).durationSeconds).toBe(1.5)
})
