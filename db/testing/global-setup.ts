import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../embedded'
import { migrateDb } from '../migrate'
import { scratchRoot } from './scratch-root'
import { SEEDED_TEMPLATE, TEMPLATE } from './template'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the test server; its database is not for tests, `testDb()` makes one for each file. */
    databaseUrl: string
  }
}

/**
 * One real server for the whole run, and one migrated database that the others are copied from. `INQUEST_TEST_DATABASE_URL` names another
 * server (a superuser's address) to try an older PostgreSQL: only databases that the run made itself are dropped there.
 */
export default async function setup(project: TestProject) {
  const server = await testServer(process.env.INQUEST_TEST_DATABASE_URL)
  const onServer = async (statement: string) => {
    const admin = postgres(server.url, { max: 1, onnotice: () => {} })
    await admin.unsafe(statement).finally(() => admin.end())
  }
  await onServer(`create database ${TEMPLATE}`)
  const template = new URL(server.url)
  template.pathname = `/${TEMPLATE}`
  await migrateDb(template.href)
  project.provide('databaseUrl', server.url)
  return async () => {
    for (const name of [TEMPLATE, SEEDED_TEMPLATE]) await onServer(`drop database if exists ${name}`)
    await server.stop()
  }
}

async function testServer(url: string | undefined): Promise<{ url: string; stop: () => Promise<void> }> {
  if (url) return { url, stop: async () => {} }
  const dir = await mkdtemp(path.join(scratchRoot(), 'inquest-test-'))
  const server = await startEmbedded({
    dir,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '100' },
  })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
