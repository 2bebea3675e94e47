import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type http from 'node:http'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PROBLEM_TITLES } from '@/lib/words/problem-titles'
import { EXIT_CODES } from './exit-codes'
import { spoolFrame } from './spool'
import { makeFolder, runCli, serverEnv, transcript } from './testing/run-cli'
import { startTestServer, testToken } from './testing/test-server'
import type { TestServer } from './testing/test-server'

const root = resolve(import.meta.dirname, '..')
let server: TestServer
let folder: ReturnType<typeof makeFolder>
const env = (): ReturnType<typeof serverEnv> => serverEnv(server.url, folder.path)

beforeEach(async () => {
  server = await startTestServer()
  folder = makeFolder()
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

test('docs/cli.md lists the exit statuses of the program, and no others', () => {
  const rows = [
    ...readFileSync(join(root, 'docs/cli.md'), 'utf8').matchAll(/^\| (\d+) \| (\w+) \| (.+) \|$/gm),
  ]
  expect(rows.map(([, code, name, means]) => [name, { code: Number(code), means }])).toEqual(
    Object.entries(EXIT_CODES),
  )
})

test('docs/cli.md names every verb, and every verb takes --json', async () => {
  const help = (await runCli(['--help'], env())).out
  const verbs = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)[ [|]/gm)]
    .map((match) => match[1]!)
    .filter((verb) => verb !== 'help')
  expect(verbs).toEqual([
    'up',
    'import',
    'hook',
    'record',
    'verify',
    'ci-summary',
    'redact',
    'explain',
    'skill',
    'token',
    'user',
    'source',
    'parity',
    'fix',
    'reingest',
    'doctor',
  ])
  const page = readFileSync(join(root, 'docs/cli.md'), 'utf8')
  for (const verb of verbs) expect(page).toMatch(new RegExp(`^\\| \`${verb}[ \`]`, 'm'))
  for (const verb of [
    ['up'],
    ['import'],
    ['hook'],
    ['record'],
    ['verify'],
    ['ci-summary'],
    ['explain', 'x'],
    ['fix', 'get'],
    ['fix', 'apply'],
    ['fix', 'propose'],
    ['redact'],
    ['skill'],
    ['parity', 'x'],
    ['reingest'],
    ['doctor'],
    ['token', 'create'],
    ['token', 'list'],
    ['token', 'revoke'],
    ['source', 'add'],
    ['source', 'list'],
    ['source', 'check'],
    ['source', 'remove'],
    ['user', 'list'],
    ['user', 'invite'],
    ['user', 'role'],
    ['user', 'remove'],
  ]) {
    expect((await runCli([...verb, '--help'], env())).out, verb.join(' ')).toContain('--json')
  }
})

describe('the command line that cannot be read ends with status 2', () => {
  test.each([
    [['fly']],
    [['import']],
    [['import', '--nonsense', 'x']],
    [['import', '--patience', 'long', 'x']],
    [['token', 'create']],
    [['token', 'create', '--name', 'x', '--scope', 'all']],
    [['user', 'role', 'a@example.org']],
    [['hook', '--install', '--print']],
    [['hook', '--install', '--project', '--user']],
    [['hook', '--print', '--events', 'Nonsense']],
    [['record']],
    [['record', 'make', 'test']],
    [['record', '--fail-on', 'luck', '--', 'make']],
    [['verify']],
    [['verify', '--length', 'long', 'x']],
    [['skill']],
    [['skill', 'juggling']],
    [['explain']],
    [['explain', '--annotations', 'teamcity', 'x']],
  ])('%j', async (args) => {
    const run = await runCli(args, env())
    expect([run.code, run.out]).toEqual([EXIT_CODES.usage.code, ''])
    expect(run.err).not.toBe('')
  })
})

test('with --json a failure is a document too, and the key is in neither', async () => {
  await server.stop()
  const run = await runCli(['token', 'list', '--json'], env())
  expect(run.code).toBe(EXIT_CODES.unreachable.code)
  expect(JSON.parse(run.out)).toEqual({
    error: expect.stringContaining('did not answer'),
    exit: EXIT_CODES.unreachable.code,
  })
  expect(run.out + run.err).not.toContain(testToken)
  await server.restart()
})

test('names that hold control and bidi marks do not reach the terminal as such', async () => {
  folder.put('in/\u001b[31mred\u202e.md', '# x')
  const run = await runCli(['import', join(folder.path, 'in')], env())
  expect(run.out).toContain('\\u001b[31mred\\u202e.md')
  expect(run.out).not.toMatch(/[\u001b\u202e]/)
})

describe('administration goes over the HTTP API', () => {
  const people = [
    {
      id: 'p1',
      name: 'Ada',
      email: 'ada@example.org',
      globalAdmin: false,
      roles: [{ project: 'default', role: 'viewer' }],
      invited: true,
      createdAt: '',
      lastSignInAt: null,
    },
  ]
  const key = {
    id: 'k1',
    project: 'default',
    name: 'ci',
    start: 'inq_ab',
    scopes: ['ingest'],
    createdBy: null,
    createdAt: '',
    lastUsedAt: null,
    expiresAt: null,
  }
  const answers: Record<string, [number, unknown]> = {
    'GET /api/v1/keys': [200, { items: [key], nextCursor: null }],
    'POST /api/v1/keys': [201, { ...key, key: 'inq_abcdef-whole' }],
    'DELETE /api/v1/keys/k1': [200, { id: 'k1' }],
    'GET /api/v1/people': [200, { items: people, nextCursor: null }],
    'POST /api/v1/people': [
      201,
      { personId: 'p2', link: 'http://h/sign-in?link=once', expiresAt: '2026-01-01' },
    ],
    'POST /api/v1/people/p1/link': [
      201,
      { personId: 'p1', link: 'http://h/sign-in?link=new', expiresAt: '2026-01-01' },
    ],
    'POST /api/v1/first-admin-link': [201, { link: 'http://h/sign-in?link=first', expiresAt: '2026-01-01' }],
    'PATCH /api/v1/people/p1': [200, { id: 'p1' }],
    'DELETE /api/v1/people/p1': [200, { id: 'p1' }],
    'POST /api/v1/reingest': [200, { executions: 1234, quarantined: 0 }],
  }
  beforeEach(() => {
    server.intercept = (request, response: http.ServerResponse) => {
      const [status, document] = answers[`${request.method} ${request.path}`] ?? [
        404,
        { title: 'Not found', type: '/problems/not-found' },
      ]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document))
      return true
    }
  })
  const sent = (): unknown[] =>
    server.requests
      .filter((request) => request.body.length > 0)
      .map((request) => JSON.parse(request.body.toString()))

  test('token create prints the key once and alone on standard output', async () => {
    const run = await runCli(['token', 'create', '--name', 'ci', '--days', '30'], env())
    expect([run.code, run.out]).toEqual([0, 'inq_abcdef-whole\n'])
    expect(sent()).toEqual([{ name: 'ci', scopes: ['ingest'], expiresInDays: 30 }])
  })

  test('token list shows no key, token revoke ends one', async () => {
    expect((await runCli(['token', 'list'], env())).out).toMatch(
      /k1 +inq_ab… +ci +ingest +default +never used/,
    )
    expect((await runCli(['token', 'revoke', 'k1'], env())).code).toBe(0)
    expect((await runCli(['token', 'revoke', 'k2'], env())).code).toBe(EXIT_CODES.failed.code)
  })

  test('people are listed, invited, given a role and removed by their mail address', async () => {
    expect((await runCli(['user', 'list'], env())).out).toMatch(
      /ada@example.org +Ada +invited +viewer of default/,
    )
    expect((await runCli(['user', 'invite', 'bo@example.org', '--role', 'operator'], env())).out).toBe(
      'http://h/sign-in?link=once\n',
    )
    expect((await runCli(['user', 'link'], env())).out).toBe('http://h/sign-in?link=first\n')
    expect((await runCli(['user', 'link', 'Ada@Example.org'], env())).out).toBe('http://h/sign-in?link=new\n')
    expect((await runCli(['user', 'role', 'Ada@Example.org', '--role', 'reviewer'], env())).code).toBe(0)
    expect((await runCli(['user', 'remove', 'ada@example.org'], env())).code).toBe(0)
    expect((await runCli(['user', 'remove', 'nobody@example.org'], env())).code).toBe(EXIT_CODES.failed.code)
    expect(sent()).toEqual([{ email: 'bo@example.org', role: 'operator' }, { role: 'reviewer' }])
  })

  test('a conflict is told by what is in the way, and is no server that is away', async () => {
    const conflict = (detail: string): [number, unknown] => [
      409,
      { type: '/problems/in-use', title: PROBLEM_TITLES['in-use'], status: 409, detail },
    ]
    answers['POST /api/v1/first-admin-link'] = conflict(
      'An admin already exists. Create a link for a person with: inquest user link EMAIL',
    )
    expect(await runCli(['user', 'link'], env())).toMatchObject({
      code: EXIT_CODES.failed.code,
      err: 'inquest: An admin already exists. Create a link for a person with: inquest user link EMAIL.\n',
    })
    answers['POST /api/v1/people'] = conflict(
      'A person with this email address exists. Change their role instead.',
    )
    expect((await runCli(['user', 'invite', 'bo@example.org', '--role', 'operator'], env())).err).toBe(
      'inquest: A person with this email address exists. Change their role instead.\n',
    )
  })

  test('reingest tells what was built anew', async () => {
    expect((await runCli(['reingest', '--execution', 'e1'], env())).out).toBe('Rebuilt 1,234 executions.\n')
    expect(sent()).toEqual([{ execution: 'e1' }])
  })

  test('reingest of a project watches the job to its end, and names what could not be rebuilt', async () => {
    const url = '/api/v1/reingest/j1'
    const job = {
      url,
      phase: 'executions',
      done: 20,
      total: 30,
      streams: 30,
      executions: 29,
      records: 90,
      problemsTotal: 0,
      problems: [],
      error: null,
    }
    answers['POST /api/v1/reingest'] = [202, { ...job, state: 'queued' }]
    answers[`GET ${url}`] = [200, { ...job, state: 'done' }]
    expect(await runCli(['reingest'], env())).toMatchObject({
      code: 0,
      out: 'Rebuilt 30 streams, 29 executions, 90 records.\n',
      err: '20 of 30 executions\n',
    })
    const problems = [{ kind: 'stream', id: 's', name: 'a.jsonl', error: 'TypeError', message: 'no' }]
    answers[`GET ${url}`] = [200, { ...job, state: 'done', problems, problemsTotal: 1 }]
    expect(await runCli(['reingest'], env())).toMatchObject({
      code: 1,
      out: 'stream a.jsonl: TypeError: no\nRebuilt 30 streams, 29 executions, 90 records; 1 problem, listed above.\n',
    })
    answers[`GET ${url}`] = [200, { ...job, state: 'stopped' }]
    expect((await runCli(['reingest', '--json'], env())).code).toBe(EXIT_CODES.interrupted.code)
  })
})

describe('hook --install', () => {
  test('is undone to the very bytes, and leaves nothing but the settings', async () => {
    const text = '{ "model" :"opus" }\n'
    const file = folder.put('home/.claude/settings.json', text)
    const here = { ...env(), HOME: join(folder.path, 'home') }
    const run = await runCli(['hook', '--install', '--user', '--json'], here)
    expect(JSON.parse(run.out)).toMatchObject({ file, changed: true })
    expect(JSON.parse(readFileSync(file, 'utf8')).model).toBe('opus')
    expect((await runCli(['hook', '--install', '--user'], here)).out).toContain('already installed')
    expect((await runCli(['hook', '--uninstall', '--user'], here)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('where there was no file there is none afterwards; where somebody edited meanwhile the edit stays', async () => {
    const here = { ...env(), HOME: join(folder.path, 'home') }
    const file = join(folder.path, 'home/.claude/settings.json')
    await runCli(['hook', '--install', '--user'], here)
    expect(existsSync(file)).toBe(true)
    await runCli(['hook', '--uninstall', '--user'], here)
    expect(existsSync(file)).toBe(false)
    await runCli(['hook', '--install', '--user'], here)
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{ "model": "x",'))
    await runCli(['hook', '--uninstall', '--user'], here)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'x' })
  })

  test('settings that cannot be read are left as they are, with the reason', async () => {
    const file = folder.put('home/.claude/settings.json', '{ torn')
    const run = await runCli(['hook', '--install', '--user'], { ...env(), HOME: join(folder.path, 'home') })
    expect([run.code, run.err, readFileSync(file, 'utf8')]).toEqual([
      1,
      expect.stringContaining('was not changed'),
      '{ torn',
    ])
  })
})

test('doctor names each finding with what to do, and its status says whether something is in the way', async () => {
  const fine = await runCli(['doctor', '--json'], env())
  expect(fine.code).toBe(0)
  const findings: { about: string; state: string; todo?: string }[] = JSON.parse(fine.out).findings
  expect(findings.map((one) => one.about)).toEqual([
    'node',
    'program',
    'server',
    'database',
    'key (read)',
    'key (ingest)',
    'spool',
    'transcripts',
    'hook (user)',
    'hook (this folder)',
  ])
  const wrong = await runCli(['doctor', '--json'], { ...env(), INQUEST_TOKEN: 'wrong' })
  expect(wrong.code).toBe(1)
  for (const one of JSON.parse(wrong.out).findings.filter(
    (finding: { state: string }) => finding.state === 'bad',
  ))
    expect(one.todo, one.about).toBeTruthy()
  expect((await runCli(['doctor'], { HOME: folder.path })).out).toMatch(
    /BAD {2}server: No server is configured/,
  )
})

test('doctor counts executions whose analysis failed, and still sends what waits', async () => {
  server.intercept = (request, response) => {
    if (request.path !== '/api/v1/analysis-failures') return false
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ items: [], total: 3 }))
    return true
  }
  spoolFrame(env(), Buffer.from('{"session_id":"s1","hook_event_name":"Stop"}'), Date.now() - 60_000)
  const { code, out } = await runCli(['doctor', '--json'], env())
  expect(JSON.parse(out).findings.find((one: { about: string }) => one.about === 'analysis')).toEqual({
    about: 'analysis',
    state: 'note',
    says: 'failed for 3 executions; all records are kept',
    todo: `${server.url}/settings/sources lists them. Retry one with \`inquest reingest --execution ID\`.`,
  })
  expect([code, server.frames.size]).toEqual([0, 1])
})

test('doctor finds a key that can only ingest good enough to send what waits', async () => {
  server.intercept = (request, response) => {
    if (request.path !== '/api/v1/sources') return false
    response
      .writeHead(403, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ type: '/problems/not-allowed', title: 'Not allowed', status: 403 }))
    return true
  }
  spoolFrame(env(), Buffer.from('{"session_id":"s1","hook_event_name":"Stop"}'), Date.now() - 60_000)
  const run = await runCli(['doctor', '--json'], env())
  const findings: { about: string; state: string; todo?: string }[] = JSON.parse(run.out).findings
  expect(findings.find(({ about }) => about === 'key (read)')).toMatchObject({
    state: 'note',
    todo: expect.stringContaining('This is enough to send data'),
  })
  expect([run.code, server.frames.size]).toEqual([0, 1])
})

test('doctor advises an import only where there is something to import, and else says where it looked', async () => {
  const history = async (): Promise<{ state: string; says: string; todo: string }> => {
    const { out } = await runCli(['doctor', '--json'], {
      ...env(),
      CLAUDE_CONFIG_DIR: join(folder.path, 'agent'),
    })
    return JSON.parse(out).findings.find((one: { about: string }) => one.about === 'transcripts')
  }
  const none = {
    state: 'note',
    says: `no agent history found in ${join(folder.path, 'agent', 'projects')}`,
    todo: expect.not.stringContaining('--claude'),
  }
  expect(await history()).toMatchObject(none)
  mkdirSync(join(folder.path, 'agent/projects/-srv-shop'), { recursive: true })
  expect(await history()).toMatchObject(none)
  folder.put('agent/projects/-srv-shop/1.jsonl', transcript('11111111-0000-4000-8000-000000000001', 1))
  expect(await history()).toMatchObject({
    state: 'good',
    says: expect.stringMatching(/^1 project folder in /),
    todo: expect.stringContaining('--claude'),
  })
})

describe('the bundle', () => {
  const run = (
    program: string,
    args: string[],
    cwd: string,
  ): Promise<{ code: number; out: string; err: string }> =>
    new Promise((done) => {
      execFile(
        process.execPath,
        [program, ...args],
        { cwd, env: { PATH: process.env.PATH, ...env() } as unknown as NodeJS.ProcessEnv },
        (error, out, err) => done({ code: error ? ((error.code as unknown as number) ?? 1) : 0, out, err }),
      )
    })

  test('runs from any folder and through a link, and imports', async () => {
    mkdirSync(join(folder.path, 'elsewhere'))
    const link = join(folder.path, 'inquest')
    symlinkSync(join(root, 'bin/inquest.cjs'), link)
    folder.put('in/1.jsonl', transcript('22222222-0000-4000-8000-000000000000', 4))
    const version = await run(link, ['--version'], join(folder.path, 'elsewhere'))
    expect(version).toEqual({
      code: 0,
      out: `${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`,
      err: '',
    })
    const imported = await run(link, ['import', '../in', '--json'], join(folder.path, 'elsewhere'))
    expect([imported.code, JSON.parse(imported.out.trim().split('\n').at(-1)!).summary.records]).toEqual([
      0, 4,
    ])
    expect((await run(link, ['fly'], folder.path)).code).toBe(EXIT_CODES.usage.code)
  })

  test('prints a hook command with absolute paths', async () => {
    const block = JSON.parse((await run(join(root, 'bin/inquest.cjs'), ['hook', '--print'], folder.path)).out)
    expect(block.hooks.Stop[0].hooks[0].command).toBe(
      `${process.execPath} ${join(root, 'bin/inquest.cjs')} hook`,
    )
  })
})
