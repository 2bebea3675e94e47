import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDb, type TestDb } from '@/db/testing/test-db'
import { compareEntries, differenceText, type Difference } from './compare'
import { documentText, parseDocument, readRecorded } from './document'
import { recordOf } from './record-of'
import { PLANTS } from './plants'
import type { Conclusions } from './product-rows'
import { ownSources } from './sources/own-seeds'
import { ENTITIES, FIELDS, type Entity, type Entry } from './vocabulary'

/** Together they have entries of every entity, and they are there on every machine. */
const NAMES = [
  'sample',
  'decided-failures',
  'inputs',
  'disagreements',
  'receipts',
  'functions',
  'noetl-stand-in/python-handles-only',
].map((name) => `own/${name}`)

interface Concluded {
  name: string
  conclusions: Conclusions
  recorded: Entry[]
}

let db: TestDb
const all: Concluded[] = []
beforeAll(async () => {
  db = await testDb()
  for (const source of ownSources.filter(({ name }) => NAMES.includes(name)))
    all.push({
      name: source.name,
      conclusions: await source.conclude(db),
      recorded: readRecorded(source.name)!,
    })
})
afterAll(() => db.close())

const compared = ({ name, recorded }: Concluded, conclusions: Conclusions): Difference[] =>
  compareEntries(name, recorded, parseDocument(documentText(recordOf(conclusions))))

interface AnyPlant {
  change: (row: object) => void
  fits?: (row: object) => boolean
}

/** Plants one change in one row of the product's answer; null where no row of the sources fits. */
function plant(entity: Entity, field: string): { differences: Difference[] } | null {
  const { change, fits } = (PLANTS[entity] as unknown as Record<string, AnyPlant>)[field]!
  for (const concluded of all) {
    const rows = concluded.conclusions[entity] as object[]
    const at = rows.findIndex((row) => (fits?.(row) ?? true) && isAlone(concluded, entity, row))
    if (at === -1) continue
    const changed = structuredClone(rows[at]!)
    change(changed)
    return {
      differences: compared(concluded, { ...concluded.conclusions, [entity]: rows.with(at, changed) }),
    }
  }
  return null
}

/** Rows with one key are numbered by their values, so a change in one of them may show in another. */
function isAlone({ conclusions }: Concluded, entity: Entity, row: object): boolean {
  const keyOf = (one: object): string =>
    JSON.stringify(recordOf({ ...EMPTY(conclusions), [entity]: [one] })[0]!.key)
  return (conclusions[entity] as object[]).filter((one) => keyOf(one) === keyOf(row)).length === 1
}

const EMPTY = (like: Conclusions): Conclusions =>
  Object.fromEntries(Object.keys(like).map((entity) => [entity, []])) as unknown as Conclusions

test('without a plant nothing differs', () => {
  expect(all.flatMap((one) => compared(one, one.conclusions)).map(differenceText)).toEqual([])
})

test('no field is without its plant', () => {
  expect(
    ENTITIES.flatMap((entity) => Object.keys(PLANTS[entity]).map((field) => `${entity}.${field}`)).sort(),
  ).toEqual([...FIELDS].sort())
})

describe('one change of the product is reported as exactly that field:', () => {
  test.each(FIELDS)('%s', (name) => {
    const [entity, field] = name.split('.') as [Entity, string]
    const found = plant(entity, field)
    expect(found, 'a source with a row that the plant fits').not.toBeNull()
    expect(found!.differences.map((one) => `${one.entity}.${one.field}`)).toEqual([name])
    expect(differenceText(found!.differences[0]!)).toMatch(/^own\/\S+: .+ -> /)
  })
})
