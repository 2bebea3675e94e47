import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readFix } from '@/lib/judge/fixes/read-fix'
import { NOTHING_KNOWN } from '@/lib/judge/patches/signals'
import { createOutput } from '../output'
import { runCli, serverEnv } from '../testing/run-cli'
import { startTestServer, type TestServer } from '../testing/test-server'
import { runFixApply, type FixApplyFlags } from './run-fix-apply'

const ID = '0199a000-0000-7000-8000-00000000000f'
const BEFORE = 'one\r\ntwo\nthree\n'
const AFTER = 'one\r\nzwei\nthree\n'
let server: TestServer
let folder: string
let repository: string
let patch: Buffer
let fix: Record<string, unknown>
let fit: Record<string, unknown> | null
let received: { path: string; type: string; body: Buffer } | null

const git = (...args: string[]): string =>
  execFileSync(
    'git',
    ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', '-c', 'core.autocrlf=false', ...args],
    { cwd: repository, encoding: 'utf8', stdio: 'pipe' },
  )
const put = (name: string, text: string): void => writeFileSync(join(repository, name), text)
const read = (name: string): string => readFileSync(join(repository, name), 'latin1')

beforeAll(async () => {
  server = await startTestServer()
  server.intercept = ({ path, body, headers }, response) => {
    if (path === `/api/v1/fixes/${ID}/patch`)
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(patch)
    else if (path === `/api/v1/fixes/${ID}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fix))
    else if (path === `/api/v1/fixes/${ID}/fit` && fit !== null)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fit))
    else if (path.startsWith('/api/v1/find'))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[{"executionId":"e1"}]}')
    else if (path.startsWith('/api/v1/executions/e1/fixes')) {
      received = { path, type: String(headers['content-type']), body }
      response
        .writeHead(201, { 'content-type': 'application/json' })
        .end(JSON.stringify({ fix: { ...fix, url: `/fixes/${ID}` }, isNew: true }))
    } else response.writeHead(404, { 'content-type': 'application/json' }).end('{"title":"Not found"}')
    return true
  }
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inquest-fix-'))
  repository = join(folder, 'repository')
  mkdirSync(join(repository, 'deep'), { recursive: true })
  git('init', '-q')
  put('file.txt', BEFORE)
  put('other.txt', 'other\n')
  git('add', '-A')
  git('commit', '-qm', 'base')
  put('file.txt', AFTER)
  put('new é.txt', 'new\n')
  git('add', '-A')
  patch = execFileSync('git', ['diff', '--cached', '--binary'], { cwd: repository })
  git('reset', '-q', '--hard')
  fix = {
    id: ID,
    state: 'approved',
    sha256: createHash('sha256').update(patch).digest('hex'),
    downloadName: 'run-task-12345678.patch',
    supersededBy: null,
    base: { subDir: null },
    reading: {
      verdict: 'ok',
      problem: null,
      files: 2,
      additions: 2,
      deletions: 1,
      safe: true,
      blocking: [],
      warnings: [],
    },
  }
  received = null
  fit = null
})
afterAll(() => server.stop())

async function apply(
  flags: FixApplyFlags = {},
  at = repository,
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const into = (add: (text: string) => void) =>
    ({ write: (text: string) => (add(text), true) }) as unknown as NodeJS.WritableStream
  const output = createOutput(
    false,
    into((text) => (out += text)),
    into((text) => (err += text)),
  )
  const code = await runFixApply(ID, flags, serverEnv(server.url, folder), output, at)
  return { code, out, err }
}
const isUntouched = (): void =>
  expect([read('file.txt'), git('status', '--porcelain', '--', 'file.txt', 'new é.txt')]).toEqual([
    BEFORE,
    '',
  ])

describe('fix get', () => {
  test('writes exactly the proposed bytes, and twice is no harm', async () => {
    const path = join(folder, 'got.patch')
    const args = ['fix', 'get', ID, '--output', path]
    expect(await runCli(args, serverEnv(server.url, folder))).toMatchObject({
      code: 0,
      out: expect.stringContaining(fix.sha256 as string),
    })
    expect(readFileSync(path).equals(patch)).toBe(true)
    expect((await runCli(args, serverEnv(server.url, folder))).code).toBe(0)
    writeFileSync(path, 'mine')
    expect(await runCli(args, serverEnv(server.url, folder))).toMatchObject({
      code: 5,
      err: expect.stringContaining('already exists with different content'),
    })
    expect(readFileSync(path, 'utf8')).toBe('mine')
    const piped = await runCli(['fix', 'get', ID, '--output', '-'], serverEnv(server.url, folder))
    expect(piped.out).toBe(patch.toString('utf8'))
  })

  test('tells whether the patch still fits, where the server knows it', async () => {
    const head = {
      commit: 'a'.repeat(40),
      outcome: 'does-not-fit',
      troubles: [{ name: 'b\u001b[2J.txt', hunk: 2 }],
      troublesTotal: 1,
    }
    const get = async (...more: string[]): Promise<string> =>
      (
        await runCli(
          ['fix', 'get', ID, '--output', join(folder, 'got.patch'), ...more],
          serverEnv(server.url, folder),
        )
      ).out
    expect((await get()).trim().split('\n')).toHaveLength(1)
    fit = { outcome: 'does-not-fit', branch: 'main', stale: 'head-moved', head }
    expect((await get()).trim().split('\n')[1]).toBe(
      `branch main at ${'a'.repeat(12)}: does not fit (b␛[2J.txt hunk 2), but the branch has moved since`,
    )
    expect(JSON.parse(await get('--json'))).toMatchObject({
      fit: { outcome: 'does-not-fit', stale: 'head-moved' },
    })
    fit = { outcome: 'not-checked', branch: null, stale: null, head: null }
    expect((await get()).trim().split('\n')).toHaveLength(1)
  })

  test('refuses bytes that are not those of the fix', async () => {
    patch = Buffer.concat([patch, Buffer.from('\n')])
    const path = join(folder, 'got.patch')
    expect(await runCli(['fix', 'get', ID, '--output', path], serverEnv(server.url, folder))).toMatchObject({
      code: 5,
      err: expect.stringMatching(/Digest mismatch.*SHA-256 .* Nothing was written/),
    })
    expect(() => readFileSync(path)).toThrow()
    await expect(apply()).rejects.toThrow(/Nothing was written/)
    isUntouched()
  })

  test('a word that is no id is told as such', async () => {
    expect(await runCli(['fix', 'get', '../x'], serverEnv(server.url, folder))).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not a fix ID'),
    })
  })
})

describe('fix apply', () => {
  test('applies a patch that was made with diff.noprefix', async () => {
    put('file.txt', AFTER)
    put('deep/new.txt', 'new\n')
    git('add', '-A')
    patch = execFileSync('git', ['-c', 'diff.noprefix=true', 'diff', '--cached', '--binary'], {
      cwd: repository,
    })
    git('reset', '-q', '--hard')
    const { summary } = await readFix(patch, NOTHING_KNOWN)
    fix = { ...fix, sha256: createHash('sha256').update(patch).digest('hex'), reading: summary }
    expect(await apply({ check: true })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^would apply/),
    })
    expect(await apply()).toMatchObject({ code: 0, out: expect.stringMatching(/^applied: 2 files/) })
    expect(read('file.txt')).toBe(AFTER)
    expect(read('deep/new.txt')).toBe('new\n')
    expect(await apply()).toMatchObject({ code: 0, out: expect.stringMatching(/^already applied/) })
  })

  test('changes files and index together, commits nothing, and says so when it is there already', async () => {
    const head = git('rev-parse', 'HEAD')
    const done = await apply({}, join(repository, 'deep'))
    expect([done.code, done.out]).toEqual([
      0,
      expect.stringMatching(/^applied: 2 files, \+2 -1, SHA-256 [0-9a-f]{64}[\s\S]*Nothing was committed/),
    ])
    expect([read('file.txt'), git('status', '--porcelain', '-z'), git('rev-parse', 'HEAD')]).toEqual([
      AFTER,
      'M  file.txt\0A  new é.txt\0',
      head,
    ])
    expect(await apply(), 'before anybody committed it').toMatchObject({
      code: 0,
      out: expect.stringMatching(/^already applied/),
    })
    git('commit', '-qm', 'applied')
    expect(await apply()).toMatchObject({ code: 0, out: expect.stringMatching(/^already applied/) })
  })

  test('--check changes nothing', async () => {
    expect(await apply({ check: true })).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^would apply/),
    })
    isUntouched()
  })

  test('a tree with changes is refused; with --dirty only where the patch touches them', async () => {
    put('other.txt', 'changed\n')
    expect(await apply()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/uncommitted[\s\S]* {2}other\.txt/),
    })
    isUntouched()
    expect((await apply({ dirty: true, check: true })).code).toBe(0)
    put('file.txt', `${BEFORE}more\n`)
    expect(await apply({ dirty: true })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/touches files with uncommitted changes[\s\S]* {2}file\.txt/),
    })
  })

  test('a file of one’s own in the way is refused, also one that git ignores', async () => {
    put('new é.txt', 'mine\n')
    expect(await apply()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/would overwrite untracked files[\s\S]* {2}new é\.txt/),
    })
    put('.git/info/exclude', '*é*\n')
    expect(await apply()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/would overwrite untracked files/),
    })
    expect(readFileSync(join(repository, 'new é.txt'), 'utf8')).toBe('mine\n')
  })

  test('a patch that does not fit writes nothing and names the files', async () => {
    put('file.txt', 'quite\nanother\nfile\n')
    git('commit', '-qam', 'moved on')
    expect(await apply()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/does not fit[\s\S]*file\.txt/),
    })
    expect([read('file.txt'), git('status', '--porcelain')]).toEqual(['quite\nanother\nfile\n', ''])
  })

  test.each([
    [
      { reading: { verdict: 'ok', safe: false, blocking: ['path-traversal'], warnings: [] } },
      /not safe to apply: path-traversal/,
    ],
    [
      { reading: { verdict: 'error', problem: 'cut', safe: false, blocking: [], warnings: [] } },
      /git can't read this patch: cut/,
    ],
    [{ state: 'rejected' }, /is rejected.*--anyway/],
  ])('what its page warns of is refused: %j', async (change, words) => {
    fix = { ...fix, ...change }
    expect(await apply()).toMatchObject({ code: 1, err: expect.stringMatching(words) })
    isUntouched()
  })

  test('what nobody has approved is applied, and said to be so', async () => {
    fix.state = 'proposed'
    expect((await apply()).out).toMatch(/This fix is not approved yet/)
  })

  test('outside of a repository it says where to go', async () => {
    expect(await apply({}, folder)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Not in a git repository/),
    })
  })
})

test('fix propose sends the bytes as they are, beside what is known of them', async () => {
  const file = join(folder, 'my.patch')
  const bytes = Buffer.concat([patch, Buffer.from([0xff, 0x0d, 0x0a])])
  writeFileSync(file, bytes)
  writeFileSync(join(folder, 'facts.json'), '{"agent":{"model":"m"}}')
  const run = await runCli(
    [
      'fix',
      'propose',
      file,
      '--execution',
      'some-id',
      '--task',
      'unit',
      '--proposal',
      join(folder, 'facts.json'),
    ],
    serverEnv(server.url, folder),
  )
  expect(run).toMatchObject({
    code: 0,
    out: expect.stringMatching(new RegExp(`^proposed: ${server.url}/fixes/${ID}\n`)),
  })
  const form = await new Response(new Uint8Array(received!.body), {
    headers: { 'content-type': received!.type },
  }).formData()
  expect(Buffer.from(await (form.get('patch') as File).arrayBuffer()).equals(bytes)).toBe(true)
  expect(JSON.parse(form.get('proposal') as string)).toEqual({
    fileName: 'my.patch',
    agent: { model: 'm' },
    task: 'unit',
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))
