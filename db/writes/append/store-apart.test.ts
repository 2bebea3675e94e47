import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeSigner, signChain } from '@/lib/judge/receipts/testing/signed-chain'
import { oddWords } from '@/lib/words/odd-records'
import { ensureProject } from '../../projects'
import { reingest } from '../../rebuild/reingest'
import { Transcript } from '../../seed/transcript'
import { forgetEverything, storedContent } from '../../testing/content'
import { testDb, type TestDb } from '../../testing/test-db'
import { ingestBodies, ingestBody } from '../ingest'
import type { IngestBody } from '../receive/ingest-body'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
  await db.sql.unsafe(`
    create table refused (code text not null, even_without_values boolean not null);
    create function refuse_event() returns trigger language plpgsql as $$
    declare wanted refused%rowtype;
    begin
      select * into wanted from refused;
      if wanted.code is not null and (new.summary like '%poison%' or new.channel = 'receipt' or (wanted.even_without_values and new.odd_reason is not null))
        then raise exception 'refused by the test' using errcode = wanted.code; end if;
      return new;
    end $$;
    create trigger refuse_event before insert on events for each row execute function refuse_event()`)
})
afterEach(async () => {
  await mend()
  await forgetEverything(db)
})
afterAll(() => db.close())

const refuse = (code = '22003', evenWithoutValues = false) =>
  db.sql`insert into refused values (${code}, ${evenWithoutValues})`
const mend = () => db.sql`delete from refused`
const id = (n: number): string => `0e0e0e0e-0000-4000-8000-00000000000${n}`
const session = (n: number, prompt = 'go'): Transcript =>
  new Transcript({ sessionId: id(n) })
    .user(prompt)
    .call('Bash', { command: 'false' }, { fails: 'Exit code 1' })
const body = (text: string, kind: IngestBody['kind'] = 'claude-transcript'): IngestBody => ({
  projectId,
  source: null,
  kind,
  bytes: Buffer.from(text),
})
const events = () =>
  db.sql`select odd_reason, count(*)::int as n from events group by 1 order by 1 nulls first`

test('a refused record is kept as an odd one, and nothing else of its body or of others is held up', async () => {
  await refuse()
  const outcomes = await ingestBodies(db, [
    body(session(1).text),
    body(session(2, 'poison').text),
    body(session(3).text),
  ])
  const answers = outcomes.map((outcome) => ('answer' in outcome ? outcome.answer : outcome.error))
  expect(answers).toEqual([
    expect.objectContaining({ accepted: 3, oddTotal: 0 }),
    expect.objectContaining({
      accepted: 3,
      odd: [
        {
          line: 1,
          byteStart: 0,
          reason: 'unstorable_values',
          detail: 'PostgresError 22003: refused by the test',
        },
      ],
    }),
    expect.objectContaining({ accepted: 3, oddTotal: 0 }),
  ])
  expect(await events()).toEqual([
    { odd_reason: null, n: 8 },
    { odd_reason: 'unstorable_values', n: 1 },
  ])
  expect(await db.sql`select external_id, outcome, records, odd from executions order by 1`).toEqual(
    [1, 2, 3].map((n) => ({ external_id: id(n), outcome: 'failed', records: 3, odd: n === 2 ? 1 : 0 })),
  )
  expect(oddWords('unstorable_values')).toBe('values that the database rejected')
})

test('its bytes are all there: once the database takes it, reingest gives what it would have given at first', async () => {
  const text = session(1, 'poison').text
  await ingestBody(db, body(text))
  const wanted = await storedContent(db)
  await forgetEverything(db)
  await refuse()
  await ingestBody(db, body(text))
  const [received] = await db.sql<{ bytes: Buffer }[]>`select bytes from received`
  expect(received!.bytes.toString()).toBe(text)
  const odd = await storedContent(db)
  expect(await reingest(db)).toMatchObject({ problems: [] })
  expect(await storedContent(db)).toEqual(odd)
  await mend()
  await reingest(db)
  expect(await storedContent(db)).toEqual(wanted)
})

test('sent again it is known, and the session goes on behind it', async () => {
  await refuse()
  const text = session(1, 'poison').text
  await ingestBody(db, body(text))
  expect(await ingestBody(db, body(text))).toMatchObject({ accepted: 0, duplicates: 3 })
  expect(await ingestBody(db, body(session(1, 'poison').says('done').text))).toMatchObject({
    accepted: 1,
    duplicates: 3,
  })
  expect(await db.sql`select records, odd from executions`).toEqual([{ records: 4, odd: 1 }])
})

test('a hook frame among others, too', async () => {
  const frame = (prompt: string, n: number): string =>
    JSON.stringify({ session_id: id(n), hook_event_name: 'UserPromptSubmit', prompt })
  await refuse()
  const answer = await ingestBody(
    db,
    body([frame('go', 1), frame('poison', 2), frame('go', 3)].join('\n'), 'claude-hook'),
  )
  expect(answer).toMatchObject({ accepted: 3, odd: [{ line: 2, reason: 'unstorable_values' }] })
  expect(await db.sql`select external_id, odd from executions order by 1`).toEqual(
    [1, 2, 3].map((n) => ({ external_id: id(n), odd: n === 2 ? 1 : 0 })),
  )
})

test('a body of which a record is refused even without its values is refused, and leaves nothing', async () => {
  await refuse('22003', true)
  await expect(ingestBody(db, body(session(1, 'poison').text))).rejects.toMatchObject({ code: '22003' })
  expect(
    await db.sql`select (select count(*) from events)::int as events, (select count(*) from received)::int as received`,
  ).toEqual([{ events: 0, received: 0 }])
})

test('a receipt is refused with its body: without it, its chain would show a gap', async () => {
  const [text] = await signChain([{ issuer: { session_id: id(1) } }], await makeSigner())
  await refuse()
  await expect(ingestBody(db, body(text!, 'receipts'))).rejects.toMatchObject({ code: '22003' })
  await mend()
  expect(await ingestBody(db, body(text!, 'receipts'))).toMatchObject({ accepted: 1, oddTotal: 0 })
})

test('a database that is away, full or busy refuses the body', async () => {
  for (const code of ['53100', '57014', '42703']) {
    await refuse(code)
    await expect(ingestBody(db, body(session(1, 'poison').text)), code).rejects.toMatchObject({ code })
    await mend()
  }
  expect(await events()).toEqual([])
})
