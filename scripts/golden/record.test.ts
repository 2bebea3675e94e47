import { describe, expect, test } from 'vitest'
import { compareEntries, differencesByField, differenceText, firstDifferences } from './compare'
import { orphanedNames } from './compute'
import { documentText, parseDocument, readRecorded, recordedNames } from './document'
import { allSources } from './sources'
import { FIELDS, type Entry } from './vocabulary'

describe('the committed record', () => {
  const names = recordedNames()
  const entries = names.flatMap((name) => readRecorded(name)!)

  test('has every field with a value at least once', () => {
    const seen = new Set(
      entries.flatMap(({ entity, fields }) =>
        Object.entries(fields).flatMap(([field, value]) => (value === null ? [] : [`${entity}.${field}`])),
      ),
    )
    expect(FIELDS.filter((field) => !seen.has(field))).toEqual([])
    expect([...seen].filter((field) => !FIELDS.includes(field))).toEqual([])
  })

  test('holds ids, codes and digests, and no sentence', () => {
    const texts = entries
      .flatMap(({ fields }) => Object.values(fields))
      .flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : [value]))
    expect(texts.filter((text) => typeof text === 'string' && /\w \w+ \w+ \w/.test(text))).toEqual([])
  })

  test('has a file for each source and a source for each file', () => {
    const sources = allSources()
    expect(orphanedNames(sources)).toEqual([])
    expect(sources.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([])
    expect(new Set(sources.map(({ name }) => name)).size).toBe(sources.length)
  })

  test('is read as it was written', () => {
    expect(parseDocument(documentText(entries))).toEqual(entries)
  })
})

describe('a difference', () => {
  const call: Entry = {
    entity: 'call',
    key: ['s1', 'toolu_1'],
    fields: { failureClass: 'exit_code', exitCode: 1 },
  }
  const decided: Entry = {
    entity: 'decision',
    key: ['s1'],
    fields: { recorded: { outcome: 'failed', subtype: 'a' } },
  }

  test('names source, execution, call and field', () => {
    const [difference] = compareEntries(
      'samples/a.jsonl',
      [call],
      [{ ...call, fields: { ...call.fields, failureClass: 'other' } }],
    )
    expect(differenceText(difference!)).toBe(
      'samples/a.jsonl: execution s1, call toolu_1: failureClass exit_code -> other',
    )
  })

  test('shows of a map only what changed', () => {
    const [difference] = compareEntries(
      'a',
      [decided],
      [{ ...decided, fields: { recorded: { outcome: 'succeeded', subtype: 'a' } } }],
    )
    expect(differenceText(difference!)).toBe(
      'a: decision on execution s1: recorded {"outcome":"failed"} -> {"outcome":"succeeded"}',
    )
  })

  test('of whole entries says which came and went', () => {
    expect(compareEntries('a', [call], [decided]).map(differenceText)).toEqual([
      'a: execution s1, call toolu_1: missing, was recorded',
      'a: decision on execution s1: new, was not recorded',
    ])
  })

  test('is one of many: the first are listed, the rest counted, and all of them by field', () => {
    const many = Array.from({ length: 30 }, (_, i): Entry => ({ ...call, key: ['s1', `toolu_${i}`] }))
    const differences = compareEntries(
      'a',
      many,
      many.map((one) => ({ ...one, fields: { ...one.fields, exitCode: 2 } })),
    )
    expect(firstDifferences(differences).split('\n').slice(-2)).toEqual([
      'a: execution s1, call toolu_19: exitCode 1 -> 2',
      '… and 10 more differences',
    ])
    expect(differencesByField(differences).slice(0, 4)).toEqual([
      'field call.exitCode: 30 changes',
      '',
      'field call.exitCode',
      '  a: execution s1, call toolu_0: exitCode 1 -> 2',
    ])
  })
})
