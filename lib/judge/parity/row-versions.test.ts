import { expect, test } from 'vitest'
import { parseExactJson, type ExactJson } from '../../text/exact-json'
import { compareForms } from './compare-forms'
import { versionsForm, type RowVersions } from './row-versions'

const read = (text: string): ExactJson => {
  const result = parseExactJson(text)
  if (!result.ok) throw new Error(result.why)
  return result.value
}
const versionsOf = (used: string, other: string, usedOfTables: boolean): RowVersions => ({
  eventId: '1',
  used: read(used),
  other: read(other),
  usedOfTables,
  received: 'sha',
  byteStart: 0,
  byteEnd: 1,
})
function differencesOf(...rows: RowVersions[]) {
  const form = versionsForm(rows)
  if (form === null) return null
  return compareForms([form.form]).transitions.flatMap(({ differences }) =>
    differences.map(({ kind, path }) => `${kind} ${path}`),
  )
}
const row = (id: number, more: string): string =>
  `{"event_id":${id},"event_type":"call.done","node_id":"n"${more}}`

test('a version of the API lacks columns of the tables, and has masks and parsed JSON', () => {
  expect(
    differencesOf(
      versionsOf(
        row(1, ',"meta":{"attempt":2},"node_type":"x","context":"{\\"token\\":1}"'),
        row(1, ',"timestamp":"x","context":{"token":1}'),
        true,
      ),
    ),
  ).toBeNull()
  expect(
    differencesOf(
      versionsOf(
        row(1, ',"context":{"token":"t"},"command_id":5'),
        row(1, ',"context":{"token":"***"}'),
        true,
      ),
    ),
  ).toBeNull()
})

test('a version of a Rust server lacks more columns than another of the API', () => {
  expect(
    differencesOf(versionsOf(row(1, ',"context":{"a":1}'), '{"event_id":1,"event_type":"call.done"}', false)),
  ).toBeNull()
  expect(differencesOf(versionsOf(row(1, ',"context":{"a":1}'), row(1, ''), false))).toEqual([
    'missing /events/0/context',
  ])
})

test('two versions of the tables have the same columns', () => {
  expect(
    differencesOf(
      versionsOf(row(1, ',"meta":{"attempt":2},"node_type":"x"'), row(1, ',"node_type":"x"'), true),
    ),
  ).toEqual(['missing /events/0/meta'])
})

test('what explains one row explains no other', () => {
  const ofBoth = versionsOf(row(1, ',"meta":{"attempt":2},"error":"x"'), row(1, ',"error":"y"'), true)
  const ofTables = versionsOf(
    row(2, ',"meta":{"attempt":2},"node_type":"x"'),
    row(2, ',"node_type":"x"'),
    true,
  )
  expect(differencesOf(ofBoth, ofTables)).toEqual(['changed_value /events/0/error', 'missing /events/1/meta'])
})

test('marks of ours in one of two versions are no difference; in the place of a diagnosis they are', () => {
  expect(
    differencesOf(
      versionsOf(row(1, ',"error":"ask a@b.c"'), row(1, ',"error":"ask [redacted:mail]"'), false),
    ),
  ).toBeNull()
  const ended = (diagnosis: string): string =>
    row(1, `,"result":{"context":{"error":{"diagnosis":${diagnosis}}}}`)
  expect(differencesOf(versionsOf(ended('{"category":"auth"}'), ended('"[redacted:mail]"'), false))).toEqual([
    'collapsed_object /events/0/result/context/error/diagnosis',
  ])
})
