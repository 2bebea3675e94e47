import { afterAll, beforeAll, test } from 'vitest'
import { testDb, type TestDb } from '@/db/testing/test-db'
import { SOURCES } from './sources'
import { expectRecorded } from './testing'

let db: TestDb
beforeAll(async () => {
  db = await testDb({ max: 6 })
})
afterAll(() => db.close())

test(
  'all other inputs lead to the conclusions of the golden record',
  () => expectRecorded(db, SOURCES.others),
  300_000,
)
