import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { linesOf, startRecord } from './record-run'
import type { Line, RecordRun, RunningRecord } from './record-run'
import { makeFolder, serverEnv } from './run-cli'
import { startTestServer } from './test-server'
import type { TestServer } from './test-server'

/** What tests of `record` share: a server and a folder for each test, and the built program. */
export interface RecordFixture {
  readonly server: TestServer
  readonly folder: ReturnType<typeof makeFolder>
  /** With the words as they are. */
  run(words: string[]): Promise<RecordRun>
  start(options: string[], command: string[], env?: Record<string, string>): RunningRecord
  record(options: string[], command: string[], env?: Record<string, string>): Promise<RecordRun>
  /** Where records wait for the server that `INQUEST_URL` names. */
  spool(): string
  /** Bodies that came through the endpoint of a kind. */
  bodies(kind: string): Buffer[]
  /** Lines of the records that came. */
  document(): Line[]
}

export function useRecords(): RecordFixture {
  let server: TestServer
  let folder: ReturnType<typeof makeFolder>
  beforeEach(async () => {
    server = await startTestServer()
    folder = makeFolder()
    mkdirSync(join(folder.path, 'work'))
  })
  afterEach(async () => {
    await server.stop()
    folder.remove()
  })
  const run = (words: string[], env: Record<string, string> = {}): RunningRecord =>
    startRecord(words, {
      cwd: join(folder.path, 'work'),
      env: { ...serverEnv(server.url, folder.path), ...env },
    })
  const start: RecordFixture['start'] = (options, command, env) => run([...options, '--', ...command], env)
  const bodies: RecordFixture['bodies'] = (kind) =>
    server.requests
      .filter(({ method, path }) => method === 'POST' && path.endsWith(`/ingest/${kind}`))
      .map(({ body }) => body)
  return {
    get server() {
      return server
    },
    get folder() {
      return folder
    },
    run: (words) => run(words).done,
    start,
    record: (options, command, env) => start(options, command, env).done,
    spool: () => join(folder.path, 'state', 'spool', 'for', encodeURIComponent(new URL(server.url).host)),
    bodies,
    document: () => linesOf(Buffer.concat(bodies('record'))),
  }
}
