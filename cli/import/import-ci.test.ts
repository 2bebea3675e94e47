import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folder, posts, server, session, setUpImport } from '../testing/set-up-import'
import { runCli, serverEnv, transcript } from '../testing/run-cli'

setUpImport()

const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_RUN_ID: '77',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_JOB: 'agent',
}
const importCi = (args: string[], ci: Record<string, string> = github) =>
  runCli(['import', '--ci', ...args], { ...serverEnv(server.url, folder.path), ...ci })
const steps = (): { executionKey: string; ci: object; conclusion: string | null }[] =>
  posts()
    .filter(({ path }) => path.endsWith('/ingest/record'))
    .map(({ body }) => JSON.parse(body.toString()))
const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const page = (): string => `CI run: ${server.url}/ci/github/acme%2Fshop/77/2`

/** Answers as the server does that has parsed the file: with the executions of these sessions. */
function answerWith(...sessions: string[]): void {
  server.intercept = (request, response) => {
    if (!/\/ingest\/claude-/.test(request.path) || request.method !== 'POST') return false
    const executions = sessions.map((externalId) => ({
      id: externalId,
      externalId,
      outcome: 'failed',
      url: '',
    }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        ...{ accepted: 1, duplicates: 0, odd: [], oddTotal: 0, executions },
        ...{ streamId: 's', nextOffset: request.body.length, originalSha256: digestOf(request.body) },
      }),
    )
    return true
  }
}

describe('a file of a CI job', () => {
  test('is linked to the run of its job, with how the step ended, and the page of the run is told first', async () => {
    answerWith(session(1), `${session(1)}/agent-7`)
    const file = folder.put('out.jsonl', transcript(session(1), 3, 'FAILED'))
    const run = await importCi([file, '--conclusion', 'failure'])
    expect([run.code, run.out.split('\n')[0]]).toEqual([0, page()])
    expect(steps()).toEqual([
      {
        ...{ type: 'record.ci', version: 1, executionKey: session(1), conclusion: 'failure' },
        ci: expect.objectContaining({
          provider: 'github',
          path: 'acme/shop',
          run: '77',
          attempt: 2,
          job: 'agent',
        }),
      },
    ])
  })

  test('that the server has already is linked too, by the session that it names', async () => {
    const file = folder.put('out.jsonl', transcript(session(2), 3))
    await runCli(['import', file], serverEnv(server.url, folder.path))
    expect(steps()).toEqual([])
    const run = await importCi([file])
    expect(run.out).toContain('1 there already')
    expect(steps().map(({ executionKey, conclusion }) => [executionKey, conclusion])).toEqual([
      [session(2), null],
    ])
  })

  test('has its link also where the server is away', async () => {
    const file = folder.put('out.jsonl', transcript(session(3), 3))
    const first = page()
    await server.stop()
    const run = await importCi([file, '--patience', '0'])
    expect([run.code, run.out.trim()]).toEqual([3, first])
    await server.restart()
  })

  test('of a run that the environment does not name is not sent', async () => {
    const file = folder.put('out.jsonl', transcript(session(4), 3))
    const run = await importCi([file], { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '77' })
    expect([run.code, run.err, posts()]).toEqual([
      2,
      expect.stringContaining('Unknown CI run: path is missing. Set INQUEST_CI_PATH'),
      [],
    ])
  })

  test('whose run the server does not take is told so, and the file stays sent', async () => {
    server.intercept = (request, response) => {
      if (!request.path.endsWith('/ingest/record')) return false
      response
        .writeHead(400, { 'content-type': 'application/problem+json' })
        .end('{"title":"Bad","detail":"no"}')
      return true
    }
    const file = folder.put('out.jsonl', transcript(session(5), 3))
    const run = await importCi([file])
    expect([run.code, run.out]).toEqual([1, expect.stringContaining('did not accept its CI run')])
    expect(server.streams.size).toBe(1)
  })
})

test('the end of the step may stand in the environment, in the spelling of any CI system', async () => {
  answerWith(session(7))
  const file = folder.put('out.jsonl', transcript(session(7), 3))
  await importCi([file], { ...github, INQUEST_STEP_CONCLUSION: 'canceled' })
  await importCi([file, '--conclusion', 'failed'])
  await importCi([file, '--conclusion', ''])
  expect(steps().map(({ conclusion }) => conclusion)).toEqual(['cancelled', 'failure', null])
  expect((await importCi([file, '--conclusion', 'odd'])).code).toBe(2)
})

test('a job of GitHub gets the page as an output and in its summary, before anything is sent', async () => {
  const [summary, outputs] = [folder.put('summary.md', '# mine\n'), folder.put('outputs', '')]
  const url = page().replace('CI run: ', '')
  await server.stop()
  await importCi([folder.path, '--patience', '0'], {
    ...github,
    ...{ GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs },
  })
  expect(readFileSync(outputs, 'utf8')).toBe(`url=${url}\n`)
  expect(readFileSync(summary, 'utf8')).toBe(`# mine\n[Open the failures of this run in Inquest](${url})\n\n`)
  await server.restart()
})

test('what a file is called and begins with does nothing in the log', async () => {
  const file = folder.put('::error::x ##[add-mask]y.txt', '::error::x ##[add-mask]y')
  const run = await importCi([file])
  expect(run.code).toBe(1)
  for (const line of run.out.split('\n')) expect(line).not.toMatch(/^\s*::|##\[/)
})

describe('a step that left no records', () => {
  const keys = (): string[] => steps().map(({ executionKey }) => executionKey)

  test('is sent itself when it failed or was cancelled, under one name however often', async () => {
    const missing = join(folder.path, 'claude-execution-output.json')
    const empty = folder.put('empty.json', '[]')
    for (const [file, conclusion] of [
      [missing, 'cancelled'],
      [empty, 'failure'],
    ] as const) {
      const run = await importCi([file, '--conclusion', conclusion])
      expect(run.out).toContain('The CI step itself was sent')
    }
    expect(keys()).toEqual(Array(2).fill('ci:github:acme%2Fshop:77:2:agent'))
  })

  test('two steps of a job are two executions', async () => {
    const empty = folder.put('empty.json', '[]')
    for (const step of ['__run', '__run_2', '__run_2'])
      await importCi([empty, '--conclusion', 'failure'], { ...github, GITHUB_ACTION: step })
    const job = 'ci:github:acme%2Fshop:77:2:agent'
    expect(keys()).toEqual([`${job}:__run`, `${job}:__run_2`, `${job}:__run_2`])
  })

  test('is not sent when it succeeded or did not say, nor by a dry run', async () => {
    const empty = folder.put('empty.json', '[]')
    await importCi([empty, '--conclusion', 'success'])
    await importCi([empty])
    await importCi([empty, '--conclusion', 'failure', '--dry-run'])
    expect(keys()).toEqual([])
  })
})

test('without --ci nothing is said of a run', async () => {
  const file = folder.put('out.jsonl', transcript(session(6), 3))
  const run = await runCli(['import', file], { ...serverEnv(server.url, folder.path), ...github })
  expect([run.code, steps(), run.out.includes('/ci/')]).toEqual([0, [], false])
})
