import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startEmbedded, type Embedded } from '../embedded'
import { selfSigned } from '../testing/self-signed'
import { openTables } from './tables-client'
import type { TablesError } from './tables-problem'
import { mayBePlain } from './tables-socket'

test.each([
  [null, '127.0.0.1', true],
  ['disable', '::1', true],
  [null, '10.1.2.3', true],
  [null, '::ffff:192.168.0.7', true],
  [null, '8.8.8.8', false],
  ['disable', '2606:4700::1111', false],
  [null, undefined, false],
  ['require', '127.0.0.1', false],
  ['prefer', '127.0.0.1', false],
  ['allow', '10.1.2.3', false],
  ['verify-ca', '10.1.2.3', false],
  ['verify-full', '::1', false],
  ['no', '127.0.0.1', false],
] as const)('sslmode %s at %s may be in the clear: %s', (sslmode, address, plain) =>
  expect(mayBePlain(sslmode, address)).toBe(plain),
)

const problem = async (url: string): Promise<string> => {
  const tables = openTables(url, { allowPrivate: true })
  try {
    return await tables.read(async (sql) => ((await sql`select version() as v`)[0] as { v: string }).v)
  } catch (error) {
    return (error as TablesError).problem
  } finally {
    await tables.close()
  }
}
const ENCRYPTED = ['require', 'prefer', 'allow', 'verify-ca', 'verify-full']

describe('a server that writes down what it is told', () => {
  let server: ReturnType<typeof createServer>
  let port: number
  const told: string[] = []
  let answer = 'S'
  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (first) => {
        const asksForTls = first.readInt32BE(4) === 80877103
        if (!asksForTls) return listen(socket, 'plain', first)
        socket.write(answer)
        if (answer !== 'S') return listen(socket, 'plain')
        const secure = new TLSSocket(socket, { isServer: true, ...selfSigned })
        secure.on('error', () => {})
        listen(secure, 'encrypted')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterEach(() => told.splice(0))
  afterAll(() => void server.close())

  /** Asks for the password as it is, as nobody should. */
  function listen(socket: Socket, how: string, first?: Buffer): void {
    const hear = (chunk: Buffer): void => {
      told.push(`${how} ${chunk.includes('s3cret') ? 'password' : 'words'}`)
      if (chunk.includes('s3cret')) socket.destroy()
      else socket.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3]))
    }
    if (first) hear(first)
    socket.on('data', hear)
  }
  const ask = (sslmode: string | null) =>
    problem(
      `postgres://reader:s3cret@127.0.0.1:${port}/noetl${sslmode === null ? '' : `?sslmode=${sslmode}`}`,
    )

  test.each(ENCRYPTED)(
    'is told nothing under sslmode=%s when its certificate does not hold',
    async (sslmode) => {
      expect(await ask(sslmode)).toBe('certificate')
      expect(told).toEqual([])
    },
  )

  test('is told nothing when it does not encrypt, nor when it says more than that it does', async () => {
    for (answer of ['N', 'E', 'Sx']) expect([answer, await ask('require')]).toEqual([answer, 'not_encrypted'])
    answer = 'S'
    expect(told).toEqual([])
  })

  test('hears the password in the clear on this machine, where nothing else was asked for', async () => {
    for (const sslmode of [null, 'disable']) {
      expect(await ask(sslmode)).toBe('unreachable')
      expect(new Set(told.splice(0))).toEqual(new Set(['plain words', 'plain password']))
    }
  })
})

describe('a PostgreSQL with TLS', () => {
  let dir: string
  let server: Embedded
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'inquest-tls-'))
    server = await startEmbedded({ dir, settings: { fsync: 'off' } })
    const admin = postgres(server.url, { max: 1, onnotice: () => {} })
    // Written by the server: only its account may read the key.
    for (const [file, text] of [
      ['server.key', selfSigned.key],
      ['server.crt', selfSigned.cert],
    ] as const)
      await admin.unsafe(
        `copy (select string_to_table('${text.trim()}', E'\\n')) to program 'umask 077; cat > ${file}'`,
      )
    await admin`alter system set ssl = on`
    await admin`select pg_reload_conf()`
    for (let ssl = 'off'; ssl !== 'on'; )
      ssl = (await admin<{ ssl: string }[]>`select setting as ssl from pg_settings where name = 'ssl'`)[0]!
        .ssl
    await admin.end()
  })
  afterAll(async () => {
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  })
  const at = (sslmode: string, host = '127.0.0.1'): string => {
    const url = new URL(server.url)
    url.hostname = host
    url.searchParams.set('sslmode', sslmode)
    return url.href
  }

  test('is refused while its certificate does not hold, and read in the clear on this machine', async () => {
    for (const sslmode of ENCRYPTED)
      expect([sslmode, await problem(at(sslmode))]).toEqual([sslmode, 'certificate'])
    for (const url of [server.url, at('disable')]) expect(await problem(url)).toMatch(/^PostgreSQL/)
  })

  test('is read over TLS once its certificate is trusted, under the name that stands in it only', async () => {
    const script = path.join(dir, 'read.mts')
    const trusted = path.join(dir, 'trusted.crt')
    await writeFile(trusted, selfSigned.cert)
    await writeFile(
      script,
      `import { openTables } from ${JSON.stringify(path.join(import.meta.dirname, 'tables-client.ts'))}
      for (const url of process.argv.slice(2)) {
        const tables = openTables(url, { allowPrivate: true })
        const ssl = (sql) => sql\`select ssl from pg_stat_ssl where pid = pg_backend_pid()\`
        console.log(await tables.read(ssl).then(([row]) => 'ssl ' + row.ssl, ({ problem }) => problem))
        await tables.close()
      }`,
    )
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', script, ...ENCRYPTED.map((sslmode) => at(sslmode)), at('require', 'localhost')],
      {
        cwd: path.join(import.meta.dirname, '../..'),
        env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted, NODE_TLS_REJECT_UNAUTHORIZED: undefined },
      },
    )
    expect(stdout.trim().split('\n')).toEqual([...ENCRYPTED.map(() => 'ssl true'), 'certificate'])
  })
})
