import { getTableColumns, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listModules } from './scripts/architecture'
import { countRowTypes, readRowTypes, type Module } from './scripts/row-types/count'

const root = import.meta.dirname
const modules = listModules(root).filter((path) => path.startsWith('db/') && !path.endsWith('.test.ts'))

/** What is typed otherwise than by `db/schema`, and why. These only get fewer. */
const ROW_TYPES: Record<string, string> = {
  'db/queries/parity-executions.ts Row': 'named after columns that its common table expression computes',
  'db/queries/parity.ts HeatRow': 'rows of a union, each of its parts with a meaning of its own',
  'db/queries/rollups.ts FacetCount':
    'its count is a sum; the statement in executions.ts is put together from parts',
}
const CASTS: Record<string, { most: number; why: string }> = {
  'db/noetl/read-runs.ts': { most: 1, why: 'tables of another product' },
  'db/queries/decision.ts': { most: 1, why: 'the API calls lists of its trace mutable' },
  'db/queries/executions.ts': { most: 1, why: 'counts of a union' },
  'db/queries/fix.ts': { most: 1, why: 'one statement for two tables, the caller names the document' },
  'db/queries/parity-executions.ts': { most: 1, why: 'computed in a common table expression' },
  'db/queries/parity.ts': { most: 3, why: 'computed in constants of text' },
  'db/queries/replay.ts': { most: 1, why: 'computed: times, and numbers out of usage' },
}
const UNSAFE: Record<string, { most: number; why: string }> = {
  'db/connection-wait.ts': { most: 1, why: 'wraps the client' },
  'db/embedded/server.ts': { most: 1, why: 'create database takes no parameters' },
  'db/live-client.ts': { most: 1, why: 'listen takes no parameters' },
  'db/noetl/read-run-document.ts': { most: 1, why: 'columns of another product are found at run time' },
  'db/noetl/read-runs.ts': { most: 5, why: 'tables of another product are found at run time' },
  'db/partitions.ts': { most: 5, why: 'bounds and names of partitions take no parameters' },
  'db/statement-scope.ts': { most: 1, why: 'wraps the client' },
  'db/statement-text.ts': { most: 1, why: 'the one place for text that is put together' },
  'db/store-gate.ts': { most: 2, why: 'asks whether there is an answer, without preparing anything' },
  'db/copy-binary.ts': { most: 1, why: 'copy takes no parameters' },
  'db/give-way.ts': { most: 1, why: 'set takes no parameters' },
  'db/writes/derive/write-calls.ts': { most: 1, why: 'made from the list of columns, prepared' },
  'db/writes/derive/write-summary.ts': { most: 2, why: 'made from the list of columns, prepared' },
}

/** Names of all columns, as the database spells them and as drizzle does. */
async function listColumns(): Promise<Set<string>> {
  const names = new Set<string>()
  for (const path of modules.filter((path) => path.startsWith('db/schema/')))
    for (const table of Object.values((await import(`./db/schema/${basename(path, '.ts')}.ts`)) as object))
      if (is(table, PgTable))
        for (const [key, column] of Object.entries(getTableColumns(table))) names.add(key).add(column.name)
  return names
}

const perFile = (places: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const place of places) {
    const path = place.replace(/:\d+$/, '')
    counts[path] = (counts[path] ?? 0) + 1
  }
  return counts
}
const mostOf = (allowed: Record<string, { most: number }>): Record<string, number> =>
  Object.fromEntries(Object.entries(allowed).map(([path, { most }]) => [path, most]))

test('rows are typed by the schema, and text is put together in one place', async () => {
  const paths = modules.filter((path) => !/^db\/(schema|testing|seed)\//.test(path))
  const { rowTypes, casts, unsafe } = readRowTypes(root, paths, await listColumns())
  // Where one of them went away, its entry goes too.
  expect(rowTypes, rowTypes.join('\n')).toEqual(Object.keys(ROW_TYPES).sort())
  expect(perFile(casts), casts.join('\n')).toEqual(mostOf(CASTS))
  expect(perFile(unsafe), unsafe.join('\n')).toEqual(mostOf(UNSAFE))
})

describe('a planted row type is found', () => {
  const columns = new Set(['id', 'started_at', 'startedAt'])
  const find = (text: string, others: Module[] = []) => {
    const { rowTypes, casts, unsafe } = countRowTypes([{ path: 'db/a.ts', text }, ...others], columns)
    return { rowTypes, casts, unsafe }
  }

  test.each([
    [
      'in place',
      'sql<{ id: string }[]>`select id from x`',
      { rowTypes: [], casts: ['db/a.ts:1'], unsafe: [] },
    ],
    [
      'borrowed',
      "import type { Item } from '@/lib/item'\nsql<Item[]>`select id from x`",
      { rowTypes: [], casts: ['db/a.ts:2'], unsafe: [] },
    ],
    [
      'declared',
      'interface Known { startedAt: string }\nsql<Known[]>`select 1`',
      { rowTypes: ['db/a.ts Known'], casts: ['db/a.ts:2'], unsafe: [] },
    ],
    [
      'of text',
      'type Known = { id: string }\nconst rows = (await sql.unsafe(text)) as unknown as Known[]',
      { rowTypes: ['db/a.ts Known'], casts: ['db/a.ts:2'], unsafe: ['db/a.ts:2'] },
    ],
    ['of a list', "computed<{ id: string }>('x.id')", { rowTypes: [], casts: ['db/a.ts:1'], unsafe: [] }],
    [
      'of a text',
      'const rows = await runText<{ id: string }>(db, { text: `select id from x`, params: [] })',
      { rowTypes: [], casts: ['db/a.ts:1'], unsafe: [] },
    ],
    ['of the schema', "sql<RowOf<'x', 'id'>[]>`select id from x`", { rowTypes: [], casts: [], unsafe: [] }],
    [
      'renamed',
      "sql<{ id: RowOf<'x', 'key'>['key'] }[]>`select key as id from x`",
      { rowTypes: [], casts: [], unsafe: [] },
    ],
    [
      'of an aggregate',
      'sql<{ id: number }[]>`select count(*)::int as id from x`',
      { rowTypes: [], casts: [], unsafe: [] },
    ],
    [
      'with another alias',
      'sql<{ id: number }[]>`select x.key as id from x`',
      { rowTypes: [], casts: ['db/a.ts:1'], unsafe: [] },
    ],
    [
      'picked of an aggregate',
      'sql<Pick<Item, \'id\'>[]>`select "name", max(id) as "id" from x`',
      { rowTypes: [], casts: [], unsafe: [] },
    ],
  ])('%s', (_, text, found) => expect(find(text)).toEqual(found))

  test('declared in another module', () => {
    const other = { path: 'db/b.ts', text: 'export interface Known { id: string }' }
    expect(find("import type { Known } from './b'\nsql<Known[]>`select id from x`", [other])).toEqual({
      rowTypes: ['db/b.ts Known'],
      casts: ['db/a.ts:2'],
      unsafe: [],
    })
  })
})
