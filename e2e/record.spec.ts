import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { links } from '../lib/links'
import { runCli } from './support/cli'
import { root } from './support/server'
import { expect, server, test } from './support/test'

const agent = (mode: string, session: string, result = {}): string[] => [
  'env',
  `FAKE_SESSION=${session}`,
  process.execPath,
  join(root, 'cli/testing/fake-agent.mjs'),
  mode,
  JSON.stringify(result),
]

test('a step whose agent found what it looked for broken goes red, with a link that opens on the reason', async ({
  page,
}) => {
  const session = randomUUID()
  const result = {
    result: 'I ran the tests.\n<octopus-task-failed>\nthe bridge is out\n</octopus-task-failed>',
  }
  const run = await runCli(
    ['record', '--fail-on', 'agent-signal', '--', ...agent('result', session, result)],
    server().stateDir,
  )
  expect([run.code, run.out.split('\n').length]).toEqual([70, 4])
  // On a busy machine lines that say how far the sending is come first.
  const [, link] =
    /^(?:inquest: sending .*\n)*inquest: failed although the process exited with code 0 \(agent-signal: .*the bridge is out\); recorded: (http\S+)\n$/.exec(
      run.err,
    )!
  await page.goto(link!)
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('the bridge is out')
  await page.goto(links.anyId(session))
  expect(new URL(page.url()).pathname).toBe(new URL(link!).pathname)
})

test('a command that is no agent is an execution too, under the words it was started with', async ({
  page,
  seed,
}) => {
  const run = await runCli(
    ['record', '--json', '--', 'sh', '-c', 'echo looking; echo "no bridge here" >&2; exit 3'],
    server().stateDir,
  )
  expect([run.code, run.out]).toEqual([3, 'looking\n'])
  const printed = JSON.parse(run.err.split('\n').at(-2)!)
  expect(printed).toMatchObject({ record: 'sent', exitCode: 3, executionKey: `record-${printed.recordId}` })
  await page.goto(printed.url)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('sh -c echo looking')
  const output = page.getByRole('region', { name: 'Output' })
  await expect(output.getByRole('group', { name: 'Standard output' })).toHaveText('looking')
  await expect(output.getByRole('group', { name: 'Standard error' })).toHaveText(
    'Decisive line: no bridge here',
  )
  await output.getByRole('link', { name: 'View full output' }).click()
  await expect(page).toHaveURL(/view=raw/)
  const execution = await seed.read(new URL(page.url()).pathname.split('/').at(-1)!)
  expect(execution).toMatchObject({ externalId: printed.executionKey, odd: 0, labels: { cwd: root } })
})
