import { describe, expect, test } from 'vitest'
import { judgeEndToEnd } from './end-to-end'

const good = { category: 'auth', confidence: 0.5, root_cause: 'x', suggested_action: 'y', source: 'ollama' }

describe('the end-to-end run', () => {
  const agent_envelope = {
    status: 'error',
    framework: 'noetl',
    error: { kind: 'agent.execution', diagnosis: good },
  }
  test.each<[string, unknown, string, string[]]>([
    ['all is there', { smoke_status: 'ok', agent_envelope }, 'GREEN', []],
    ['it lies in a wrapper', { output: { smoke_status: 'ok', diagnosis: good } }, 'GREEN', []],
    [
      'it lies in a row',
      {
        events: [
          {
            node_name: 'extract_envelope',
            event_type: 'call.done',
            context: { smoke_status: 'ok', diagnosis: good },
          },
        ],
      },
      'GREEN',
      [],
    ],
    [
      'it lies in another row',
      {
        events: [
          { node_name: 'x', event_type: 'call.done', context: { smoke_status: 'ok', diagnosis: good } },
        ],
      },
      'RED',
      ['smoke_status_ok'],
    ],
    ['there is no diagnosis', { smoke_status: 'ok', diagnosis: 'x' }, 'AMBER', []],
    [
      'the envelope is odd, which does not decide',
      { smoke_status: 'ok', agent_envelope: { error: { kind: 'x' } }, diagnosis: good },
      'GREEN',
      ['envelope_error_kind', 'envelope_framework_noetl', 'envelope_status_error'],
    ],
    [
      'it failed, and the diagnosis is wrong',
      { smoke_status: 'no', diagnosis: { ...good, source: 'x', confidence: 2 } },
      'RED',
      ['confidence_in_range', 'smoke_status_ok', 'source_in_set'],
    ],
    ['it is no object', [1], 'RED', ['result_is_object']],
  ])('%s', (_, document, verdict, failedChecks) =>
    expect(judgeEndToEnd(document)).toEqual({ verdict, failedChecks }),
  )
})
