import { expect, test } from 'vitest'
import { parseExactJson, type ExactJson } from '../../text/exact-json'
import { compareForms } from './compare-forms'
import { retoldForm, type RetoldRow } from './retold'

const read = (text: string): ExactJson => {
  const result = parseExactJson(text)
  if (!result.ok) throw new Error(result.why)
  return result.value
}
const retold = (used: string, other: string, usedOfTables: boolean): RetoldRow => ({
  eventId: '1',
  used: read(used),
  other: read(other),
  usedOfTables,
  received: 'sha',
  byteStart: 0,
  byteEnd: 1,
})
function told(...rows: RetoldRow[]) {
  const form = retoldForm(rows)
  if (form === null) return null
  return compareForms([form.form]).transitions.flatMap(({ differences }) =>
    differences.map(({ kind, path }) => `${kind} ${path}`),
  )
}
const row = (id: number, more: string): string =>
  `{"event_id":${id},"event_type":"call.done","node_id":"n"${more}}`

test('a telling of the API lacks columns of the tables, and holds masks and parsed JSON', () => {
  expect(
    told(
      retold(
        row(1, ',"meta":{"attempt":2},"node_type":"x","context":"{\\"token\\":1}"'),
        row(1, ',"timestamp":"x","context":{"token":1}'),
        true,
      ),
    ),
  ).toBeNull()
  expect(
    told(
      retold(row(1, ',"context":{"token":"t"},"command_id":5'), row(1, ',"context":{"token":"***"}'), true),
    ),
  ).toBeNull()
})

test('a telling of a Rust server lacks more columns than another of the API', () => {
  expect(
    told(retold(row(1, ',"context":{"a":1}'), '{"event_id":1,"event_type":"call.done"}', false)),
  ).toBeNull()
  expect(told(retold(row(1, ',"context":{"a":1}'), row(1, ''), false))).toEqual(['missing /events/0/context'])
})

test('two tellings of the tables have the same columns', () => {
  expect(
    told(retold(row(1, ',"meta":{"attempt":2},"node_type":"x"'), row(1, ',"node_type":"x"'), true)),
  ).toEqual(['missing /events/0/meta'])
})

test('what explains one row explains no other', () => {
  const ofBoth = retold(row(1, ',"meta":{"attempt":2},"error":"x"'), row(1, ',"error":"y"'), true)
  const ofTables = retold(row(2, ',"meta":{"attempt":2},"node_type":"x"'), row(2, ',"node_type":"x"'), true)
  expect(told(ofBoth, ofTables)).toEqual(['changed_value /events/0/error', 'missing /events/1/meta'])
})

test('marks of ours in one of two tellings are none; in the place of a diagnosis they are', () => {
  expect(
    told(retold(row(1, ',"error":"ask a@b.c"'), row(1, ',"error":"ask [redacted:mail]"'), false)),
  ).toBeNull()
  const ended = (diagnosis: string): string =>
    row(1, `,"result":{"context":{"error":{"diagnosis":${diagnosis}}}}`)
  expect(told(retold(ended('{"category":"auth"}'), ended('"[redacted:mail]"'), false))).toEqual([
    'collapsed_object /events/0/result/context/error/diagnosis',
  ])
})
