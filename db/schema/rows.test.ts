import { expectTypeOf, test } from 'vitest'
import type { Pointer } from '@/lib/model/execution'
import type { RowOf, TableName } from './rows'

// Checked by tsc.
test('a row has the columns of its table, by either name, as the raw client reads them', () => {
  expectTypeOf<
    RowOf<'executions', 'external_id' | 'endedAt' | 'cause_pointer' | 'records'>
  >().branded.toEqualTypeOf<{
    external_id: string
    endedAt: string | null
    cause_pointer: Pointer | null
    records: number
  }>()
  // A `moment` is a Date for better-auth alone.
  expectTypeOf<RowOf<'people', 'created_at'>['created_at']>().toEqualTypeOf<string>()
  expectTypeOf<RowOf<'fix_files', 'fix_id'>['fix_id']>().toEqualTypeOf<string>()
  // @ts-expect-error a column of another table
  expectTypeOf<RowOf<'people', 'external_id'>>()
  // @ts-expect-error no table
  expectTypeOf<RowOf<'persons', 'id'>>()
})

test('names of tables are known to the letter', () => {
  expectTypeOf<string extends TableName ? true : false>().toEqualTypeOf<false>()
})
