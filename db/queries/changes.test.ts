import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { limits } from '@/lib/limits'
import { Transcript } from '../seed/transcript'
import { forgetEverything } from '../testing/content'
import { testDb, type TestDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { listChanges, readChangeAt } from './changes'

let db: TestDb
let projectId: string
beforeAll(async () => {
  db = await testDb()
  projectId = (await ensureProject(db.sql, { slug: 'default', name: 'Default' })).id
})
afterEach(() => forgetEverything(db))
afterAll(() => db.close())

const take = async (text: string): Promise<string> =>
  (
    await ingestBody(db, {
      projectId,
      source: null,
      kind: 'claude-transcript',
      bytes: new TextEncoder().encode(text),
    })
  ).executions[0]!.id
const list = (executionId: string, limit = 50, cursor: string | null = null) =>
  listChanges(db, { projectId, executionId, limit, cursor })
const edit = (path: string, before: string, from: string, to: string, lines: string[]) => ({
  filePath: path,
  oldString: from,
  newString: to,
  originalFile: before,
  structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines }],
  userModified: false,
  replaceAll: false,
})
const session = () =>
  new Transcript({ sessionId: 'c1', cwd: '/srv/shop' })
    .user('mend it')
    .call('Edit', {}, { toolResult: edit('/srv/shop/src/a.ts', 'one\n', 'one', 'two', ['-one', '+two']) })
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\n1 failed' })
    .call(
      'Edit',
      {},
      { toolResult: edit('/srv/shop/src/a.ts', '\ttwo\n', 'two', 'three', ['-  two', '+  three']) },
    )
    .call('Edit', {}, { fails: 'String to replace not found' })
    .call(
      'Write',
      {},
      {
        toolResult: {
          type: 'create',
          filePath: '/elsewhere/n.md',
          content: 'n\n',
          structuredPatch: [],
          originalFile: null,
        },
      },
    )
    .call('Edit', {}, { toolResult: edit('/srv/shop/b', 'other\n', 'x', 'y', ['-x', '+y']) })
    .call('Edit', {}, { ok: 'done' })
    .call(
      'MultiEdit',
      {},
      {
        toolResult: {
          filePath: '/srv/shop/c',
          edits: [],
          structuredPatch: [{ oldStart: 1, newStart: 1, lines: ['-x', '+y'] }],
        },
      },
    )

test('what the agent changed, in order, with how far it can be trusted and on which side of the first failure', async () => {
  const id = await take(session().text)
  const { items, nextCursor } = await list(id)
  expect(
    items.map(({ ordinal, tool, name, fit, additions, deletions, afterFailure }) => [
      ordinal,
      tool,
      name,
      fit,
      additions,
      deletions,
      afterFailure,
    ]),
  ).toEqual([
    [0, 'Edit', 'src/a.ts', 'fits', 1, 1, false],
    [2, 'Edit', 'src/a.ts', 'blanks', 1, 1, true],
    [4, 'Write', 'elsewhere/n.md', 'created', 1, 0, true],
    [5, 'Edit', 'b', 'does-not-fit', 1, 1, true],
    [7, 'MultiEdit', 'c', 'no-original', 1, 1, true],
  ])
  expect(nextCursor).toBeNull()
  expect((await readChangeAt(db, projectId, id, 2))!.patch).toBe(
    'Assembled by Inquest from the transcript, not proposed by anybody\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,1 +1,1 @@\n-\ttwo\n+\tthree\n',
  )
  for (const nothing of [1, 3, 6, 99]) expect(await readChangeAt(db, projectId, id, nothing)).toBeNull()
  // The bytes it was read from are its record.
  const { pointer, callId } = items[0]!
  const [{ text } = { text: '' }] = await db.sql<{ text: string }[]>`
    select convert_from(substring(r.bytes from ${pointer.byteStart + 1}::int for ${pointer.byteEnd - pointer.byteStart}::int), 'UTF8') as text from received r where sha256 = ${pointer.received}`
  expect(JSON.parse(text)).toMatchObject({ message: { content: [{ tool_use_id: callId }] } })
})

test('pages tile the list, also where a call on them changed nothing', async () => {
  const id = await take(session().text)
  const seen: number[] = []
  let cursor: string | null = null
  do {
    const page = await list(id, 2, cursor)
    seen.push(...page.items.map(({ ordinal }) => ordinal))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(seen).toEqual([0, 2, 4, 5, 7])
})

test('in an execution without a failure nothing came before or after one; a record that is too large is named and not read', async () => {
  const text = 'x'.repeat(limits.changeBytesMax)
  const id = await take(
    new Transcript({ sessionId: 'c2' })
      .user('go')
      .call(
        'Write',
        {},
        {
          toolResult: {
            type: 'create',
            filePath: '/n',
            content: text,
            structuredPatch: [],
            originalFile: null,
          },
        },
      )
      .says('done').text,
  )
  const { items } = await list(id)
  expect(items.map(({ fit, afterFailure, hunks }) => [fit, afterFailure, hunks])).toEqual([
    ['too-large', null, 0],
  ])
  expect(await readChangeAt(db, projectId, id, 0)).toMatchObject({ fit: 'too-large', patch: null })
})

test('a recorded session whose parts came one by one', async () => {
  const bytes = readFileSync(
    join(process.cwd(), '../shared/samples/claude-code/entire-00-c9e2351016-3.jsonl'),
  )
  const recorded = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.includes('"structuredPatch"')).length
  const half = bytes.indexOf(0x0a, bytes.length / 2) + 1
  const body = { projectId, source: null, kind: 'claude-transcript' as const }
  const { streamId } = await ingestBody(db, { ...body, bytes: new Uint8Array(bytes.subarray(0, half)) })
  const { executions } = await ingestBody(db, {
    ...body,
    bytes: new Uint8Array(bytes.subarray(half)),
    streamId,
    offset: half,
  })
  const { items } = await list(executions[0]!.id)
  expect(recorded).toBeGreaterThan(0)
  expect(items).toHaveLength(Math.min(recorded, limits.changesPageMax))
})
