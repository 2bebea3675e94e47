import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Transcript } from '../seed/transcript'
import { forgetEverything, storedContent } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBodies, ingestBody } from './ingest'
import type { IngestBody } from './receive/ingest-body'
import { ensureProject } from '../projects'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb({ max: 4 })
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const body = (text: string, fileName: string | null = null): IngestBody => ({
  projectId,
  source: null,
  kind: 'claude-transcript',
  bytes: new TextEncoder().encode(text),
  fileName,
})
const id = (n: number): string => `0b0b0b0b-0000-4000-8000-${String(n).padStart(12, '0')}`
const session = (n: number): Transcript =>
  new Transcript({ sessionId: id(n) })
    .user('me@example.org asks')
    .call('Bash', { command: `npm test ${n}` }, { fails: 'Exit code 1\n3 failing' })
    .call('Bash', { command: `npm test ${n}` }, { ok: 'passing' })

/** Everything that can lie beside each other in a folder: whole, grown, torn, begun alike, of a sub-agent, not of the format at all. */
const pool = (): IngestBody[] => [
  ...[1, 2, 3].map((n) => body(session(n).text, `p/${id(n)}.jsonl`)),
  body(
    session(1)
      .lines.slice(0, 3)
      .map((line) => `${line}\n`)
      .join(''),
    `p/${id(1)}.jsonl`,
  ),
  body(session(1).text.replace('3 failing', '4 failing'), 'p/other.jsonl'),
  body(session(2).text.slice(0, -30)),
  body(session(3).text.slice(0, 40)),
  body(session(4).text.slice(0, 40)),
  body(session(4).text),
  body('not json\n{"type":"nobody knows"}\n'),
  body(
    new Transcript({ sessionId: id(1), agentId: 'a1' })
      .user('look')
      .call('Read', { file_path: '/srv/a.ts' }, { fails: 'File does not exist.' }).text,
    `p/${id(1)}/subagents/agent-a1.jsonl`,
  ),
]

const said = (answer: Awaited<ReturnType<typeof ingestBody>>): unknown => ({
  ...answer,
  executions: answer.executions
    .map(({ externalId, outcome }) => ({ externalId, outcome }))
    .sort((a, b) => (a.externalId < b.externalId ? -1 : 1)),
})

test('bodies that share a transaction leave what they would leave one after the other', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(10), { minLength: 2, maxLength: 6 }), async (picks) => {
      await forgetEverything(db)
      const all = pool()
      const alone = []
      for (const pick of picks) alone.push(said(await ingestBody(db, all[pick]!)))
      const wanted = await storedContent(db)
      await forgetEverything(db)
      const outcomes = await ingestBodies(
        db,
        picks.map((pick) => all[pick]!),
      )
      expect(await storedContent(db)).toEqual(wanted)
      // What an execution is called and counted is the same; its state was reported before the later bodies came.
      const told = outcomes.map((outcome) => ('answer' in outcome ? said(outcome.answer) : outcome.error))
      expect(told.map((one) => ({ ...(one as object), executions: 0 }))).toEqual(
        alone.map((one) => ({ ...(one as object), executions: 0 })),
      )
    }),
    { numRuns: 25, examples: [[[7, 8]], [[6, 2, 10]], [[10, 0]]], endOnFailure: true },
  )
})

test('they are written by one transaction', async () => {
  await ingestBodies(
    db,
    [1, 2, 3, 4].map((n) => body(session(n).text)),
  )
  expect(
    await db.sql`select count(*)::int as events, count(distinct xmin::text)::int as transactions from events`,
  ).toEqual([{ events: 20, transactions: 1 }])
})

test('one that cannot be stored keeps none of the others out', async () => {
  const bad = body(session(2).text)
  await db.sql.unsafe(`
    create function refuse_one() returns trigger language plpgsql as $$ begin if new.external_id = '${id(2)}' then raise exception 'refused by the test'; end if; return new; end $$;
    create trigger refuse_one before insert on execution_keys for each row execute function refuse_one()`)
  try {
    const outcomes = await ingestBodies(db, [body(session(1).text), bad, body(session(3).text)])
    expect(
      outcomes.map((outcome) =>
        'answer' in outcome ? outcome.answer.accepted : (outcome.error as Error).message,
      ),
    ).toEqual([5, 'refused by the test', 5])
    expect(await db.sql`select external_id from executions order by 1`).toEqual([
      { external_id: id(1) },
      { external_id: id(3) },
    ])
  } finally {
    await db.sql`drop function refuse_one cascade`
  }
})
