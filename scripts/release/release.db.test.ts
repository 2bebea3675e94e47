import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAction } from '@/e2e/support/action'
import { makeFolder } from '@/cli/testing/run-cli'
import { startWriter, insertSql } from '@/cli/testing/receipt-writer'
import { startTestServer, testToken } from '@/cli/testing/test-server'
import { buildSingleFile } from './single-file'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
/** A bare machine: Node, and a home in which nothing is. */
const bare = (home: string, more: Record<string, string> = {}) =>
  ({
    NODE_ENV: 'production',
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    INQUEST_STATE: join(home, 'state'),
    ...more,
  }) as Record<string, string> & NodeJS.ProcessEnv
const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** The commands of the docs, by the heading they are under. */
const commands = (heading: string): string[] => {
  const section = readFileSync(join(root, 'docs/install.md'), 'utf8')
    .split(`\n## ${heading}\n`)[1]!
    .split('\n## ')[0]!
  return [...section.matchAll(/^```bash\n([\s\S]*?)^```/gm)].map(([, text = '']) => text.trim())
}
const bash = (script: string, cwd: string, env: NodeJS.ProcessEnv) =>
  run('bash', ['-euo', 'pipefail', '-c', script], { cwd, env })

let out: string
let home: string
beforeAll(async () => {
  out = join(mkdtempSync(join(tmpdir(), 'inquest-release-')), 'files')
  home = mkdtempSync(join(tmpdir(), 'inquest-home-'))
  const build = commands('Build a release')[0]!.replace('../inquest-release', out)
  await bash(build, root, process.env)
})
afterAll(() => {
  rmSync(dirname(out), { recursive: true, force: true })
  rmSync(home, { recursive: true, force: true })
})

describe('a release', () => {
  test('has what the docs list, and checksums that hold', async () => {
    const listed = [
      ...readFileSync(join(root, 'docs/install.md'), 'utf8').matchAll(/^\| `([^`]+)`(, `….tar.gz`)? \|/gm),
    ]
    const names = listed.flatMap(([, name = '', packed]) => (packed ? [name, `${name}.tar.gz`] : [name]))
    expect(readdirSync(out).sort()).toEqual(names.sort())
    const { stdout } = await bash(commands('Build a release')[1]!, out, bare(home))
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.replace(/.*: /, '')),
    ).toEqual(Array(5).fill('OK'))
    expect(readFileSync(join(out, 'RELEASE-NOTES.md'), 'utf8')).toMatch(/^# Inquest \d+\.\d+\.\d+\n\n\S/)
  })

  test('lists its packages, none of them for development, and promises no name in a registry', () => {
    const file = readdirSync(out).find((name) => name.endsWith('.cdx.json'))!
    const { bomFormat, components, metadata } = JSON.parse(readFileSync(join(out, file), 'utf8'))
    const names = components.map(({ name, group }: { name: string; group?: string }) =>
      group ? `${group}/${name}` : name,
    )
    expect([bomFormat, names.includes('next'), names.includes('vitest')]).toEqual(['CycloneDX', true, false])
    expect([metadata.component.name, metadata.component.purl]).toEqual(['inquest', undefined])
  })
})

describe('the command line in one file', () => {
  const file = (): string => readdirSync(out).find((name) => /^inquest-[\d.]+\.cjs$/.test(name))!

  test('runs where nothing else is, as the docs say', async () => {
    const folder = mkdtempSync(join(home, 'bin-'))
    cpSync(join(out, file()), join(folder, file()))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const { stdout } = await bash(commands('Command line in one file')[0]!, folder, bare(home))
    expect(stdout).toMatch(new RegExp(`^${version}\n`))
    const up = await run(process.execPath, [file(), 'up'], { cwd: folder, env: bare(home) }).catch(
      (error) => error,
    )
    expect([up.code, up.stderr]).toEqual([2, expect.stringContaining('docs/install.md')])
    const recorded = await run(process.execPath, [file(), 'record', '--', 'echo', 'said'], {
      cwd: folder,
      env: bare(home),
    })
    expect(recorded.stdout).toBe('said\n')
  })

  test('has SQLite inside', async () => {
    const database = join(home, 'receipts.db')
    const writer = await startWriter(database, 'delete')
    await writer.run(insertSql(1, 3))
    await writer.kill()
    const told = await run(process.execPath, [join(out, file()), 'verify', database, '--json'], {
      env: bare(home),
    }).catch((error) => error)
    expect(JSON.parse(told.stdout)).toMatchObject({
      input: { kind: 'database' },
      chains: [{ chainId: 'c', counts: { receipts: 3 } }],
    })
  })

  test('is the same from the same sources, wherever they lie', async () => {
    const elsewhere = mkdtempSync(join(home, 'clone-'))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const built = join(home, 'again.cjs')
    for (const input of [...(await buildSingleFile(root, built, version)), 'tsconfig.json', 'package.json']) {
      mkdirSync(dirname(join(elsewhere, input)), { recursive: true })
      cpSync(join(root, input), join(elsewhere, input))
      const owner = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]
      if (owner !== undefined)
        cpSync(join(root, owner, 'package.json'), join(elsewhere, owner, 'package.json'))
    }
    await buildSingleFile(elsewhere, join(home, 'elsewhere.cjs'), version)
    expect([sha256(built), sha256(join(home, 'elsewhere.cjs'))]).toEqual(
      Array(2).fill(sha256(join(out, file()))),
    )
  })
})

test('the action runs from its folder: nothing is installed, and the command is recorded', async () => {
  mkdirSync(join(out, 'my-repository'))
  await bash(commands('The action')[0]!, out, bare(home))
  const folder = makeFolder()
  const server = await startTestServer()
  try {
    const ran = await runAction(
      { command: 'echo the agent ran; exit 3', 'server-url': server.url, token: testToken },
      {
        folder,
        env: bare(folder.path, {
          GITHUB_ACTIONS: 'true',
          GITHUB_REPOSITORY: 'acme/shop',
          GITHUB_RUN_ID: '7',
        }),
        actionPath: join(out, 'my-repository/.github/actions/inquest'),
      },
    )
    expect([ran.status.make, ran.outputs['exit-status']]).toEqual([0, '3'])
    expect(ran.log).toContain('the agent ran')
    expect(ran.log).not.toMatch(/npm|added \d+ packages/)
    expect(ran.outputs.url).toBe(`${server.url}/ci/github/acme%2Fshop/7`)
    expect(server.requests.some(({ path }) => path.endsWith('/ingest/record'))).toBe(true)
  } finally {
    await server.stop()
    folder.remove()
    rmSync(join(out, 'my-repository'), { recursive: true })
  }
})

describe('the server folder', () => {
  let server: { url: string; token: string }
  let child: ChildProcess
  let told = ''
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'inquest-bare-'))
    const archive = readdirSync(out).find((name) => /^inquest-server-.*\.tar\.gz$/.test(name))!
    cpSync(join(out, archive), join(folder, archive))
    const script = commands('Server folder')[0]!.replace(/^node /m, 'exec node ')
    child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env: bare(folder, { PORT: '0' }),
    })
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => (told += chunk.toString()))
    const file = join(folder, 'state/server.json')
    const end = Date.now() + 120_000
    while (!existsSync(file) && child.exitCode === null && Date.now() < end)
      await new Promise((done) => setTimeout(done, 100))
    if (!existsSync(file)) throw new Error(`the server did not start:\n${told}`)
    server = JSON.parse(readFileSync(file, 'utf8'))
  })
  afterAll(async () => {
    const ended = new Promise((done) => child.once('exit', done))
    if (child.exitCode === null && child.kill('SIGINT')) await ended
    rmSync(folder, { recursive: true, force: true })
  })

  test('is up, lets people in, and serves what its pages read from files', async () => {
    const read = async (path: string) => {
      const answer = await fetch(server.url + path, { headers: { accept: 'text/html' } })
      return [answer.status, await answer.text()] as const
    }
    expect((await read('/healthz'))[0]).toBe(200)
    expect((await read('/readyz'))[1]).toContain('ready')
    expect(await read('/problems/busy')).toEqual([200, expect.stringContaining('Server at capacity')])
    const { stdout } = await bash(commands('Server folder')[1]!, folder, bare(folder))
    const link = /http\S+/.exec(stdout)![0]
    expect(await read(link.slice(server.url.length))).toEqual([200, expect.stringContaining('Inquest')])
    const { body } = await fetch(`${server.url}/sign-in`)
    const asset = /\/_next\/static\/[^"]+\.js/.exec(await new Response(body).text())![0]
    expect((await read(asset))[0]).toBe(200)
  })

  test('takes in a file that the released command line sends, and judges it', async () => {
    const session = '11111111-0000-4000-8000-000000000001'
    writeFileSync(
      join(folder, 'claude-execution-output.json'),
      JSON.stringify([
        { type: 'system', subtype: 'init', session_id: session, tools: ['Bash'] },
        {
          type: 'result',
          subtype: 'error_max_turns',
          is_error: true,
          num_turns: 3,
          errors: ['Reached maximum number of turns (3)'],
          session_id: session,
        },
      ]),
    )
    const cli = join(out, readdirSync(out).find((name) => /^inquest-[\d.]+\.cjs$/.test(name))!)
    const sent = await run(process.execPath, [cli, 'import', 'claude-execution-output.json'], {
      cwd: folder,
      env: bare(folder, { INQUEST_URL: server.url, INQUEST_TOKEN: server.token }),
    })
    expect(sent.stdout).toContain('1 execution, 1 failed')
    const answer = await fetch(`${server.url}/api/v1/executions`, {
      headers: { authorization: `Bearer ${server.token}` },
    })
    const { items } = (await answer.json()) as { items: { externalId: string; cause: { text: string } }[] }
    expect(items.map(({ externalId, cause }) => [externalId, cause.text !== ''])).toEqual([[session, true]])
    expect(told).not.toMatch(/Cannot find|ENOENT|MODULE_NOT_FOUND/)
  })
})
