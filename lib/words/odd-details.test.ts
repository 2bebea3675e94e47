import { expect, test } from 'vitest'
import type { OddDetails } from '../model/messages/odd-details'
import { ODD_DETAIL_WORDS, oddDetailText } from './odd-details'
import { wordedSamples, type Samples } from './samples.support'

const NONE = [{}]
const SAMPLES: Samples<OddDetails> = {
  wrong_fields: [
    {
      fields: (
        [
          'missing',
          'not_text',
          'not_number',
          'not_flag',
          'not_object',
          'not_list',
          'not_text_or_list',
          'not_time',
          'not_count',
          'not_task',
        ] as const
      ).map((problem) => ({ path: '/a', problem })),
    },
  ],
  unknown_type: [{ type: 'TYPE' }],
  no_type: NONE,
  no_session: NONE,
  not_an_object: [{ is: 'null' }, { is: 'list' }],
  records_lost: [{ code: null }, { code: 'CODE' }],
  records_dropped: [{ frames: 1, records: 2, bytes: 3, since: null, until: 'UNTIL' }],
  receipt_lost: [
    { loss: { id: 'frame_too_long', params: { bytes: 9 } } },
    { loss: { id: 'payload_too_long', params: { bytes: 9 } } },
    { loss: { id: 'field_too_long', params: { field: 'FIELD', bytes: 9 } } },
    { loss: { id: 'number_too_large', params: { field: 'FIELD' } } },
    { loss: { id: 'agent_id_not_plain', params: {} } },
    { loss: { id: 'unknown_event', params: {} } },
    { loss: { id: 'empty', params: {} } },
    { loss: { id: 'not_a_frame', params: {} } },
    { loss: { id: 'no_tool_name', params: {} } },
  ],
  unchecked_receipt: [{ why: 'part' }],
  other_run: [{ run: 'RUN' }],
  no_reply: NONE,
  file_not_json: [{ file: 'FILE' }],
  file_lines_not_json: [{ file: 'FILE' }],
  torn_line: NONE,
  not_readable: [{ error: 'ERROR' }],
  unstorable_id: [{ field: 'FIELD' }],
  binary: [{ bytes: 9 }],
  nul_bytes: NONE,
  not_utf8: NONE,
  line_too_long: [{ bytes: 9, max: 8 }],
  too_deep: [{ max: 8 }],
  too_many_values: [{ max: 8 }],
  too_many_events: [
    { what: 'blocks', count: 9, max: 8 },
    { what: 'rows', count: 9, max: 8 },
    { what: 'tasks', count: 9, max: 8 },
  ],
  not_json: [{ error: 'ERROR' }],
  empty_body: NONE,
  bytes_missing: [
    { from: 1, to: 2 },
    { from: 1, to: null },
  ],
  refused: [{ error: 'ERROR' }],
}

test('what is odd about a record', () => {
  expect(wordedSamples(ODD_DETAIL_WORDS, SAMPLES)).toMatchSnapshot()
  expect(oddDetailText({ id: 'refused', params: { error: 'x'.repeat(900) } })).toHaveLength(500)
})
