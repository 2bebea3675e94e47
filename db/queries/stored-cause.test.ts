import { expect, test } from 'vitest'
import { emptyFilter } from '@/lib/views/executions/filter'
import { Transcript } from '../seed/transcript'
import { testDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { readExecution } from './execution'
import { listExecutions } from './executions'

test('a cause and an outcome are read in the words of today, where their rules are known', async () => {
  const db = await testDb()
  try {
    const projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
    const transcript = new Transcript({ sessionId: '0d0d0d0d-0000-4000-8000-00000000000b' })
      .user('build it')
      .call('Bash', { command: 'go build ./...' }, { fails: 'Exit code 1\nundefined: parseFlags' })
    await ingestBody(db, {
      projectId,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(transcript.text),
    })
    const [row] = await db.sql<{ id: string }[]>`select id from executions`
    const read = async () => (await readExecution(db, [projectId], row!.id))!
    const found = await read()
    expect(found).toMatchObject({
      outcomeRule: 'failed_call_last',
      outcomeParams: { by: 'session' },
      cause: { rule: 'call_failed_last', category: 'tool_failure' },
      causeParams: {
        attempts: 1,
        call: { tool: 'Bash', number: 1, exitCode: 1 },
        error: 'undefined: parseFlags',
      },
      causeEarlier: null,
    })
    expect(found.cause!.headline.length).toBeLessThanOrEqual(90)

    // What a row says of another day is worded anew by its rule.
    await db.sql`update executions set cause_text = 'as it was worded then', outcome_because = 'as it was'`
    expect(await read()).toMatchObject({ cause: found.cause, outcomeBecause: found.outcomeBecause })
    const filter = { projectIds: [projectId], filter: emptyFilter() }
    expect((await listExecutions(db, filter)).items[0]!.cause).toEqual(found.cause)

    await db.sql`update executions set cause_rule = 'brand_new', outcome_rule = 'brand_new'`
    expect(await read()).toMatchObject({
      cause: { text: 'as it was worded then', rule: 'brand_new' },
      outcomeBecause: 'as it was',
    })
    await db.sql`update executions set cause_rule = null, cause_params = null, outcome_params = null`
    expect((await read()).cause).toMatchObject({ text: 'as it was worded then', rule: null })
  } finally {
    await db.close()
  }
})
