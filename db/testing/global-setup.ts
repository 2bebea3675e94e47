import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../embedded'
import { migrateDb } from '../migrate'
import { TEMPLATE } from './template'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the test server; its database is not for tests, `testDb()` makes one for each file. */
    databaseUrl: string
  }
}

/** One real server for the whole run, and one migrated database that the others are copied from. */
export default async function setup(project: TestProject) {
  const dir = await mkdtemp(path.join(tmpdir(), 'inquest-test-'))
  const server = await startEmbedded({ dir, settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '100' } })
  const admin = postgres(server.url, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${TEMPLATE}`)
  await admin.end()
  const template = new URL(server.url)
  template.pathname = `/${TEMPLATE}`
  await migrateDb(template.href)
  project.provide('databaseUrl', server.url)
  return async () => {
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  }
}
