import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '@/db/client'
import { startEmbedded } from '@/db/embedded'
import { migrateDb } from '@/db/migrate'
import { Transcript } from '@/db/seed/transcript'
import { ingestBody } from '@/db/writes/ingest'
import { ensureProject } from '@/db/projects'

/** Set up by `trace.ts` in front of the bundle that this program is run from. */
declare const moduleTrace: { isOn: boolean; entered: number[] }

const transcript = new Transcript({ sessionId: '0c0c0c0c-0000-4000-8000-000000000001' })
  .user('Make the tests pass')
  .says('I will run them first.')
  .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\n3 failing' })
  .call('Edit', { file_path: '/srv/shop/cart.ts', old_string: 'a', new_string: 'b' }, { ok: 'updated' })
  .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\n1 failing' })
  .says('One test still fails.')

const dir = await mkdtemp(join(tmpdir(), 'inquest-structure-'))
const server = await startEmbedded({
  dir,
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
})
try {
  await migrateDb(server.url)
  const db = openDb(server.url, { max: 2 })
  const project = await ensureProject(db.sql, { slug: 'default', name: 'Default' })
  moduleTrace.isOn = true
  const answer = await ingestBody(db, {
    projectId: project.id,
    source: null,
    kind: 'claude-transcript',
    bytes: new TextEncoder().encode(transcript.text),
    fileName: `p/${transcript.options.sessionId}.jsonl`,
  })
  moduleTrace.isOn = false
  await db.close()
  // An ingest that took nothing in would also leave a short trace.
  if (answer.executions.length !== 1) throw new Error(`the traced ingest answered ${JSON.stringify(answer)}`)
  process.stdout.write(JSON.stringify(moduleTrace.entered))
} finally {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
}
