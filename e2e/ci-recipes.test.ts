import { existsSync, readFileSync } from 'node:fs'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer, testToken, type TestServer } from '@/cli/testing/test-server'
import { makeFolder } from '@/cli/testing/run-cli'
import { bash } from './support/bash'
import { readOther, readRecipe } from './support/recipes'

const secret = `ghp_${'a1B2'.repeat(9)}`
/** What CI systems and browsers would act on, if it was in their log or page as it is. */
const HOSTILE = [
  '::error::forged',
  '##[group]forged',
  '--- forged',
  '+++ forged',
  '\u001b[0Ksection_start:1:forged\r\u001b[0Kforged',
  '<script>forged</script>',
].join('\n')
const session = '22222222-0000-4000-8000-000000000001'
const stream = [
  { type: 'system', subtype: 'init', session_id: session, tools: ['Bash'] },
  {
    type: 'assistant',
    session_id: session,
    message: {
      id: 'm',
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'make' } }],
    },
  },
  {
    type: 'user',
    session_id: session,
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 't',
          is_error: true,
          content: `Exit code 2\n${HOSTILE}\ntoken ${secret}\nmake: *** [all] Error 2`,
        },
      ],
    },
  },
  {
    type: 'result',
    subtype: 'success',
    is_error: true,
    result: `API Error: 529 Overloaded ${HOSTILE}`,
    session_id: session,
  },
]

const PROVIDERS = {
  gitlab: {
    env: {
      GITLAB_CI: 'true',
      CI_PROJECT_PATH: 'group/sub/shop',
      CI_PIPELINE_ID: '8',
      CI_JOB_NAME: 'agent',
      CI_JOB_STATUS: 'failed',
    },
    ci: { path: 'group/sub/shop', run: '8', attempt: null, job: 'agent' },
    page: '/ci/gitlab/group%2Fsub%2Fshop/8',
    files: ['inquest.md', 'agent.redacted.jsonl'],
  },
  buildkite: {
    env: {
      ...{ BUILDKITE: 'true', BUILDKITE_ORGANIZATION_SLUG: 'acme', BUILDKITE_PIPELINE_SLUG: 'shop' },
      ...{ BUILDKITE_BUILD_NUMBER: '9', BUILDKITE_RETRY_COUNT: '1', BUILDKITE_STEP_KEY: 'agent' },
    },
    ci: { path: 'acme/shop', run: '9', attempt: 2, job: 'agent' },
    page: '/ci/buildkite/acme%2Fshop/9',
    files: ['annotation.md', 'agent.redacted.jsonl'],
  },
  jenkins: {
    env: {
      JENKINS_URL: 'https://jenkins.example/',
      JOB_NAME: 'shop/main',
      BUILD_NUMBER: '12',
      STAGE_NAME: 'agent',
    },
    ci: { path: 'shop/main', run: '12', attempt: null, job: 'agent' },
    page: '/ci/jenkins/shop%2Fmain/12',
    files: ['inquest.md', 'agent.redacted.jsonl'],
  },
  circleci: {
    env: {
      ...{ CIRCLECI: 'true', CIRCLE_PROJECT_USERNAME: 'acme', CIRCLE_PROJECT_REPONAME: 'shop' },
      ...{ CIRCLE_WORKFLOW_ID: 'w-7', CIRCLE_JOB: 'agent' },
    },
    ci: { path: 'acme/shop', run: 'w-7', attempt: null, job: 'agent' },
    page: '/ci/circleci/acme%2Fshop/w-7',
    files: ['inquest/summary.md', 'inquest/agent.jsonl'],
  },
} as const

let server: TestServer
let folder: ReturnType<typeof makeFolder>
beforeEach(async () => {
  server = await startTestServer()
  folder = makeFolder()
  const lines = folder.put('stream.jsonl', stream.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const commands = { 'run-agent.sh': `cat ${lines}\nexit 3`, 'bin/buildkite-agent': 'cat > annotation.md' }
  for (const [name, script] of Object.entries(commands))
    chmodSync(folder.put(name, `#!/bin/sh\n${script}\n`), 0o755)
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

/** A shell of the job. The recipes write into `/tmp/inquest`, which is a folder of the test here. */
const sh = (script: string, env: Record<string, string>) =>
  bash(script.replaceAll('/tmp/inquest', join(folder.path, 'inquest')), folder, {
    ...{
      PATH: `${folder.path}/bin:${process.env.PATH}`,
      HOME: folder.path,
      INQUEST_STATE: join(folder.path, 'state'),
    },
    ...{ INQUEST_URL: server.url, INQUEST_TOKEN: testToken },
    ...env,
  })
const sent = (type: string): Record<string, unknown>[] =>
  server.requests
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/ingest/record'))
    .flatMap(({ body }) =>
      body
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
    .filter((line) => line.type === type)

/** Lines that a system would act on although the agent wrote them; escape sequences act in every log. */
const ACTS: Record<keyof typeof PROVIDERS, RegExp> = {
  gitlab: /\u001b\[0Ksection_start:1:|\u001b\[0Kforged/,
  buildkite: /^(?:---|\+\+\+|~~~|\^\^\^) forged|\u001b\[0K/,
  jenkins: /\u001b\[/,
  circleci: /\u001b\[/,
}

describe.each(Object.entries(PROVIDERS))('the recipes for %s', (provider, { env, ci, page, files }) => {
  test('record the command, keep its status, and link to the page of the run', async () => {
    const { run, after } = readRecipe(provider, 'Record a command')
    const ran = await sh(run, env)
    expect(ran.code).toBe(3)
    expect(sent('record.start').map((line) => line.ci)).toEqual([
      expect.objectContaining({ provider, ...ci }),
    ])
    let log = ''
    for (const { script, env: more } of after) log += (await sh(script, { ...env, ...more })).out
    expect(log).toContain(server.url + page)
  })

  test('explain the file, keep it without secrets, and send it with its run', async () => {
    const { run, after } = readRecipe(provider, 'Explain a file')
    const ran = await sh(run, env)
    expect(ran.code).toBe(3)
    const acts = ACTS[provider as keyof typeof PROVIDERS]
    let log = ran.out
    for (const { script, env: more } of after) {
      const { code, out } = await sh(script, { ...env, ...more })
      expect([script, code]).toEqual([script, 0])
      log += out
    }
    expect(log).toContain('529')
    expect(log).toContain(`CI run: ${server.url}${page}`)
    expect([log.includes(secret), log.split('\n').filter((line) => acts.test(line))]).toEqual([false, []])
    expect(sent('record.ci')).toEqual([
      expect.objectContaining({ conclusion: 'failure', ci: expect.objectContaining({ provider, ...ci }) }),
    ])
    for (const name of files) {
      const path = join(folder.path, name)
      expect([name, existsSync(path) && readFileSync(path, 'utf8').includes(secret)]).toEqual([name, false])
      expect([name, existsSync(path)]).toEqual([name, true])
    }
    const summary = readFileSync(join(folder.path, files[0]), 'utf8')
    expect(summary).toContain('529')
    expect(summary.replace(/`+[^`]*`+/g, '')).not.toContain('<script>')
  })
})

test('any other system names its run in variables, with record and with explain', async () => {
  const [record = '', explain = ''] = readOther()
  const ran = await sh(record, {})
  expect([ran.code, ran.out]).toEqual([3, expect.stringContaining('/ci/nightly/shop/')])
  expect(sent('record.start')[0]!.ci).toMatchObject({ provider: 'nightly', path: 'shop', job: 'agent' })
  await sh('./run-agent.sh > agent.jsonl || true', {})
  const { out } = await sh(explain, {})
  expect([out.includes('529'), out.includes(`CI run: ${server.url}/ci/nightly/shop/`)]).toEqual([true, true])
})
