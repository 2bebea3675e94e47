import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeFolder, runCli, serverEnv, startCli, until } from '../testing/run-cli'
import { startTestServer, testToken, type TestServer } from '../testing/test-server'
import type { CiExecution } from '@/lib/views/attempts/chain'

let server: TestServer
let folder: ReturnType<typeof makeFolder>
let items: CiExecution[]
let leftOut: number
const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_RUN_ID: '77',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_JOB: 'bake',
}
const env = (ci: Record<string, string> = github) => ({ ...serverEnv(server.url, folder.path), ...ci })

let serial = 0
const one = (over: Partial<CiExecution> = {}): CiExecution => {
  serial += 1
  return {
    id: `e${serial}`,
    externalId: `x${serial}`,
    outcome: 'failed',
    outcomeBasis: 'inferred',
    cause: {
      headline: 'The oven is cold',
      text: 'The oven is cold',
      rule: null,
      category: 'exit_code',
      pointer: null,
    },
    title: null,
    startedAt: null,
    endedAt: null,
    url: '',
    attempt: 2,
    contentState: 'unknown',
    retryReason: 'unknown',
    costUsd: null,
    inputTokens: 0,
    outputTokens: 0,
    retry: 'cannot-help',
    ciAttempt: 2,
    job: 'bake',
    runUrl: null,
    commit: null,
    ...over,
  }
}
const because = (text: string, over: Partial<CiExecution> = {}): CiExecution =>
  one({ cause: { headline: text, text, rule: null, category: 'exit_code', pointer: null }, ...over })
const words = 'apple birch cedar dogwood elder fir ginkgo hazel ivy juniper kapok larch maple'.split(' ')

beforeEach(async () => {
  server = await startTestServer()
  folder = makeFolder()
  ;[serial, items, leftOut] = [0, [], 0]
  server.intercept = (request, response) => {
    if (
      !request.path.startsWith('/api/v1/ci-runs') ||
      request.headers.authorization !== `Bearer ${testToken}`
    )
      return false
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ items, nextCursor: null, leftOut }))
    return true
  }
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const errors = (out: string): string[] => out.split('\n').filter((line) => line.startsWith('::error '))

describe('in a job of GitHub', () => {
  test('each cause is one annotation with its link, and the summary goes to the job', async () => {
    items = [
      one(),
      one({ job: 'plan' }),
      because('Done.\n<script>', { job: 'wash', retry: 'could-help' }),
      one({ outcome: 'succeeded', cause: null }),
    ]
    const [summary, outputs] = [folder.put('summary.md', '# mine\n'), folder.put('outputs', '')]
    const run = await runCli(
      ['ci-summary'],
      env({ ...github, GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs }),
    )
    expect([run.code, run.err]).toEqual([0, ''])
    const url = `${server.url}/ci/github/acme%2Fshop/77/2`
    expect(run.out.split('\n')).toEqual([
      'Inquest: 3 of 4 executions failed (GitHub Actions acme/shop, run 77, attempt 2).',
      `::error title=2 executions failed the same way (exit code)%3A bake%2C plan::The oven is cold%0A${server.url}/executions/e1?decision=open%0ARetrying won't help`,
      `::error title=wash failed (exit code)::Done. <script>%0A${server.url}/executions/e3?decision=open%0ARetrying may help`,
      `All failures of the run: ${url}`,
      '',
    ])
    const text = readFileSync(summary, 'utf8')
    expect(text).toMatch(/^# mine\n## Inquest: 3 of 4 executions failed\n/)
    expect(text).toContain(
      `[All failures of the run](${url}): GitHub Actions \`acme/shop\` run \`77\` attempt 2.`,
    )
    expect(text).toContain('First cause:\n\n```text\nThe oven is cold\n```')
    expect(text).toContain('- **2 ×** `exit code` `The oven is cold`')
    expect(text).toContain(
      `[Why it failed](${server.url}/executions/e3?decision=open): \`wash\`, attempt 2, failed, retrying may help`,
    )
    expect(text.replace(/`[^`\n]+`|```text\n[\s\S]*?\n```/g, '')).not.toContain('<')
    expect(readFileSync(outputs, 'utf8')).toBe(`url=${url}\nfailures=3\n`)
  })

  test('there are ten annotations at most, and the last says how much it stands for', async () => {
    items = words.map((word) => because(`The ${word} is down`))
    const run = await runCli(['ci-summary', '--output', '-'], env())
    expect(errors(run.out)).toHaveLength(10)
    expect(errors(run.out)[9]).toBe(
      `::error title=4 more causes::4 failures with other causes on the run’s page.%0A${server.url}/ci/github/acme%252Fshop/77/2%0ARetrying won't help`,
    )
    items = items.slice(0, 10)
    expect(errors((await runCli(['ci-summary'], env())).out)).toHaveLength(10)
    expect(errors((await runCli(['ci-summary'], env())).out).join()).not.toContain('more cause')
  })

  test('each annotation ends with whether a retry could help, in the words of the page', async () => {
    items = [
      because('The bridge is out', {
        retry: 'unknown',
        cause: {
          headline: 'The bridge is out',
          text: 'The bridge is out',
          rule: null,
          category: 'agent_signal',
          pointer: null,
        },
      }),
      because('Timed out', { retry: 'unknown' }),
      because('The turns are used up'),
      because('The oven is hot', {
        retry: 'helped',
        verdict: 'Helped: it worked with a different input',
      }),
      because('No answer 1', { retry: 'could-help' }),
      because('No answer 2'),
      because('No answer 3'),
    ]
    const run = await runCli(['ci-summary', '--output', '-'], env())
    expect(errors(run.out).map((line) => line.split('%0A').at(-1))).toEqual([
      'Unclear if a retry would help',
      'Unclear if a retry would help',
      "Retrying won't help",
      'Helped: it worked with a different input',
      "Retrying may help (1 of 3); Retrying won't help (2 of 3)",
    ])
    expect(run.out).toContain('`bake`, attempt 2, failed, unclear if a retry would help')
    expect(run.out).toContain('`bake`, attempt 2, failed, helped: it worked with a different input')
  })

  test('nothing in the words of an agent is a command for the runner', async () => {
    const evil = 'a\n::add-mask::b ##[add-mask]c %0A::set-output name=x::y'
    items = [because(evil, { job: evil, id: '../../evil\n::error::x' })]
    for (const args of [[], ['--output', '-'], ['--json'], ['--job', evil]]) {
      const run = await runCli(['ci-summary', ...args], env({ ...github, GITHUB_JOB: evil }))
      expect(run.code).toBe(0)
      for (const line of run.out.split('\n')) {
        expect(line).not.toMatch(/^\s*::(?!error title=)/)
        if (!line.startsWith('::error title=')) expect(line).not.toContain('##[')
      }
    }
  })
})

describe('elsewhere', () => {
  test('there are plain lines, and the summary follows them or goes to a file', async () => {
    items = [one({ ciAttempt: null })]
    const gitlab = {
      GITLAB_CI: 'true',
      CI_PROJECT_PATH: 'group/sub/shop',
      CI_PIPELINE_ID: '8',
      CI_JOB_NAME: 'bake',
    }
    const url = `${server.url}/ci/gitlab/group%2Fsub%2Fshop/8`
    const lines = [
      'Inquest: The only execution failed (GitLab CI group/sub/shop, pipeline 8).',
      '  bake failed (exit code): The oven is cold',
      `    ${server.url}/executions/e1?decision=open`,
      "    Retrying won't help",
      `All failures of the run: ${url}`,
      '',
    ]
    const run = await runCli(['ci-summary'], env(gitlab))
    expect(run.out.startsWith([...lines, '## Inquest: The only execution failed'].join('\n'))).toBe(true)
    const [file, job] = [join(folder.path, 'summary.md'), join(folder.path, 'job.json')]
    expect((await runCli(['ci-summary', '--output', file, '--annotations', job], env(gitlab))).out).toBe(
      lines.join('\n'),
    )
    expect(readFileSync(file, 'utf8')).toContain('## Inquest: The only execution failed')
    expect(JSON.parse(readFileSync(job, 'utf8'))).toEqual({
      Inquest: [
        { external_link: { label: 'All failures of this run', url } },
        { external_link: { label: 'The oven is cold', url: `${server.url}/executions/e1?decision=open` } },
      ],
    })
  })

  test('a file that cannot be written is a failure of ours', async () => {
    items = [one()]
    const run = await runCli(['ci-summary', '--output', join(folder.path, 'no/such/folder.md')], env())
    expect([run.code, run.err]).toEqual([5, expect.stringContaining('could not be written (ENOENT)')])
  })

  test('the attempt of a Buildkite job says nothing about the other jobs', async () => {
    items = [
      one({ job: 'bake', ciAttempt: 1 }),
      one({ job: 'bake', ciAttempt: 2, outcome: 'succeeded' }),
      one({ job: 'plan', ciAttempt: 1 }),
    ]
    const run = await runCli(
      ['ci-summary', '--json'],
      env({
        BUILDKITE: 'true',
        BUILDKITE_ORGANIZATION_SLUG: 'acme',
        BUILDKITE_PIPELINE_SLUG: 'shop',
        BUILDKITE_BUILD_NUMBER: '9',
        BUILDKITE_RETRY_COUNT: '0',
      }),
    )
    expect(JSON.parse(run.out)).toMatchObject({
      ciRun: { provider: 'buildkite', attempt: null },
      counts: { failed: 1, succeeded: 1 },
    })
  })
})

describe('what is told', () => {
  test('is one document with --json', async () => {
    items = [one({ job: 'plan' }), one({ outcome: 'running', cause: null })]
    leftOut = 3
    const run = await runCli(['ci-summary', '--json'], env())
    expect(JSON.parse(run.out)).toEqual({
      ciRun: { provider: 'github', path: 'acme/shop', run: '77', attempt: 2, job: null },
      url: `${server.url}/ci/github/acme%2Fshop/77/2`,
      known: true,
      counts: { failed: 1, open: 1, succeeded: 0, failedInOtherJobs: 0, leftOut: 3 },
      causes: [
        {
          text: 'The oven is cold',
          category: 'exit_code',
          executions: [
            {
              id: 'e1',
              job: 'plan',
              attempt: 2,
              outcome: 'failed',
              retry: 'cannot-help',
              url: `${server.url}/executions/e1?decision=open`,
            },
          ],
        },
      ],
    })
  })

  test('is what one job did, with --job; the others are counted', async () => {
    items = [one({ job: 'plan' }), one({ job: 'plan' }), one()]
    const run = await runCli(['ci-summary', '--job', 'bake'], env())
    expect(errors(run.out)).toHaveLength(1)
    expect(run.out).toContain(
      'Inquest: The only execution failed (GitHub Actions acme/shop, run 77, attempt 2, job bake).',
    )
    expect(run.out).toContain('2 failures in other jobs of this run: see its page.')
  })

  test('is of the attempt that is asked for', async () => {
    items = [one(), one({ ciAttempt: 1 }), one({ ciAttempt: 1, outcome: 'succeeded' })]
    expect((await runCli(['ci-summary', '--attempt', '1'], env())).out).toContain('1 of 2 executions failed')
  })

  test('is that all succeeded, and then there is no annotation', async () => {
    items = [one({ outcome: 'succeeded' }), one({ outcome: 'succeeded' })]
    const run = await runCli(['ci-summary'], env())
    expect([run.code, errors(run.out)]).toEqual([0, []])
    expect(run.out).toContain('All 2 executions succeeded')
  })
})

describe('what cannot be told', () => {
  test('a run that nothing has arrived of: its link, and status 1', async () => {
    const run = await runCli(['ci-summary'], env())
    expect(run.code).toBe(1)
    expect(run.out).toContain('nothing of GitHub Actions acme/shop, run 77, attempt 2 has arrived yet')
    expect(run.out).toContain(`${server.url}/ci/github/acme%2Fshop/77/2`)
    expect(run.out).toContain('## Inquest: nothing has arrived yet')
  })

  test.each([
    [{}, 'provider, path, run are missing'],
    [{ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop' }, 'run is missing'],
    [{ JENKINS_URL: 'x', BUILD_NUMBER: '7' }, 'path is missing'],
  ])('no run is named by %j: what is missing, and status 2', async (ci, says) => {
    const run = await runCli(['ci-summary'], env(ci as Record<string, string>))
    expect([run.code, run.err]).toEqual([2, expect.stringContaining(says)])
    expect(server.requests).toEqual([])
  })

  test('options name the run where the environment does not', async () => {
    items = [one({ ciAttempt: null })]
    const run = await runCli(
      ['ci-summary', '--provider', 'Home Made', '--path', 'a/b', '--run', '7'],
      env({}),
    )
    expect([run.code, run.out]).toEqual([0, expect.stringContaining('(home made a/b, run 7)')])
    expect(server.requests[0]!.path).toBe('/api/v1/ci-runs?provider=home+made&path=a%2Fb&run=7')
  })

  test('a server that is away: status 3; a key that may not read: status 4', async () => {
    const refused = await runCli(['ci-summary'], { ...env(), INQUEST_TOKEN: 'another' })
    expect([refused.code, refused.out]).toEqual([
      4,
      expect.stringContaining(`${server.url}/ci/github/acme%2Fshop/77/2`),
    ])
    await server.stop()
    const outputs = folder.put('outputs', '')
    const away = await runCli(['ci-summary'], env({ ...github, GITHUB_OUTPUT: outputs }))
    expect([away.code, away.err]).toEqual([3, expect.stringContaining('did not answer')])
    const url = `${server.url}/ci/github/acme%2Fshop/77/2`
    expect([away.err.trim().endsWith(url), readFileSync(outputs, 'utf8')]).toEqual([true, `url=${url}\n`])
    await server.restart()
  })

  test('a server that is away: why, and the page of the run, in the log, the summary, the links and the document', async () => {
    await server.stop()
    const [summary, job] = [folder.put('summary.md', ''), join(folder.path, 'job.json')]
    const url = `${server.url}/ci/github/acme%2Fshop/77/2`
    const run = await runCli(
      ['ci-summary', '--annotations', job],
      env({ ...github, GITHUB_STEP_SUMMARY: summary }),
    )
    expect([run.code, run.out.split('\n')]).toEqual([
      3,
      [
        `Inquest: could not load the failures of GitHub Actions acme/shop, run 77, attempt 2: ${server.url} did not answer: connection refused.`,
        'See the run’s page:',
        `  ${url}`,
        '',
      ],
    ])
    expect(readFileSync(summary, 'utf8')).toBe(
      `## Inquest: failures unavailable\n\nCould not load the failures of GitHub Actions \`acme/shop\` run \`77\` attempt 2: \`${server.url} did not answer: connection refused.\`\n\n` +
        `[The run’s page](${url}) shows them once the server is reachable and the records have arrived.\n\n`,
    )
    expect(JSON.parse(readFileSync(job, 'utf8'))).toEqual({
      Inquest: [{ external_link: { label: 'All failures of this run', url } }],
    })
    const told = await runCli(['ci-summary', '--json'], env())
    expect([told.code, JSON.parse(told.out)]).toEqual([
      3,
      {
        ciRun: { provider: 'github', path: 'acme/shop', run: '77', attempt: 2, job: null },
        url,
        known: false,
        counts: null,
        causes: [],
        because: expect.stringContaining('did not answer'),
        error: `${server.url} did not answer: connection refused. See this run’s failures at ${url}`,
        exit: 3,
      },
    ])
    await server.restart()
  })

  test('a server without its key, and none at all: status 3, with the page of the run as far as it is known', async () => {
    const url = `${server.url}/ci/github/acme%2Fshop/77/2`
    const keyless = await runCli(['ci-summary'], env({ ...github, INQUEST_TOKEN: '' }))
    expect([keyless.code, keyless.out.includes(url)]).toEqual([3, true])
    const none = await runCli(['ci-summary'], env({ ...github, INQUEST_TOKEN: '', INQUEST_URL: '' }))
    expect([none.code, none.out]).toEqual([3, expect.stringContaining(': No server is configured.')])
  })

  test.each([
    ['--format', 'teamcity'],
    ['--wait', 'long'],
    ['--attempt', '0'],
  ])('%s %s is no command line', async (...args) => {
    expect((await runCli(['ci-summary', ...args], env())).code).toBe(2)
  })
})

describe('with --wait', () => {
  test('what is under way is waited for: until it is there, and until it runs no more', async () => {
    const run = startCli(['ci-summary', '--wait', '30'], env())
    await until(() => server.requests.length > 0, 20_000, 'it asks')
    items = [one({ outcome: 'running', cause: null })]
    const before = server.requests.length
    await until(() => server.requests.length > before + 1, 20_000, 'it asks again')
    items = [one()]
    const { code, out } = await run.done
    expect([code, errors(out).length]).toEqual([0, 1])
  })

  test('a server that is away for a moment is waited for, and Ctrl-C ends the wait', async () => {
    items = [one()]
    await server.stop()
    const run = startCli(['ci-summary', '--wait', '30'], env())
    await server.restart()
    expect((await run.done).code).toBe(0)
    items = []
    const asked = server.requests.length
    const waits = startCli(['ci-summary', '--wait', '30'], env())
    await until(() => server.requests.length > asked, 20_000, 'it asks')
    waits.stop()
    expect((await waits.done).code).toBe(130)
  })

  test('what does not come in time is told as it is', async () => {
    items = [one({ outcome: 'running', cause: null })]
    const run = await runCli(['ci-summary', '--wait', '0.5'], env())
    expect([run.code, run.out]).toEqual([0, expect.stringContaining('Nothing failed so far; 1 is running')])
  })
})
