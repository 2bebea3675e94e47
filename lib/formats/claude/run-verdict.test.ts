import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readResultRecord } from './result-record'
import { lineOf } from './testing/fold'
import type { JsonObject } from './wire'
import { judgeRun, type RunEvidence } from './run-verdict'

const CASES = '../shared/conformance/failure-signal/cases.jsonl'

const evidence = (record: JsonObject | null): RunEvidence | null =>
  record === null ? null : readResultRecord(record, lineOf(record), { wrong: [] })

describe.runIf(existsSync(CASES))('the shared cases', () => {
  const cases = existsSync(CASES)
    ? readFileSync(CASES, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

  test('all 80 are there', () => expect(cases).toHaveLength(80))

  test.each(cases)('$id', ({ input, expected }) => {
    const verdict = judgeRun(input.exit_code, evidence(input.result_event))
    const detail: JsonObject | null =
      verdict.detail === null
        ? null
        : 'exitCode' in verdict.detail
          ? { exit_code: verdict.detail.exitCode }
          : 'tools' in verdict.detail
            ? { tools: verdict.detail.tools }
            : { subtype: verdict.detail.subtype, stop_reason: verdict.detail.stopReason }
    expect({ failed: verdict.failed, kind: verdict.kind, reason: verdict.reason, detail }).toEqual(expected)
  })
})

describe('the order of the rules', () => {
  const signal = {
    type: 'result',
    subtype: 'success',
    result: '<octopus-task-failed>why</octopus-task-failed>',
    permission_denials: [{ tool_name: 'Bash' }],
  }

  test.each<[string, number | null, JsonObject | null, string]>([
    ['an exit code beats the signal', 2, signal, 'exit_code'],
    ['the signal beats refused tools', 0, signal, 'agent_signal'],
    ['the signal beats the error status', 0, { ...signal, is_error: true }, 'agent_signal'],
    ['an unknown exit code decides nothing', null, signal, 'agent_signal'],
    ['no record, no verdict', 0, null, 'none'],
    ['an unreadable record counts as none, even with a signal', 0, { ...signal, num_turns: 'two' }, 'none'],
    [
      'a subtype that is not success fails although is_error is false',
      0,
      { type: 'result', subtype: 'error_during_execution', is_error: false },
      'cli_status',
    ],
  ])('%s', (_, exitCode, record, kind) => expect(judgeRun(exitCode, evidence(record)).kind).toBe(kind))

  test('each verdict can be read by a person, with the placeholders for what is missing', () => {
    expect(judgeRun(-1, null).text).toBe('The process ended with exit code -1')
    expect(judgeRun(0, evidence(signal)).text).toBe('The agent declared the run failed: why')
    expect(judgeRun(0, evidence({ type: 'result' })).text).toBe(
      'The run did not complete well (subtype <none>, stop reason <none>)',
    )
    expect(
      judgeRun(
        0,
        evidence({
          type: 'result',
          subtype: 'Success',
          permission_denials: [{ tool_name: '' }, null, { tool_name: 'Bash' }],
        }),
      ).text,
    ).toBe('Tools were refused: <unknown>, <unknown>, Bash')
  })
})
