import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from './ingest'
import { ensureProject } from './projects'

const samples = path.join(import.meta.dirname, '../../../shared/samples/claude-code')

describe.runIf(existsSync(samples))('the sample transcripts', () => {
  let db: TestDb
  let projectId: string
  beforeAll(async () => {
    db = await testDb()
    projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  })
  afterAll(() => db.close())

  test('every line becomes one record, and the totals are those of the README', async () => {
    const files = readdirSync(samples).filter((name) => name.endsWith('.jsonl'))
    const t0 = performance.now()
    for (const name of files) {
      const bytes = readFileSync(path.join(samples, name))
      const answer = await ingestBody(db, { projectId, source: null, kind: 'claude-transcript', bytes, fileName: name })
      const lines = bytes.toString('latin1').split('\n').filter((line) => line.trim() !== '').length
      expect(answer.accepted + answer.duplicates, name).toBe(lines)
    }
    console.log('ms', performance.now() - t0)
    const [sum] = await db.sql`select sum(calls)::int as calls, sum(failed_calls)::int as failed, sum(chains)::int as chains, sum(recovered_chains)::int as recovered, sum(calls_without_result)::int as open, sum(records)::int as records, count(*)::int as n from executions`
    console.log(sum)
    expect(sum).toMatchObject({ calls: 1117, failed: 121, chains: 101, recovered: 35, open: 9 })
  })
})
