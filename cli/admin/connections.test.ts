import { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ConnectionCheck, ConnectionItem } from '@/lib/api/connection-schemas'
import { links } from '@/lib/links'
import { createOutput } from '../output'
import { makeFolder, runCli, serverEnv } from '../testing/run-cli'
import { startTestServer, type TestServer } from '../testing/test-server'
import { addSource } from './connections'

const item: ConnectionItem = {
  id: '0199a000-0000-7000-8000-000000000000',
  project: 'default',
  sourceId: 's',
  name: 'staging',
  kind: 'noetl',
  baseUrl: 'https://noetl.example/',
  headerName: 'Authorization',
  hasCredential: true,
  hasDatabase: false,
  tables: null,
  allowPrivate: false,
  enabled: true,
  intervalSeconds: 60,
  state: 'failing',
  executions: { known: 3, open: 1, untaken: 0 },
  createdAt: '2026-01-01T00:00:00Z',
  lastPolledAt: null,
  lastOkAt: null,
  lastError: { kind: 'down', text: 'Nothing answered at this address.' },
  failures: 1,
  nextAt: null,
}
const read: ConnectionCheck = { ok: true, dialect: 'python', executions: 2, failure: null, run: null }

let server: TestServer
let folder: ReturnType<typeof makeFolder>
let check: ConnectionCheck
beforeEach(async () => {
  server = await startTestServer()
  folder = makeFolder()
  check = read
  server.intercept = ({ path, method }, response) => {
    const answer = path.endsWith('/check')
      ? check
      : method === 'GET'
        ? { items: [item], nextCursor: null }
        : item
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    return true
  }
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const cli = (args: string[], more: Record<string, string> = {}) =>
  runCli(['source', ...args], { ...serverEnv(server.url, folder.path), ...more })
const sent = () =>
  server.requests.map(({ method, path, body }) => [
    method,
    path,
    body.length === 0 ? null : (JSON.parse(body.toString()) as unknown),
  ])
const ADD = ['add', '--name', 'staging', '--address', 'https://noetl.example']

test('the credential comes from the environment, and is printed nowhere', async () => {
  const { code, out, err } = await cli([...ADD, '--allow-private', '--interval', '30', '--json'], {
    INQUEST_SOURCE_CREDENTIAL: 'Bearer very-secret',
  })
  expect(code).toBe(0)
  expect(sent()).toEqual([
    [
      'POST',
      links.api.connections(),
      {
        name: 'staging',
        baseUrl: 'https://noetl.example',
        allowPrivate: true,
        intervalSeconds: 30,
        header: { name: 'Authorization', value: 'Bearer very-secret' },
      },
    ],
  ])
  expect(out + err).not.toContain('very-secret')
})

test('or from standard input, where an empty one is refused', async () => {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const add = (stdin: string[]) =>
    addSource(
      { name: 'staging', address: 'https://noetl.example', header: 'X-Key', credentialStdin: true },
      serverEnv(server.url, folder.path),
      createOutput(false, nowhere, nowhere),
      Readable.from(stdin),
    )
  expect(await add(['very-', 'secret\n'])).toBe('fine')
  expect(sent()[0]![2]).toMatchObject({ header: { name: 'X-Key', value: 'very-secret' } })
  await expect(add(['\n'])).rejects.toMatchObject({ exit: 'usage' })
})

test('without one the server is asked without a header, and there is no option that takes it', async () => {
  await cli(ADD)
  expect(sent()).toEqual([
    ['POST', links.api.connections(), { name: 'staging', baseUrl: 'https://noetl.example' }],
  ])
  expect((await cli([...ADD, '--credential', 'x'])).code).toBe(2)
})

test('list and remove', async () => {
  const listed = await cli(['list'])
  expect(listed.out).toContain('Nothing answered at this address.')
  expect((await cli(['remove', item.id])).code).toBe(0)
  expect(sent().at(-1)).toEqual(['DELETE', links.api.connection(item.id), null])
})

test('the status of a check tells what came', async () => {
  const cases: [ConnectionCheck, number][] = [
    [read, 0],
    [{ ...read, ok: false, failure: { kind: 'down', text: 'Nothing answered at this address.' } }, 1],
    [{ ...read, run: { state: 'read', complete: true, characters: 12, why: null } }, 0],
    [{ ...read, run: { state: 'read', complete: false, characters: 12, why: null } }, 1],
    [
      {
        ...read,
        run: { state: 'unreadable', complete: null, characters: null, why: 'The answer took too long.' },
      },
      1,
    ],
  ]
  for (const [answer, status] of cases) {
    check = answer
    expect((await cli(['check', item.id, '--run', '620'])).code, JSON.stringify(answer)).toBe(status)
  }
  expect(sent()[0]).toEqual(['POST', links.api.connectionCheck(item.id), { run: '620' }])
})
