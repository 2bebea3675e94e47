import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '@/lib/limits'
import { serverFindings } from './admin/findings'
import { askServer, createClient, type Client } from './http'
import { readSettings } from './settings'
import { startTestServer, type TestServer } from './testing/test-server'

let state: string
let dead: string
let living: TestServer
let client: Client | undefined
beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), 'inquest-state-'))
  mkdirSync(join(state, 'servers'))
  const gone = await startTestServer()
  dead = gone.url
  await gone.stop()
  living = await startTestServer()
  living.intercept = ({ headers }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ with: headers.authorization }))
    return true
  }
  write('server.json', { url: dead, token: 'of-dead', since: 3 })
  write('servers/1-a.json', { url: dead, token: 'of-dead', since: 3 })
})
afterEach(async () => {
  client?.close()
  await living.stop()
  rmSync(state, { recursive: true })
})

function write(name: string, server: object, mode = 0o600): void {
  writeFileSync(join(state, name), JSON.stringify(server))
  chmodSync(join(state, name), mode)
}

const askAny = (env: Record<string, string> = {}): Promise<unknown> => {
  client = createClient(readSettings({ INQUEST_STATE: state, ...env }))
  return askServer(client, { method: 'GET', path: '/api/v1/tokens' })
}

test('where the server that server.json names refuses the connection, another of this machine is asked', async () => {
  write('servers/2-b.json', { url: dead, token: 'of-dead-too', since: 2 })
  write('servers/3-c.json', { url: living.url, token: 'of-living', since: 1 })
  expect(await askAny()).toEqual({ with: 'Bearer of-living' })
  expect(client!.settings.url.origin).toBe(living.url)
  // And stays so.
  expect(await askServer(client!, { method: 'GET', path: '/' })).toEqual({ with: 'Bearer of-living' })
})

test('doctor names the server that answered', async () => {
  write('servers/3-c.json', { url: living.url, token: 'of-living', since: 1 })
  client = createClient(readSettings({ INQUEST_STATE: state }))
  const [server] = await serverFindings(client)
  expect(server!.says).toBe(`${living.url} (server.json names ${dead}, which does not answer) answers`)
})

test('where none answers, the one that server.json names did not', async () => {
  await expect(askAny()).rejects.toThrow(`${dead} did not answer: connection refused.`)
})

test('a server that others could have written down, or that was silent for long, is not asked', async () => {
  write('servers/3-c.json', { url: living.url, token: 'of-living', since: 1 }, 0o644)
  await expect(askAny()).rejects.toThrow('connection refused')
  write('servers/3-c.json', { url: living.url, token: 'of-living', since: 1 })
  const then = new Date(Date.now() - limits.localKeyMinutes * 60_000 - 1_000)
  utimesSync(join(state, 'servers/3-c.json'), then, then)
  await expect(askAny()).rejects.toThrow('connection refused')
  expect(living.requests).toEqual([])
})

test('a server that the environment names has no other', async () => {
  write('servers/3-c.json', { url: living.url, token: 'of-living', since: 1 })
  await expect(askAny({ INQUEST_URL: dead, INQUEST_TOKEN: 'key' })).rejects.toThrow('connection refused')
  expect(living.requests).toEqual([])
})
