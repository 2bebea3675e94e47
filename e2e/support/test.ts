import { randomUUID } from 'node:crypto'
import { test as base, expect, type APIRequestContext, type Browser, type Page } from '@playwright/test'
import type { ExecutionDetail } from '../../lib/api/schemas'
import type { IngestAnswer } from '../../lib/api/ingest-schemas'
import { links } from '../../lib/links'
import { recordedRun, type RecordedRun } from '../../lib/sample/recorded-run'
import { Transcript, type TranscriptOptions } from '../../db/seed/transcript'
import { makeFolder, type Folder } from './folder'
import { type Inquest, killDatabase, startInquest } from './server'

export { expect }

export const server = () => ({
  url: process.env.INQUEST_E2E_URL!,
  token: process.env.INQUEST_E2E_TOKEN!,
  storage: process.env.INQUEST_E2E_STORAGE!,
  stateDir: process.env.INQUEST_E2E_STATE!,
  mirrors: process.env.INQUEST_E2E_MIRRORS!,
})

interface Seed {
  /** A transcript of a session of its own; nothing is sent until `send`. */
  transcript: (options?: Partial<TranscriptOptions>) => Transcript
  send: (
    body: string | Buffer | Transcript,
    kind?: string,
    headers?: Record<string, string>,
  ) => Promise<IngestAnswer>
  /** Sends it and answers the id of its execution. */
  execution: (transcript: Transcript) => Promise<string>
  /** A recorded run of a session of its own: what it printed and the record of its process; answers the id of its execution. */
  run: (run: Omit<RecordedRun, 'id'>) => Promise<string>
  read: (id: string) => Promise<ExecutionDetail>
}

export const seedWith = (
  request: APIRequestContext,
  { url, token }: { url: string; token: string } = server(),
): Seed => {
  const seed: Seed = {
    transcript: (options = {}) => new Transcript({ sessionId: randomUUID(), ...options }),
    send: async (body, kind = 'claude-transcript', headers = {}) => {
      const data = body instanceof Transcript ? body.text : body
      const answer = await request.post(`${url}${links.api.ingest(kind)}`, {
        data: Buffer.isBuffer(data) ? data : Buffer.from(data),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson', ...headers },
      })
      if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`)
      return answer.json()
    },
    execution: async (transcript) => {
      const { executions } = await seed.send(transcript)
      return executions.find((execution) => execution.externalId.startsWith(transcript.options.sessionId))!.id
    },
    run: async (given) => {
      const { stream, record } = recordedRun({ id: randomUUID(), ...given })
      if (stream !== null) await seed.send(stream, 'claude-stream')
      return (await seed.send(record, 'record')).executions[0]!.id
    },
    read: async (id) => {
      const answer = await request.get(`${url}${links.api.execution(id)}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`)
      return answer.json()
    },
  }
  return seed
}

interface Own {
  folder: Folder
  /** Starts a server on this test's own folder; whatever runs when the test is over is ended. */
  start: (env?: Record<string, string>) => Promise<Inquest>
}

/** For journeys that need a server of their own: nobody is signed in, nothing is stored. */
export const ownTest = base.extend<{ own: Own }>({
  own: async ({}, use) => {
    const folder = makeFolder()
    const started: Inquest[] = []
    await use({
      folder,
      start: async (env) => {
        const inquest = await startInquest(folder.path, env)
        started.push(inquest)
        return inquest
      },
    })
    for (const inquest of started) await inquest.stop()
    await killDatabase(`${folder.path}/data`)
    folder.remove()
  },
})

/** Every test is signed in as the admin and seeds its own sessions; `page` starts at nothing. */
export const test = base.extend<{ seed: Seed; folder: Folder }>({
  baseURL: async ({}, use) => use(server().url),
  storageState: async ({}, use) => use(server().storage),
  seed: async ({ playwright }, use) => {
    // A context of its own: no cookies, only the key.
    const request = await playwright.request.newContext({ storageState: { cookies: [], origins: [] } })
    await use(seedWith(request))
    await request.dispose()
  },
  folder: async ({}, use) => {
    const folder = makeFolder()
    await use(folder)
    folder.remove()
  },
})

/** A signed-out window. */
export const someoneElse = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ baseURL: server().url, storageState: { cookies: [], origins: [] } })).newPage()
