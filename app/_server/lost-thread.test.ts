import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as ingest from '@/app/api/v1/ingest/[kind]/route'
import { isPassing } from '@/cli/http'
import { Transcript } from '@/db/seed/transcript'
import { createIngestThreads, type IngestThreads } from '@/db/threads/ingest-threads'
import { problemDocument } from '@/lib/api/schemas'
import { ask, openWorld, type World } from './test-support'

const SHARED = Symbol.for('inquest.threads')
const folder = mkdtempSync(join(tmpdir(), 'inquest-lost-thread-'))
let world: World
let threads: IngestThreads
beforeAll(async () => {
  world = await openWorld()
  const script = join(folder, 'ends.mjs')
  writeFileSync(
    script,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', () => process.exit(1))`,
  )
  threads = createIngestThreads({ url: 'postgres://127.0.0.1:9/none', script })
  Object.assign(globalThis, { [SHARED]: { ingest: threads } })
})
afterAll(async () => {
  Object.assign(globalThis, { [SHARED]: undefined })
  await threads.close()
  rmSync(folder, { recursive: true })
  await world.close()
})

test('a body whose thread ends is answered as something to send again, which the command line does', async () => {
  const answer = await ask(ingest.POST, '/api/v1/ingest/claude-transcript', {
    method: 'POST',
    params: { kind: 'claude-transcript' },
    key: await world.key(['ingest']),
    body: new Transcript({ sessionId: 'with-a-lost-thread' }).user('Go.').text,
  })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  expect(isPassing({ status: answer.status, json: null })).toBe(true)
  expect(problemDocument.parse(await answer.json())).toMatchObject({
    type: '/problems/busy',
    detail: expect.stringContaining('nothing is stored twice'),
  })
})
