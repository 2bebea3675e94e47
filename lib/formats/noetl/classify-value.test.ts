import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseExactJson } from '../../text/exact-json'
import { classifyValue, type ClassifiedValue } from './classify-value'
import { isDispatchHandle } from './dispatch-handle'
import { readEventRow } from './event-row'
import { readDiagnosis } from '../../judge/diagnosis/run-diagnosis'
import { findPersistedDiagnosis } from '../../judge/diagnosis/run-rows'
import { terminalStateOf } from './terminal-state'
import { arbitraryMembers } from '../../judge/diagnosis/testing/arbitrary-members'
import { diagnosisState, hasLowConfidence, validateDiagnosis } from './validate-diagnosis'

const classify = (text: string): ClassifiedValue => {
  const read = parseExactJson(text)
  return classifyValue(read.ok ? read.value : undefined)
}

const brief = (text: string): string => {
  const { shape, outcome, executionId, diagnosis, problems } = classify(text)
  return [shape, outcome, executionId ?? '-', diagnosis, ...problems].join(' ')
}

const envelope = (rest: string): string =>
  `{"framework":"noetl","execution_id":"5"${rest === '' ? '' : `,${rest}`}}`
const failed = (rest: string): string =>
  envelope(`"status":"error","error":{"kind":"agent.execution","code":"X"${rest === '' ? '' : `,${rest}`}}`)

describe('a value is', () => {
  test.each<[string, string]>([
    [failed(''), 'agent_envelope error 5 absent'],
    [failed('"diagnosis":null'), 'agent_envelope error 5 absent'],
    [failed('"diagnosis":"x"'), 'agent_envelope error 5 malformed diagnosis_malformed'],
    [
      failed('"diagnosis":{"execution_id":9}'),
      'agent_envelope error 5 dispatch_handle diagnosis_is_dispatch_handle',
    ],
    [failed('"diagnosis":{"execution_id":" "}'), 'agent_envelope error 5 incomplete diagnosis_incomplete'],
    [
      failed('"diagnosis":{"source":"x","execution_id":"9"}'),
      'agent_envelope error 5 incomplete diagnosis_incomplete',
    ],
    [
      failed(
        '"diagnosis":{"category":null,"confidence":null,"root_cause":null,"suggested_action":null,"source":null}',
      ),
      'agent_envelope error 5 complete',
    ],
    [envelope('"status":"error"'), 'agent_envelope error 5 absent missing_error_block'],
    [envelope('"status":"failed","error":"x"'), 'agent_envelope error 5 absent error_not_object'],
    [
      envelope('"status":"error","error":{"kind":"other"}'),
      'agent_envelope error 5 absent unknown_error_kind',
    ],
    [envelope('"status":"error","error":{}'), 'agent_envelope error 5 absent missing_error_kind'],
    [
      envelope('"status":"success","error":{"kind":"agent.runtime"}'),
      'agent_envelope ok 5 absent error_block_on_ok',
    ],
    [
      envelope('"status":"started","error":{"kind":"agent.execution"}'),
      'agent_envelope in_flight 5 absent unresolved_dispatch',
    ],
    [
      envelope('"status":"ok","data":{"execution_id":"6","status":" Running "}'),
      'agent_envelope in_flight 5 absent data_is_dispatch_handle',
    ],
    [envelope('"status":"cancelled"'), 'agent_envelope unknown 5 absent unknown_status'],
    [envelope('"status":null'), 'agent_envelope unknown 5 absent unknown_status'],
    [
      '{"framework":"noetl","status":"ok","execution_id":" "}',
      'agent_envelope ok - absent missing_execution_id',
    ],
    ['{"framework":"adk","status":"ok"}', 'agent_envelope ok - absent'],
    ['{"framework":"autogen","status":"ok"}', 'agent_envelope ok - absent unknown_framework'],
    [
      '{"framework":"noetl","status":"ok","execution_id":562927675733336035}',
      'agent_envelope ok 562927675733336035 absent execution_id_is_number',
    ],
    ['{"status":"error","error":{"kind":"agent.configuration"}}', 'agent_envelope error - absent'],
    [
      '{"framework":"noetl","status":"error","error":{"kind":"agent.dependency"}}',
      'agent_envelope error - absent',
    ],
    [
      '{"framework":"noetl","status":"error","error":{"kind":"agent.runtime"}}',
      'agent_envelope error - absent missing_execution_id',
    ],
    ['{"status":"error","error":{"kind":"agents"}}', 'other unknown - absent'],
    ['{"execution_id":"5","status":"started","commands_generated":1}', 'dispatch_handle in_flight 5 absent'],
    [
      '{"completed":true,"failed":true,"timeout":true}',
      'status_doc error - absent failed_and_completed wait_timed_out',
    ],
    ['{"completed":true,"failed":false}', 'status_doc ok - absent'],
    ['{"completed":false,"failed":false}', 'status_doc in_flight - absent'],
    ['{"completed":1,"failed":false}', 'other unknown - absent'],
    ['{"kind":"temp_ref","ref":"x"}', 'result_reference unknown - absent'],
    ['{"kind":"temp_ref","ref":""}', 'other unknown - absent'],
    ['{"_ref":{"ref":"x"},"_truncated":true}', 'result_reference unknown - absent'],
    ['{"_truncated":true}', 'truncation_stub unknown - absent'],
    ['{"_truncated":"true"}', 'other unknown - absent'],
    ['[{"framework":"noetl","status":"ok"}]', 'other unknown - absent'],
  ])('%s: %s', (text, words) => expect(brief(text)).toBe(words))
})

test('words of an envelope come as they are', () => {
  expect(
    ['[1e3]', '[1e99999999999]'].map(
      (id) => classify(`{"status":"ok","framework":"noetl","execution_id":${id.slice(1, -1)}}`).executionId,
    ),
  ).toEqual(['1000', '1e99999999999'])
  expect(classify('{"framework":"x","status":"error","error":{"kind":"y","code":"z"}}')).toMatchObject({
    framework: 'x',
    errorKind: 'y',
    errorCode: 'z',
  })
  expect(classify('{"framework":1,"status":"error","error":{"kind":2,"code":3}}')).toMatchObject({
    framework: null,
    errorKind: null,
    errorCode: null,
  })
})

test.each<[string, boolean]>([
  ['{"execution_id":"5","status":"QUEUED"}', true],
  ['{"execution_id":5,"status":"in_flight","result":null}', true],
  ['{"execution_id":5.5,"status":"running"}', false],
  ['{"execution_id":1e400,"status":"running"}', true],
  ['{"execution_id":1e-400,"status":"running"}', false],
  ['{"execution_id":"5","status":"running","completed_at":"x"}', false],
  ['{"execution_id":"5","status":"running","completed":true}', false],
  ['{"execution_id":"5","status":"running","category":null}', false],
  ['{"execution_id":"5","commands_generated":0}', true],
  ['{"execution_id":"5","commands_generated":"1"}', false],
  ['{"execution_id":"5","commands_generated":1,"result":{}}', false],
  [
    '{"execution_id":"5","status":"ok","data":{"execution_id":"6","status":"ok","data":{"execution_id":"7","status":"claimed"}}}',
    true,
  ],
  ['{"execution_id":"5","status":"ok","data":{"status":"running"}}', false],
  ['{"execution_id":"5","status":"done"}', false],
  ['"running"', false],
])('%s is a handle: %s', (text, is) => {
  const read = parseExactJson(text)
  expect(isDispatchHandle(read.ok && read.value)).toBe(is)
})

test('nothing that comes along stops the reading', () => {
  const readers = [
    classifyValue,
    isDispatchHandle,
    readEventRow,
    validateDiagnosis,
    diagnosisState,
    hasLowConfidence,
    (value: unknown) => readDiagnosis(value as never),
    (value: unknown) => findPersistedDiagnosis([value as never]),
    (value: unknown) => terminalStateOf([value as never], 0),
  ]
  fc.assert(
    fc.property(arbitraryMembers, fc.constantFrom(...readers), (value, reader) => {
      reader(value)
    }),
    { numRuns: 3000 },
  )
})
