import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { fixProposal } from '@/lib/api/fix-schemas'
import { readFix } from '../queries/fix'
import { Transcript } from '../seed/transcript'
import { forgetEverything } from '../testing/content'
import { testDb } from '../testing/test-db'
import { ingestBody } from '../writes/ingest'
import { ensureProject } from '../projects'
import { proposeFix } from '../fixes/propose-fix'
import { reingest } from '../rebuild/reingest'
import { rereadFixes } from '../fixes/reread-fixes'
import { createPatchReader, type PatchReaderOptions } from './patch-reader'
import { readPatch, type FixStore, type PatchReader } from '../fixes/patch-reader'

const script = path.resolve(import.meta.dirname, '../../dist/patch-thread.mjs')
const db = await testDb()
const project = await ensureProject(db.sql, { slug: 'readers', name: 'Readers' })
const folder = mkdtempSync(path.join(tmpdir(), 'inquest-reader-'))
let open: ReturnType<typeof createPatchReader>[] = []
let executionId: string
/** Who reads patches; here when nobody does. */
let patches: PatchReader | undefined
const store = (): FixStore => ({ sql: db.sql, patches })

beforeEach(async () => {
  const { text } = new Transcript({ sessionId: '0a0a0a0a-0000-4000-8000-0000000000f1' })
    .user('go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 2' })
  executionId = (
    await ingestBody(db, {
      projectId: project.id,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(text),
    })
  ).executions[0]!.id
})
afterEach(async () => {
  patches = undefined
  await Promise.all(open.map((reader) => reader.close()))
  open = []
  await forgetEverything(db)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await db.close()
})

function reader(options: Partial<PatchReaderOptions> = {}): ReturnType<typeof createPatchReader> {
  const made = createPatchReader({ url: db.url, script, ...options })
  open.push(made)
  return made
}
/** A thread that does something else first. */
function scriptThat(name: string, does: string): string {
  const file = path.join(folder, `${name}.mjs`)
  writeFileSync(file, does)
  return file
}
const patch = (line: string): string => `--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+${line}\n`
async function propose(line = 'new'): Promise<string> {
  const done = await proposeFix(store(), {
    projectId: project.id,
    executionId,
    bytes: Buffer.from(patch(line)),
    proposal: fixProposal.parse({ task: 't' }),
    actor: 'key:k',
    actorName: 'Loop',
  })
  if (!('fixId' in done)) throw new Error('refused')
  return done.fixId
}
const fix = async (id: string) =>
  (await readFix(db, {
    projectIds: [project.id],
    id,
    reader: { actor: 'person:p', reviewsIn: [project.id] },
  }))!

test('a patch is read in the thread as it would be here', async () => {
  const here = await fix(await propose('here'))
  patches = reader()
  const there = await fix(await propose('there'))
  expect(there).toMatchObject({
    reading: here.reading,
    facts: { ...here.facts, longestLine: expect.any(Number) },
    secretLines: [],
    files: [{ name: 'f', additions: 1 }],
  })
})

test('one that takes too long is ended and kept; the next is read by another thread, and that one when it is asked for again', async () => {
  const errors: string[] = []
  patches = reader({
    script: scriptThat('ever', 'for (;;);'),
    limitMs: 200,
    onError: (message) => errors.push(message),
  })
  const id = await propose()
  expect(await fix(id)).toMatchObject({
    reading: {
      verdict: 'unknown',
      safe: false,
      blocking: ['not-read'],
      problem: expect.stringMatching(/^Reading it took longer/),
    },
    size: patch('new').length,
    files: [],
  })
  expect(errors).toEqual([])
  // A start of the server tries each once, however it ends.
  expect(await rereadFixes(store())).toBe(1)
  expect((await fix(id)).reading.verdict).toBe('unknown')
  patches = reader()
  await reingest(store(), { projectId: project.id })
  expect((await fix(id)).reading).toMatchObject({ verdict: 'ok', blocking: [] })
})

test('one whose thread dies is kept, and the next is read', async () => {
  const once = scriptThat(
    'dies',
    `import { existsSync, writeFileSync } from 'node:fs'
    import { parentPort } from 'node:worker_threads'
    const mark = ${JSON.stringify(path.join(folder, 'died'))}
    if (existsSync(mark)) await import(${JSON.stringify(pathToFileURL(script).href)})
    else parentPort.once('message', () => { writeFileSync(mark, ''); process.exit(1) })`,
  )
  patches = reader({ script: once })
  const [first, second] = await Promise.all([propose('one'), propose('two')])
  const read = [(await fix(first)).reading, (await fix(second)).reading]
  expect(read.map(({ verdict }) => verdict).sort()).toEqual(['ok', 'unknown'])
  expect(read.find(({ verdict }) => verdict === 'unknown')!.problem).toBe('Reading it failed.')
})

test('an error is told and noted, and the thread goes on', async () => {
  const errors: string[] = []
  const id = await propose()
  await db.sql`update fix_standing set rules = 'older' where fix_id = ${id}`
  await db.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`delete from patches`
    await tx`insert into patches (project_id, sha256, size, bytes) select project_id, patch_sha256, -1, '' from fixes`
  })
  const { read } = reader({ onError: (message) => errors.push(message) })
  await read({ projectId: project.id, fixId: id })
  expect(errors).toEqual([expect.stringMatching(/could not be read: RangeError/)])
  // What was read by older rules stays as it was.
  expect((await fix(id)).reading.verdict).toBe('ok')
  await read({ projectId: project.id, fixId: id })
  expect(errors).toHaveLength(2)
})

test('closing ends what is begun, and leaves the rest to the next start', async () => {
  const made = reader()
  patches = made
  const begun = propose()
  const id = await begun
  await made.close()
  await db.sql`update fix_standing set rules = 'older' where fix_id = ${id}`
  await readPatch(store(), { projectId: project.id, fixId: id })
  expect(await db.sql`select rules from fix_standing`).toEqual([{ rules: 'older' }])
  patches = undefined
  expect(await rereadFixes(store())).toBe(1)
})
