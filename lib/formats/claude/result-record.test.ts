import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readResultRecord } from './result-record'
import { bytesAt, lineOf } from './testing/fold'
import type { JsonObject } from './wire'
import type { RunResultFact } from '../../model/run-facts'

const read = (value: JsonObject): RunResultFact => readResultRecord(value, lineOf(value), { wrong: [] })
const pointed = (value: JsonObject): string => bytesAt(lineOf(value), read(value).span)

const success = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'Done.',
  num_turns: 3,
  duration_ms: 900,
  total_cost_usd: 0.25,
  permission_denials: [],
}

describe('the result record', () => {
  test('of a success', () => {
    expect(read(success)).toEqual({
      subtype: 'success',
      isError: false,
      result: 'Done.',
      errors: [],
      stopReason: null,
      terminalReason: null,
      apiErrorStatus: null,
      startupFailureReason: null,
      permissionDenials: [],
      numTurns: 3,
      durationMs: 900,
      costUsd: 0.25,
      span: { start: 0, end: JSON.stringify(success).length },
    })
  })

  test('old spelling of the cost', () =>
    expect(read({ type: 'result', subtype: 'success', cost_usd: 2 }).costUsd).toBe(2))

  test('names match in any letter case, the last spelling counts, and pointers keep the spelling', () => {
    const value = {
      type: 'result',
      Subtype: 'success',
      SUBTYPE: 'error_max_turns',
      Is_Error: true,
      Errors: ['Reached maximum number of turns (10)'],
    }
    expect(read(value)).toMatchObject({
      subtype: 'error_max_turns',
      isError: true,
      errors: ['Reached maximum number of turns (10)'],
      span: { jsonPointer: '/Errors/0' },
    })
    expect(pointed(value)).toBe('"Reached maximum number of turns (10)"')
  })

  test.each<[string, JsonObject]>([
    ['subtype', { subtype: 5 }],
    ['is_error', { is_error: 'false' }],
    ['result', { result: { text: 'x' } }],
    ['num_turns', { num_turns: '2' }],
    ['permission_denials', { permission_denials: {} }],
    ['an entry of permission_denials', { permission_denials: ['Bash'] }],
    ['tool_name', { permission_denials: [{ tool_name: 4 }] }],
    ['usage', { usage: [] }],
    ['modelUsage', { modelUsage: 'x' }],
  ])('a wrong type of %s makes it unreadable, and its signal does not count', (_, wrong) => {
    const fact = read({ ...success, result: '<octopus-task-failed/>', ...wrong })
    expect(fact.unreadable).toBe(true)
    expect(fact.signal).toBeUndefined()
  })

  test('fields that no verdict reads may have any type', () => {
    expect(
      read({ ...success, terminal_reason: 4, api_error_status: 'x', uuid: 7 }).unreadable,
    ).toBeUndefined()
  })

  test.each<[string, JsonObject, string]>([
    [
      'the signal',
      { ...success, result: 'x <octopus-task-failed>why</octopus-task-failed>' },
      '"x <octopus-task-failed>why</octopus-task-failed>"',
    ],
    [
      'the text of a failure that reports success',
      { ...success, is_error: true, result: 'API Error: 529' },
      '"API Error: 529"',
    ],
    [
      'the subtype when there is no text',
      { type: 'result', subtype: 'error_during_execution', is_error: false, num_turns: 0 },
      '"error_during_execution"',
    ],
    [
      'the refused tools',
      { ...success, permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1' }] },
      '[{"tool_name":"Bash","tool_use_id":"t1"}]',
    ],
  ])('points at %s', (_, value, want) => expect(pointed(value)).toBe(want))

  test('the signal is found in a result that is longer than what is kept of it', () => {
    const fact = read({
      ...success,
      result: `${'x'.repeat(9_000)}<octopus-task-failed>late</octopus-task-failed>`,
    })
    expect([fact.result!.length, fact.signal]).toEqual([4_000, { reason: 'late' }])
  })

  test('no JSON object makes the reader throw', () => {
    const names = fc.constantFrom(
      'subtype',
      'is_error',
      'result',
      'errors',
      'permission_denials',
      'usage',
      'modelUsage',
      'Result',
      '__proto__',
    )
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), (value) => {
        read({ ...value, type: 'result' })
      }),
    )
  })
})
