import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable, getTableConfig } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PARTITIONED } from '../partitions'
import { testDb, type TestDb } from '../testing/test-db'
import * as audit from './audit'
import * as causeCorrections from './cause-corrections'
import * as connections from './connections'
import * as decisions from './decisions'
import * as events from './events'
import * as executions from './executions'
import * as fixes from './fixes'
import * as mirrors from './mirrors'
import * as parity from './parity'
import * as people from './people'
import * as projects from './projects'
import * as receipts from './receipts'
import * as received from './received'
import * as rollups from './rollups'

/** Small tables that all projects share (DESIGN §6); everything else belongs to one project in each of its keys. */
const SHARED = [
  'projects',
  'people',
  'sessions',
  'accounts',
  'verifications',
  'api_keys',
  'rate_limits',
  'one_time_links',
]

const tables = [
  audit,
  causeCorrections,
  connections,
  decisions,
  events,
  executions,
  fixes,
  mirrors,
  parity,
  people,
  projects,
  receipts,
  received,
  rollups,
]
  .flatMap((family) => Object.values(family) as unknown[])
  .filter((value): value is PgTable => is(value, PgTable))

let db: TestDb
beforeAll(async () => {
  db = await testDb()
})
afterAll(() => db.close())

test('every table of the database has a drizzle table, and the other way round', async () => {
  const rows = await db.sql`
    select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`
  expect(rows.map((row) => row.relname).sort()).toEqual(tables.map(getTableName).sort())
})

describe.each(tables.map((table) => [getTableName(table), table] as const))('%s', (name, table) => {
  test('drizzle and the catalogue name the same columns, types and nullability', async () => {
    const rows = await db.sql`
      select attname, format_type(atttypid, atttypmod) as type, attnotnull from pg_attribute
      where attrelid = ${name}::regclass and attnum > 0 and not attisdropped`
    const spell = (type: string) =>
      type.replace('timestamp (3) with time zone', 'timestamp(3) with time zone')
    expect(
      Object.fromEntries(
        rows.map((row) => [row.attname, `${spell(row.type)}${row.attnotnull ? ' not null' : ''}`]),
      ),
    ).toEqual(
      Object.fromEntries(
        Object.values(getTableColumns(table)).map((column) => [
          column.name,
          `${spell(column.getSQLType())}${column.notNull ? ' not null' : ''}`,
        ]),
      ),
    )
  })

  test('the primary key is the same', async () => {
    const [row] = await db.sql`
      select array_agg(a.attname order by k.place) as columns from pg_index i, unnest(i.indkey) with ordinality k(attnum, place), pg_attribute a
      where i.indrelid = ${name}::regclass and i.indisprimary and a.attrelid = i.indrelid and a.attnum = k.attnum`
    const config = getTableConfig(table)
    const drizzled =
      config.primaryKeys[0]?.columns.map((column) => column.name) ??
      config.columns.filter((column) => column.primary).map((column) => column.name)
    expect(row!.columns).toEqual(drizzled)
  })
})

test('every primary key, unique constraint and unique index holds project_id, except in the shared tables', async () => {
  const rows = await db.sql`
    select t.relname as "table", i.relname as "index", array_agg(a.attname order by k.place) as columns
    from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = t.relnamespace,
      unnest(x.indkey) with ordinality k(attnum, place) join pg_attribute a on true
    where n.nspname = 'public' and x.indisunique and a.attrelid = t.oid and a.attnum = k.attnum
    group by 1, 2`
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter((row) => !SHARED.includes(row.table) && row.columns[0] !== 'project_id')).toEqual([])
})

test('every table holds project_id and has a primary key, except the shared ones', async () => {
  const rows = await db.sql`
    select c.relname as name,
      exists (select 1 from pg_attribute where attrelid = c.oid and attname = 'project_id' and attnotnull) as owned,
      exists (select 1 from pg_index where indrelid = c.oid and indisprimary) as keyed
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p')`
  expect(
    rows
      .filter((row) => !row.owned)
      .map((row) => row.name)
      .sort(),
  ).toEqual([...SHARED].sort())
  expect(rows.filter((row) => !row.keyed)).toEqual([])
})

test('every foreign key between owned tables holds project_id on both sides', async () => {
  const rows = await db.sql`
    select c.conname as name, c.conrelid::regclass::text as "from", c.confrelid::regclass::text as "to",
      (select array_agg(attname::text) from pg_attribute where attrelid = c.conrelid and attnum = any (c.conkey)) as here,
      (select array_agg(attname::text) from pg_attribute where attrelid = c.confrelid and attnum = any (c.confkey)) as there
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace where n.nspname = 'public' and c.contype = 'f'`
  expect(rows.length).toBeGreaterThan(8)
  const broken = rows.filter((row) => {
    if (SHARED.includes(row.from) || (SHARED.includes(row.to) && row.to !== 'projects')) return false
    return !row.here.includes('project_id') || (row.to !== 'projects' && !row.there.includes('project_id'))
  })
  expect(broken).toEqual([])
})

test('the partitioned tables are the ones the code makes partitions for, each with a default partition', async () => {
  const rows = await db.sql`
    select c.relname as name, a.attname as column, p.partdefid <> 0 as caught from pg_partitioned_table p
    join pg_class c on c.oid = p.partrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]`
  expect(Object.fromEntries(rows.map((row) => [row.name, row.column]))).toEqual(PARTITIONED)
  expect(rows.every((row) => row.caught)).toBe(true)
})

test('kept bytes are stored out of line and uncompressed in every partition', async () => {
  const rows = await db.sql`
    select attrelid::regclass::text as name, attstorage from pg_attribute where attname = 'bytes' and attrelid in (
      select inhrelid from pg_inherits where inhparent = 'received'::regclass union select 'received'::regclass)`
  expect(rows.length).toBeGreaterThan(3)
  expect(rows.filter((row) => row.attstorage !== 'e')).toEqual([])
})
