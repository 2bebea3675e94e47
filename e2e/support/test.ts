import { randomUUID } from 'node:crypto'
import { test as base, expect, type APIRequestContext } from '@playwright/test'
import type { ExecutionDetail, IngestAnswer } from '../../lib/api/schemas'
import { links } from '../../lib/links'
import { Transcript } from '../../db/seed/transcript'

export { expect }

export const server = () => ({ url: process.env.INQUEST_E2E_URL!, token: process.env.INQUEST_E2E_TOKEN!, storage: process.env.INQUEST_E2E_STORAGE! })

interface Seed {
  /** A transcript of a session of its own; nothing is sent until `send`. */
  transcript: (options?: { branch?: string; cwd?: string; agentId?: string; sessionId?: string }) => Transcript
  send: (body: string | Buffer | Transcript, kind?: string, headers?: Record<string, string>) => Promise<IngestAnswer>
  read: (id: string) => Promise<ExecutionDetail>
}

export const seedWith = (request: APIRequestContext, url = server().url, token = server().token): Seed => ({
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
  read: async (id) => {
    const answer = await request.get(`${url}${links.api.execution(id)}`, { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`)
    return answer.json()
  },
})

/** Every test is signed in as the admin and seeds its own sessions; `page` starts at nothing. */
export const test = base.extend<{ seed: Seed }>({
  baseURL: async ({}, use) => use(server().url),
  storageState: async ({}, use) => use(server().storage),
  seed: async ({ playwright }, use) => {
    // A context of its own: no cookies, only the key.
    const request = await playwright.request.newContext()
    await use(seedWith(request))
    await request.dispose()
  },
})
