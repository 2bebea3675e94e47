import { getTableColumns, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listModules } from './scripts/architecture'
import { countRowTypes, readRowTypes, type Module } from './scripts/row-types/count'

const root = import.meta.dirname
const modules = listModules(root).filter((path) => path.startsWith('db/') && !path.endsWith('.test.ts'))

/** Rows are typed by `db/schema`. What is not yet: these figures only go down. */
const LEFT = { rowTypes: 11, casts: 48, unsafe: 22 }

/** Names of all columns, as the database spells them and as drizzle does. */
async function listColumns(): Promise<Set<string>> {
  const names = new Set<string>()
  for (const path of modules.filter((path) => path.startsWith('db/schema/')))
    for (const table of Object.values((await import(`./db/schema/${basename(path, '.ts')}.ts`)) as object))
      if (is(table, PgTable))
        for (const [key, column] of Object.entries(getTableColumns(table))) names.add(key).add(column.name)
  return names
}

test('no more rows are typed by hand than before', async () => {
  const paths = modules.filter((path) => !/^db\/(schema|testing|seed)\//.test(path))
  const found = readRowTypes(root, paths, await listColumns())
  const counts = Object.fromEntries(Object.entries(found).map(([kind, places]) => [kind, places.length]))
  expect(counts, `lower LEFT where it went down; all of them:\n${JSON.stringify(found, null, 1)}`).toEqual(
    LEFT,
  )
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
