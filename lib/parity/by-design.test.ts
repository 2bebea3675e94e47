import { describe, expect, test } from 'vitest'
import { parseExactJson, type ExactJson } from '../exact-json'
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
const rows = (row: string, around = '"path":"x",'): string => `{${around}"events":[{"event_id":1,"event_type":"call.done",${row}}]}`

describe('what is by design, and what is none', () => {
  test.each<[string, string, string, string, string, string[]]>([
    ['members that the API leaves out', 'event_log', 'api', rows('"meta":{"attempt":1},"node_type":"tool","worker_id":"w"'), rows('"status":null'), ['null_vs_absent /events/0/status', 'missing /events/0/meta', 'missing /events/0/node_type', 'missing /events/0/worker_id']],
    ['a mask of the API', 'event_log', 'api', rows('"context":{"token":"t"}'), rows('"context":{"token":"***"}'), ['changed_value /events/0/context/token']],
    ['what the API had masked', 'api', 'persisted', rows('"context":{"token":"***"}'), rows('"context":{"token":"t"}'), ['changed_value /events/0/context/token']],
    ['JSON that the log holds as text', 'event_log', 'api', rows('"context":"{\\"a\\":1}"'), rows('"context":{"a":1}'), ['stringified_json /events/0/context']],
    ['what stands around rows of the log', 'event_log', 'api', rows('"status":"X"', ''), rows('"status":"X"', '"path":"x","status":"FAILED",'), ['extra /path', 'extra /status']],
    ['one moment', 'event_log', 'api', rows('"created_at":"2026-05-06T07:15:00.123000"'), rows('"created_at":"2026-05-06T09:15:00.123+02:00"'), ['changed_value /events/0/created_at']],
    ['our redaction, as often as it stands', 'source', 'event_log', rows('"error":"refused [redacted:github] twice [redacted:mail]"'), rows('"error":"refused ghp_x twice a@b.c"'), ['changed_value /events/0/error']],
    ['our redaction inside of a value', 'event_log', 'persisted', rows('"error":"a ghp_x"'), rows('"error":"a [redacted:github]"'), ['changed_value /events/0/error']],
    ['a duration that nobody measured', 'event_log', 'api', rows('"duration":null'), rows('"duration":0.0'), ['changed_type /events/0/duration']],
    ['the command of a row, merged in by the server', 'source', 'event_log', rows('"result":{"context":{"a":1}}'), rows('"result":{"context":{"a":1,"command_id":7}}'), ['extra /events/0/result/context/command_id']],
  ])('%s', (_, from, to, left, right, wanted) => {
    const { counted, byDesign } = between(from, to, left, right)
    expect([counted, [...byDesign].sort()]).toEqual([[], [...wanted].sort()])
  })

  test.each<[string, string, string, string, string, string]>([
    ['a mask that came later, at another layer', 'persisted', 'rendered', rows('"error":"x"'), rows('"error":"***"'), 'changed_value /events/0/error'],
    ['a mask behind the API that it does not have', 'api', 'persisted', rows('"error":"x"'), rows('"error":"***"'), 'changed_value /events/0/error'],
    ['a member that the API has', 'event_log', 'api', rows('"error":"x"'), rows('"status":null'), 'missing /events/0/error'],
    ['a duration that was measured', 'event_log', 'api', rows('"duration":2.5'), rows('"duration":0.0'), 'changed_value /events/0/duration'],
    ['another moment', 'event_log', 'api', rows('"created_at":"2026-05-06T07:15:00.123"'), rows('"created_at":"2026-05-06T07:15:00.124Z"'), 'changed_value /events/0/created_at'],
    ['digits behind the milliseconds', 'event_log', 'api', rows('"created_at":"2026-05-06T07:15:00.123456"'), rows('"created_at":"2026-05-06T07:15:00.123457Z"'), 'changed_value /events/0/created_at'],
    ['text around a redaction', 'source', 'event_log', rows('"error":"refused [redacted:github]"'), rows('"error":"granted ghp_x"'), 'changed_value /events/0/error'],
    ['an object that became a text', 'event_log', 'api', rows('"context":{"a":1}'), rows('"context":"{\\"a\\":1}"'), 'stringified_json /events/0/context'],
    ['a key of another layer than the API’s', 'api', 'persisted', rows('"context":{"meta":1}'), rows('"context":{}'), 'missing /events/0/context/meta'],
  ])('counts: %s', (_, from, to, left, right, wanted) => expect(between(from, to, left, right).counted).toContain(wanted))
})

describe('one document of a run', () => {
  test('rows of a page stay, also where their ids have become one; those of the page before do not come twice', () => {
    const page = (events: string, next: boolean): ExactJson => read(`{"execution_id":"7","events":[${events}],"pagination":{"has_next":${next},"total_events":3}}`)
    const { document, complete } = joinPages([page('{"event_id":2,"n":1},{"event_id":2,"n":2}', true), page('{"event_id":2,"n":3},{"event_id":1,"n":4}', false)])
    expect([complete, JSON.stringify(document)]).toEqual([true, '{"execution_id":"7","events":[{"event_id":2,"n":1},{"event_id":2,"n":2},{"event_id":1,"n":4}]}'])
  })

  test('rows stand in the order of their ids, and of time where ids are the same', () => {
    const order = (text: string): string => JSON.stringify(byRowId(read(text) as ExactJson[]))
    expect(order('[{"event_id":3},{"event_id":2,"n":"later"},{"event_id":2,"n":"earlier"},{"x":1},{"event_id":1}]')).toBe('[{"event_id":1},{"event_id":2,"n":"earlier"},{"event_id":2,"n":"later"},{"event_id":3},{"x":1}]')
  })

  test('rows that do not say whose they are are those of the document', () => {
    const { document } = runDocument(read('{"execution_id":620356925057663015,"catalog_id":7}'), [read('{"event_id":1}'), read('{"event_id":2,"execution_id":"8"}')])
    const { differences } = diffValues(document, read('{"execution_id":"620356925057663015","catalog_id":7,"events":[{"event_id":1,"execution_id":"620356925057663015","catalog_id":7},{"event_id":2,"execution_id":"8","catalog_id":7}]}'))
    expect(differences).toEqual([])
  })
})
