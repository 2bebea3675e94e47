import { describe, expect, test } from 'vitest'
import type { ExactJson } from '../../text/exact-json'
import { WrittenNumber } from '../../text/exact-number'
import { readEventRow } from './event-row'
import { findPersistedDiagnosis } from '../../judge/diagnosis/run-rows'
import { isCancelled, terminalStateFrom, terminalStateOf } from './terminal-state'

const diagnosis = {
  category: 'auth',
  confidence: 0.5,
  root_cause: 'x',
  suggested_action: 'y',
  source: 'ollama',
}
const agent = (status: string): ExactJson => ({
  status,
  framework: 'noetl',
  execution_id: '5',
  error: { kind: 'agent.execution', diagnosis },
})

describe('a row is', () => {
  test.each<[string, ExactJson, string]>([
    ['call.error', { status: 'FAILED', context: agent('error') }, 'tool_error'],
    ['command_failed', null, 'tool_error'],
    ['step.exit', { status: 'failed' }, 'tool_error'],
    ['step.exit', { status: 'COMPLETED', context: agent('error') }, 'agent_failure'],
    ['command.started', { context: agent('error') }, 'agent_failure'],
    ['call.done', JSON.stringify({ status: 'COMPLETED', context: agent('error') }), 'agent_failure'],
    ['call.done', { context: agent('running') }, 'unresolved'],
    ['call.done', { context: agent('ok') }, 'completed'],
    ['call.done', 'no json', 'completed'],
    ['step.exit', { context: { execution_id: '5', status: 'running' } }, 'completed'],
    ['command.issued', { status: 'PENDING' }, 'progress'],
  ])('%s with %j: %s', (event_type, result, label) =>
    expect(readEventRow({ event_type, status: 'COMPLETED', result }).label).toBe(label),
  )

  test('told with its envelope, its diagnosis and its own column', () => {
    expect(
      readEventRow({ event_type: 'call.done', result: { context: agent('error') }, error: null }),
    ).toEqual({
      label: 'agent_failure',
      agentOutcome: 'error',
      diagnosis: 'complete',
      errorColumnPresent: false,
    })
    expect(
      readEventRow({ event_type: 'call.error', result: { context: { error: { diagnosis } } }, error: 'x' }),
    ).toEqual({ label: 'tool_error', agentOutcome: null, diagnosis: 'absent', errorColumnPresent: true })
  })
})

describe('the state of a run', () => {
  const row = (event_type: string, rest: Record<string, ExactJson> = {}): ExactJson => ({
    event_type,
    created_at: '2026-05-01T03:11:12',
    ...rest,
  })
  test.each<[string, ExactJson, ExactJson, number, string, string]>([
    [
      'a terminal row decides, whatever comes behind it',
      row('command.started'),
      row('command.failed'),
      2,
      'FAILED',
      'terminal_row',
    ],
    ['underscores are read', null, row('playbook_completed'), 0, 'COMPLETED', 'terminal_row'],
    ['cancelled', null, row('playbook.cancelled'), 0, 'CANCELLED', 'terminal_row'],
    [
      'a row that is not terminal does not decide',
      row('step.exit', { node_name: 'a', status: 'COMPLETED' }),
      row('step.exit'),
      0,
      'RUNNING',
      'nothing_terminal',
    ],
    [
      'the end step',
      row('call.done', { node_name: 'end', status: 'completed' }),
      null,
      3,
      'COMPLETED',
      'end_step_completed',
    ],
    [
      'the end step that has not completed',
      row('step.exit', { node_name: 'end', status: 'RUNNING' }),
      null,
      0,
      'RUNNING',
      'nothing_terminal',
    ],
    ['a batch', row('batch.completed', { status: 'COMPLETED' }), null, 0, 'COMPLETED', 'batch_completed'],
    [
      'a batch with open commands',
      row('batch.completed', { status: 'COMPLETED' }),
      null,
      1,
      'RUNNING',
      'nothing_terminal',
    ],
    ['no row', null, null, 0, 'RUNNING', 'nothing_terminal'],
  ])('%s', (_, latest, terminal, pending, status, rule) => {
    const state = terminalStateFrom(latest, terminal, pending)
    expect(state).toMatchObject({
      status,
      rule,
      endTime: status === 'RUNNING' ? null : '2026-05-01T03:11:12',
    })
  })

  test('is found in rows of any order by ids that no double tells apart', () => {
    const id = (digits: string): ExactJson => new WrittenNumber(digits)
    const rows = [
      row('playbook.failed', { event_id: id('620356925057663015') }),
      row('playbook.completed', { event_id: '620356925057663016' }),
      row('step.exit', { event_id: id('620356925057663014') }),
    ]
    expect(terminalStateOf(rows, 0)).toMatchObject({
      status: 'COMPLETED',
      rule: 'terminal_row',
      row: rows[1],
    })
    expect(terminalStateOf(rows.toReversed(), 0).row).toBe(rows[1])
    expect([isCancelled(rows), isCancelled([row('execution.cancelled')])]).toEqual([false, true])
  })
})

describe('rows of a run', () => {
  const kept = (
    node_name: string,
    event_type: string,
    context: ExactJson,
    event_id: ExactJson = null,
  ): ExactJson => ({ node_name, event_type, event_id, result: { context } })

  test('the diagnosis that was kept first counts, whole ones only', () => {
    const older = { ...diagnosis, root_cause: 'older' }
    const rows = [
      kept('persist_diagnosis', 'call.done', { diagnosis }),
      kept('persist_diagnosis', 'step.exit', { diagnosis: older }),
      kept('persist_diagnosis', 'call.done', { diagnosis: { source: 'x' } }),
    ]
    expect(findPersistedDiagnosis(rows)).toEqual(older)
    expect(findPersistedDiagnosis([kept('persist_diagnosis', 'call.error', { diagnosis })])).toBeNull()
    expect(
      findPersistedDiagnosis([
        kept('persist_diagnosis', 'call.done', { diagnosis: JSON.stringify(diagnosis) }),
      ]),
    ).toBeNull()
    expect([
      findPersistedDiagnosis(rows, 'mine'),
      findPersistedDiagnosis([kept('mine', 'call.done', { diagnosis })], 'mine'),
    ]).toEqual([null, diagnosis])
  })
})
