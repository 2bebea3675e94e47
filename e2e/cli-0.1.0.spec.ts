import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { links } from '@/lib/links'
import { runAction } from './support/action'
import { runCli } from './support/cli'
import { unpackCli } from './support/cli-0.1.0'
import { root } from './support/server'
import { expect, server, test } from './support/test'

let old: string
test.beforeAll(() => {
  old = unpackCli()
  // The action installs its packages only where there are none.
  mkdirSync(join(old, 'node_modules'))
})
test.afterAll(() => rmSync(old, { recursive: true }))

const run = (args: string[], input?: string) => runCli(args, server().stateDir, input, root, old)

test('the command line of 0.1.0 imports a transcript, and its link opens on the failure', async ({
  page,
  seed,
  folder,
}) => {
  const transcript = seed
    .transcript()
    .user('Build it')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 2\nno rule to make target' })
  const file = folder.put('session.jsonl', transcript.text)
  const imported = await run(['import', '--json', file])
  expect(imported.code, imported.err).toBe(0)
  const { summary } = JSON.parse(imported.out.trim().split('\n').at(-1)!) as {
    summary: { executions: number; dashboard: string }
  }
  expect(summary.executions).toBe(1)
  expect((await page.goto(summary.dashboard))!.status()).toBe(200)
  await page.goto(`${links.anyId(transcript.options.sessionId)}?view=attempts`)
  await expect(page.getByRole('heading', { name: 'Retry chains' })).toBeVisible()
})

test('its recorder links to the execution', async ({ page }) => {
  const recorded = await run([
    'record',
    '--json',
    '--chain',
    `order-${randomUUID()}`,
    '--attempt',
    '1',
    '--',
    'sh',
    '-c',
    'echo "no bridge here" >&2; exit 3',
  ])
  expect(recorded.code).toBe(3)
  const answer = JSON.parse(recorded.err.split('\n').at(-2)!) as { record: string; url: string }
  expect(answer.record).toBe('sent')
  await page.goto(answer.url)
  await expect(page.getByRole('region', { name: 'Cause', exact: true })).toContainText('no bridge here')
})

test('a frame that its hook left in the spool is delivered', async ({ page }) => {
  const session = randomUUID()
  const frame = {
    session_id: session,
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'Bash',
    tool_input: { command: 'make' },
    tool_use_id: `toolu_${session}`,
    error: 'Exit code 2\nno rule to make target',
  }
  await page.goto(links.anyId(session))
  expect(await run(['hook'], JSON.stringify(frame))).toEqual({ code: 0, out: '', err: '' })
  await expect(page.getByRole('region', { name: 'Cause', exact: true })).toContainText(
    'no rule to make target',
  )
})

test('its action turns a job red and names the reason', async ({ page, folder }) => {
  const answer = await fetch(server().url + links.api.keys(), {
    method: 'POST',
    headers: { authorization: `Bearer ${server().token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `ci ${randomUUID()}`, scopes: ['ingest', 'read'] }),
  })
  const { key } = (await answer.json()) as { key: string }
  const ran = await runAction(
    { 'server-url': server().url, token: key, command: 'echo "no bridge here" >&2; exit 3' },
    {
      folder,
      actionPath: old,
      env: {
        HOME: folder.path,
        INQUEST_STATE: join(folder.path, 'state'),
        GITHUB_ACTIONS: 'true',
        GITHUB_REPOSITORY: `acme/shop-${randomUUID().slice(0, 8)}`,
        GITHUB_RUN_ID: '9012345678',
        GITHUB_RUN_ATTEMPT: '2',
        GITHUB_JOB: 'agent',
        GITHUB_SERVER_URL: 'https://github.example',
      },
    },
  )
  expect([ran.status, ran.outputs['exit-status'], ran.outputs.failures]).toEqual([
    { make: 0, run: 3, summary: 0 },
    '3',
    '1',
  ])
  expect(ran.summary).toContain('no bridge here')
  await page.goto(ran.outputs.url!)
  await expect(page.getByRole('region', { name: 'Cause', exact: true })).toContainText('no bridge here')
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('attempt 2, job agent')
})
