import { describe, expect, test } from 'vitest'
import { parseExactJson, type ExactJson } from '../../text/exact-json'
import type { DesignReason } from '../../model/messages/parity'
import { byDesignBetween } from './by-design'
import { diffValues } from './diff-values'
import { joinPages } from './join-pages'
import { byRowId, runDocument } from './run-document'

const read = (text: string): ExactJson => {
  const result = parseExactJson(text)
  if (!result.ok) throw new Error(result.why)
  return result.value
}
function between(from: string, to: string, left: string, right: string) {
  const [a, b] = [read(left), read(right)]
  const { differences, byDesign } = diffValues(a, b, byDesignBetween(from, to, a, b))
  const brief = ({ kind, path }: { kind: string; path: string }): string => `${kind} ${path}`
  return { counted: differences.map(brief), byDesign: byDesign.map(brief) }
}
const DIAGNOSIS =
  '{"category":"auth","confidence":0.9,"root_cause":"expired","suggested_action":"renew","source":"ollama","_meta":{"token":"t"}}'
const AT = '/events/0/result/context/error/diagnosis'
const ended = (diagnosis: string): string =>
  rows(
    `"result":{"status":"COMPLETED","context":{"status":"error","framework":"noetl","error":{"kind":"agent.execution","diagnosis":${diagnosis}}}}`,
  )
const rows = (row: string, around = '"path":"x",'): string =>
  `{${around}"events":[{"event_id":1,"event_type":"call.done",${row}}]}`

test.each<[DesignReason, string, string, string, string]>([
  [
    'transport_id',
    'source',
    'event_log',
    rows('"result":{"context":{"a":1}}'),
    rows('"result":{"context":{"a":1,"command_id":7}}'),
  ],
  ['redacted_here', 'source', 'persisted', rows('"error":"a@b.c"'), rows('"error":"[redacted:mail]"')],
  ['redacted_here', 'event_log', 'persisted', rows('"error":"a@b.c"'), rows('"error":"[redacted:mail]"')],
  ['masked_by_api', 'event_log', 'api', rows('"context":{"t":"x"}'), rows('"context":{"t":"***"}')],
  [
    'same_moment',
    'event_log',
    'api',
    rows('"created_at":"2026-05-06T07:15:00"'),
    rows('"created_at":"2026-05-06T07:15:00Z"'),
  ],
  ['duration_not_measured', 'event_log', 'api', rows('"duration":null'), rows('"duration":0')],
  ['empty_column', 'event_log', 'api', rows('"status":null'), rows('"event_type":"call.done"')],
  ['empty_column', 'event_log', 'api', rows('"":null'), rows('"event_type":"call.done"')],
  ['second_name', 'event_log', 'api', rows('"status":"x"'), rows('"status":"x","timestamp":"y"')],
  ['column_left_out', 'event_log', 'api', rows('"status":"x","meta":{}'), rows('"status":"x"')],
  ['around_rows', 'event_log', 'api', rows('"status":"x"', ''), rows('"status":"x"')],
  ['parsed_json', 'event_log', 'api', rows('"context":"{\\"a\\":1}"'), rows('"context":{"a":1}')],
])('a difference that is by design names its rule: %s', (reason, from, to, left, right) => {
  const [a, b] = [read(left), read(right)]
  const { differences, byDesign } = diffValues(a, b, byDesignBetween(from, to, a, b))
  expect([differences, byDesign.map((one) => one.reason)]).toEqual([[], [reason]])
})

describe('what is by design, and what is none', () => {
  test.each<[string, string, string, string, string, string[]]>([
    [
      'members that the API leaves out',
      'event_log',
      'api',
      rows('"meta":{"attempt":1},"node_type":"tool","worker_id":"w"'),
      rows('"status":null'),
      [
        'null_vs_absent /events/0/status',
        'missing /events/0/meta',
        'missing /events/0/node_type',
        'missing /events/0/worker_id',
      ],
    ],
    [
      'a mask of the API',
      'event_log',
      'api',
      rows('"context":{"token":"t"}'),
      rows('"context":{"token":"***"}'),
      ['changed_value /events/0/context/token'],
    ],
    [
      'what the API had masked',
      'api',
      'persisted',
      rows('"context":{"token":"***"}'),
      rows('"context":{"token":"t"}'),
      ['changed_value /events/0/context/token'],
    ],
    [
      'JSON that the log holds as text',
      'event_log',
      'api',
      rows('"context":"{\\"a\\":1}"'),
      rows('"context":{"a":1}'),
      ['stringified_json /events/0/context'],
    ],
    [
      'what stands around rows of the log',
      'event_log',
      'api',
      rows('"status":"X"', ''),
      rows('"status":"X"', '"path":"x","status":"FAILED",'),
      ['extra /path', 'extra /status'],
    ],
    [
      'one moment',
      'event_log',
      'api',
      rows('"created_at":"2026-05-06T07:15:00.123000"'),
      rows('"created_at":"2026-05-06T09:15:00.123+02:00"'),
      ['changed_value /events/0/created_at'],
    ],
    [
      'our redaction, as often as it stands',
      'source',
      'event_log',
      rows('"error":"refused [redacted:github] twice [redacted:mail]"'),
      rows('"error":"refused ghp_x twice a@b.c"'),
      ['changed_value /events/0/error'],
    ],
    [
      'our redaction inside of a value',
      'event_log',
      'persisted',
      rows('"error":"a ghp_x"'),
      rows('"error":"a [redacted:github]"'),
      ['changed_value /events/0/error'],
    ],
    [
      'a duration that nobody measured',
      'event_log',
      'api',
      rows('"duration":null'),
      rows('"duration":0.0'),
      ['changed_type /events/0/duration'],
    ],
    [
      'the command of a row, merged in by the server',
      'source',
      'event_log',
      rows('"result":{"context":{"a":1}}'),
      rows('"result":{"context":{"a":1,"command_id":7}}'),
      ['extra /events/0/result/context/command_id'],
    ],
    [
      'columns of the tables that the log is not asked for',
      'source',
      'event_log',
      rows('"meta":{"attempt":2},"command_id":5'),
      rows('"timestamp":"x"'),
      ['extra /events/0/timestamp', 'missing /events/0/command_id', 'missing /events/0/meta'],
    ],
    [
      'columns of the tables, behind the API',
      'api',
      'persisted',
      rows('"status":"X"'),
      rows('"status":"X","meta":{"attempt":2}'),
      ['extra /events/0/meta'],
    ],
    [
      'columns that a row kept of the API lacks',
      'event_log',
      'persisted',
      rows('"meta":{"attempt":2}'),
      rows('"status":null'),
      ['missing /events/0/meta', 'null_vs_absent /events/0/status'],
    ],
    [
      'columns that the Rust server lacks',
      'event_log',
      'api',
      rows('"node_id":"n","context":{"a":1}'),
      rows('"status":null', '"started_at":"x",'),
      [
        'extra /started_at',
        'missing /events/0/context',
        'missing /events/0/node_id',
        'missing /path',
        'null_vs_absent /events/0/status',
      ],
    ],
    [
      'columns that a row kept of the Rust server lacks',
      'source',
      'event_log',
      rows('"status":"X"'),
      rows('"status":"X","node_id":"n","duration":2.5'),
      ['extra /events/0/duration', 'extra /events/0/node_id'],
    ],
    [
      'a mask of the API within a diagnosis',
      'event_log',
      'api',
      ended(DIAGNOSIS),
      ended(DIAGNOSIS.replace('"t"', '"***"')),
      [`changed_value ${AT}/_meta/token`],
    ],
    [
      'what the API had masked within a diagnosis',
      'api',
      'persisted',
      ended(DIAGNOSIS.replace('0.9', '"[REDACTED]"')),
      ended(DIAGNOSIS),
      [`changed_type ${AT}/confidence`],
    ],
    [
      'our redaction within a diagnosis',
      'source',
      'event_log',
      ended(DIAGNOSIS.replace('expired', 'ask [redacted:mail]')),
      ended(DIAGNOSIS.replace('expired', 'ask a@b.c')),
      [`changed_value ${AT}/root_cause`],
    ],
    [
      'our redaction of one of two that we keep',
      'source',
      'persisted',
      rows('"error":"a ghp_x, [redacted:mail]"'),
      rows('"error":"a [redacted:github], [redacted:mail]"'),
      ['changed_value /events/0/error'],
    ],
    [
      'pieces between marks that stand in the secret too',
      'source',
      'api',
      rows('"error":"[redacted:mail].[redacted:mail]."'),
      rows('"error":"a.b@c.d.e@f.g."'),
      ['changed_value /events/0/error'],
    ],
    [
      'a private key, of several lines',
      'event_log',
      'persisted',
      rows('"error":"-----BEGIN PRIVATE KEY-----\\nabc def\\n-----END PRIVATE KEY-----"'),
      rows('"error":"[redacted:privatekey]"'),
      ['changed_value /events/0/error'],
    ],
    [
      'the number of an account',
      'source',
      'event_log',
      rows('"result":{"context":{"account_id":"[redacted:account]"}}'),
      rows('"result":{"context":{"account_id":4711}}'),
      ['changed_type /events/0/result/context/account_id'],
    ],
  ])('%s', (_, from, to, left, right, wanted) => {
    const { counted, byDesign } = between(from, to, left, right)
    expect([counted, [...byDesign].sort()]).toEqual([[], [...wanted].sort()])
  })

  test.each<[string, string, string, string, string, string]>([
    [
      'a mask that came later, at another layer',
      'persisted',
      'rendered',
      rows('"error":"x"'),
      rows('"error":"***"'),
      'changed_value /events/0/error',
    ],
    [
      'a mask behind the API that it does not have',
      'api',
      'persisted',
      rows('"error":"x"'),
      rows('"error":"***"'),
      'changed_value /events/0/error',
    ],
    [
      'a member that the API has',
      'event_log',
      'api',
      rows('"error":"x"'),
      rows('"status":null'),
      'missing /events/0/error',
    ],
    [
      'a duration that was measured',
      'event_log',
      'api',
      rows('"duration":2.5'),
      rows('"duration":0.0'),
      'changed_value /events/0/duration',
    ],
    [
      'another moment',
      'event_log',
      'api',
      rows('"created_at":"2026-05-06T07:15:00.123"'),
      rows('"created_at":"2026-05-06T07:15:00.124Z"'),
      'changed_value /events/0/created_at',
    ],
    [
      'digits behind the milliseconds',
      'event_log',
      'api',
      rows('"created_at":"2026-05-06T07:15:00.123456"'),
      rows('"created_at":"2026-05-06T07:15:00.123457Z"'),
      'changed_value /events/0/created_at',
    ],
    [
      'text around a redaction',
      'source',
      'event_log',
      rows('"error":"refused [redacted:github]"'),
      rows('"error":"granted ghp_x"'),
      'changed_value /events/0/error',
    ],
    [
      'an object that became a text',
      'event_log',
      'api',
      rows('"context":{"a":1}'),
      rows('"context":"{\\"a\\":1}"'),
      'stringified_json /events/0/context',
    ],
    [
      'a key of another layer than the API’s',
      'api',
      'persisted',
      rows('"context":{"meta":1}'),
      rows('"context":{}'),
      'missing /events/0/context/meta',
    ],
    [
      'a diagnosis replaced by a mask of ours that the API wrote',
      'event_log',
      'api',
      ended(DIAGNOSIS),
      ended('"[redacted:mail]"'),
      `collapsed_object ${AT}`,
    ],
    [
      'a diagnosis replaced by a mask of ours',
      'source',
      'persisted',
      ended(DIAGNOSIS),
      ended('"[redacted:account]"'),
      `collapsed_object ${AT}`,
    ],
    [
      'a diagnosis replaced by a mask of the API',
      'event_log',
      'api',
      ended(DIAGNOSIS),
      ended('"***"'),
      `collapsed_object ${AT}`,
    ],
    [
      'a diagnosis of one text replaced by a mask of the API',
      'event_log',
      'api',
      ended('"expired"'),
      ended('"***"'),
      `changed_value ${AT}`,
    ],
    [
      'a diagnosis of one text replaced by a mask of ours',
      'persisted',
      'retold',
      ended('"a@b.c"'),
      ended('"[redacted:mail]"'),
      `changed_value ${AT}`,
    ],
    [
      'an envelope within a text, replaced by a mask of the API',
      'event_log',
      'api',
      rows(`"result":${JSON.stringify(`{"diagnosis":${DIAGNOSIS}}`)}`),
      rows('"result":"***"'),
      'changed_value /events/0/result',
    ],
    [
      'an envelope within a text, replaced by a mask of ours',
      'event_log',
      'persisted',
      rows(`"result":${JSON.stringify(`{"diagnosis":${DIAGNOSIS}}`)}`),
      rows('"result":"[redacted:account]"'),
      'changed_value /events/0/result',
    ],
    [
      'an object replaced by a mask of the API',
      'event_log',
      'api',
      rows('"context":{"token":{"a":1}}'),
      rows('"context":{"token":"***"}'),
      'collapsed_object /events/0/context/token',
    ],
    [
      'a row replaced by a mask of ours',
      'source',
      'persisted',
      ended(DIAGNOSIS),
      '{"path":"x","events":["[redacted:mail]"]}',
      'collapsed_object /events/0',
    ],
    [
      'a mask of the API within a diagnosis, where nobody read the log',
      'source',
      'api',
      ended(DIAGNOSIS),
      ended(DIAGNOSIS.replace('"t"', '"***"')),
      `changed_value ${AT}/_meta/token`,
    ],
    [
      'a word that is one of every day',
      'event_log',
      'api',
      rows('"context":{"state":"shown"}'),
      rows('"context":{"state":"hidden"}'),
      'changed_value /events/0/context/state',
    ],
    [
      'a mark between the log and the API, which we do not redact',
      'event_log',
      'api',
      rows('"error":"ask a@b.c"'),
      rows('"error":"ask [redacted:mail]"'),
      'changed_value /events/0/error',
    ],
    [
      'a mark on the side that we do not redact',
      'source',
      'event_log',
      rows('"error":"ask a@b.c"'),
      rows('"error":"ask [redacted:mail]"'),
      'changed_value /events/0/error',
    ],
    [
      'a mark for what its rule does not take out',
      'source',
      'event_log',
      ended(DIAGNOSIS.replace('expired', '[redacted:github]')),
      ended(DIAGNOSIS.replace('expired', 'the token has expired')),
      `changed_value ${AT}/root_cause`,
    ],
    [
      'a mark for no mail address',
      'source',
      'event_log',
      rows('"error":"[redacted:mail]"'),
      rows('"error":"expired"'),
      'changed_value /events/0/error',
    ],
    [
      'a mark for nothing',
      'source',
      'event_log',
      rows('"error":"refused [redacted:github]"'),
      rows('"error":"refused "'),
      'changed_value /events/0/error',
    ],
    [
      'a mark for nothing between others',
      'source',
      'event_log',
      rows('"error":"[redacted:github] [redacted:github]"'),
      rows('"error":" ghp_x"'),
      'changed_value /events/0/error',
    ],
    [
      'a mark in the place of an object',
      'source',
      'event_log',
      rows('"context":{"a":"[redacted:account]"}'),
      rows('"context":{"a":{"b":1}}'),
      'changed_type /events/0/context/a',
    ],
    [
      'a mark in the place of a number on contract',
      'source',
      'event_log',
      ended(DIAGNOSIS.replace('0.9', '"[redacted:account]"')),
      ended(DIAGNOSIS),
      `changed_type ${AT}/confidence`,
    ],
    [
      'the attempts of a row that we keep',
      'source',
      'persisted',
      rows('"meta":{"attempt":2}'),
      rows('"status":null'),
      'missing /events/0/meta',
    ],
    [
      'the command of a row that we keep',
      'source',
      'persisted',
      rows('"command_id":5'),
      rows('"status":null'),
      'missing /events/0/command_id',
    ],
    [
      'a column of nothing of a row that we keep',
      'source',
      'persisted',
      rows('"error":null'),
      rows('"status":"X"'),
      'null_vs_absent /events/0/error',
    ],
    [
      'what stands around the rows that we keep',
      'source',
      'persisted',
      rows('"status":"X"'),
      rows('"status":"X"', ''),
      'missing /path',
    ],
    [
      'a column of the tables that a row kept of them lacks',
      'event_log',
      'persisted',
      rows('"meta":{"attempt":2},"node_type":"x"'),
      rows('"node_type":"x"'),
      'missing /events/0/meta',
    ],
    [
      'a column that only the API has',
      'source',
      'api',
      rows('"status":"X"'),
      rows('"status":"X","summary":"new"'),
      'extra /events/0/summary',
    ],
    [
      'a column of the API that the log lacks',
      'source',
      'event_log',
      rows('"node_id":"n"'),
      rows('"status":null'),
      'missing /events/0/node_id',
    ],
  ])('counts: %s', (_, from, to, left, right, wanted) =>
    expect(between(from, to, left, right).counted).toContain(wanted),
  )

  test('a text full of marks is read to its end', () => {
    const marked = `${'[redacted:mail].'.repeat(20_000)}x`
    expect(
      between('source', 'event_log', rows(`"error":"${marked}"`), rows(`"error":"${'a.'.repeat(400_000)}x"`))
        .counted,
    ).toEqual(['changed_value /events/0/error'])
    expect(
      between('source', 'event_log', rows(`"error":"${marked}"`), rows(`"error":"${'a@b.'.repeat(20_000)}x"`))
        .counted,
    ).toEqual([])
  })
})

describe('one document of a run', () => {
  test('rows of a page stay, also where their ids have become one; those of the page before do not come twice', () => {
    const page = (events: string, next: boolean): ExactJson =>
      read(`{"execution_id":"7","events":[${events}],"pagination":{"has_next":${next},"total_events":3}}`)
    const { document, complete } = joinPages([
      page('{"event_id":2,"n":1},{"event_id":2,"n":2}', true),
      page('{"event_id":2,"n":3},{"event_id":1,"n":4}', false),
    ])
    expect([complete, JSON.stringify(document)]).toEqual([
      true,
      '{"execution_id":"7","events":[{"event_id":2,"n":1},{"event_id":2,"n":2},{"event_id":1,"n":4}]}',
    ])
  })

  test('rows stand in the order of their ids, and of time where ids are the same', () => {
    const order = (text: string): string => JSON.stringify(byRowId(read(text) as ExactJson[]))
    expect(
      order(
        '[{"event_id":3},{"event_id":2,"n":"later"},{"event_id":2,"n":"earlier"},{"x":1},{"event_id":1}]',
      ),
    ).toBe('[{"event_id":1},{"event_id":2,"n":"earlier"},{"event_id":2,"n":"later"},{"event_id":3},{"x":1}]')
  })

  test('rows that do not say whose they are are those of the document', () => {
    const { document } = runDocument(read('{"execution_id":620356925057663015,"catalog_id":7}'), [
      read('{"event_id":1}'),
      read('{"event_id":2,"execution_id":"8"}'),
    ])
    const { differences } = diffValues(
      document,
      read(
        '{"execution_id":"620356925057663015","catalog_id":7,"events":[{"event_id":1,"execution_id":"620356925057663015","catalog_id":7},{"event_id":2,"execution_id":"8","catalog_id":7}]}',
      ),
    )
    expect(differences).toEqual([])
  })
})
