import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import net from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { links } from '@/lib/links'
import { readAction, runAction } from './support/action'
import { ENDINGS } from './support/endings'
import type { Folder } from './support/folder'
import { root } from './support/server'
import { expect, server, test } from './support/test'

const agent = (result: object): string =>
  `${JSON.stringify(process.execPath)} ${JSON.stringify(join(root, 'cli/testing/fake-agent.mjs'))} result '${JSON.stringify(result)}'`
const failed = {
  result: 'I ran the tests.\n<octopus-task-failed>\nthe bridge is out\n</octopus-task-failed>',
}

/** A job of GitHub with a run of its own and a home of its own. */
const job = (folder: Folder) => ({
  HOME: folder.path,
  INQUEST_STATE: join(folder.path, 'state'),
  FAKE_SESSION: randomUUID(),
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: `acme/shop-${randomUUID().slice(0, 8)}`,
  GITHUB_RUN_ID: '9012345678',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_JOB: 'agent',
  GITHUB_SHA: '1bf6fcf1d2a3b4c5d6e7f8091a2b3c4d5e6f7081',
  GITHUB_SERVER_URL: 'https://github.example',
})
/** The server, and a key as docs/ci.md asks for: it can only ingest. */
const to = async () => {
  const answer = await fetch(server().url + links.api.keys(), {
    method: 'POST',
    headers: { authorization: `Bearer ${server().token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `ci ${randomUUID()}`, scopes: ['ingest'] }),
  })
  expect(answer.status).toBe(201)
  return { 'server-url': server().url, token: ((await answer.json()) as { key: string }).key }
}

test('the action is one that the runner takes, and nothing of its inputs is pasted into a script', () => {
  const { inputs, outputs, runs } = readAction()
  expect(runs.using).toBe('composite')
  const ids = runs.steps.map(({ id }) => id)
  for (const step of runs.steps) {
    expect(step.shell, step.name).toBe('bash')
    expect(step.run, step.name).not.toContain('${{')
  }
  const given = JSON.stringify(runs.steps)
  for (const [name, { description }] of Object.entries(inputs))
    expect([name, description !== '', given.includes(`inputs.${name} `)]).toEqual([name, true, true])
  for (const { value } of Object.values(outputs)) expect(ids).toContain(/steps\.([\w-]+)\./.exec(value)![1])
  expect(Object.keys(inputs).toSorted()).toEqual([
    'command',
    'conclusion',
    'execution-file',
    'expect',
    'fail-on',
    'job',
    'marker',
    'server-url',
    'timeout',
    'token',
    'working-directory',
  ])
})

test('a job whose agent failed goes red, with a link that opens on the reason and its decision', async ({
  page,
  folder,
}) => {
  const ran = await runAction(
    { ...(await to()), command: agent(failed), 'fail-on': 'agent-signal,contract' },
    { folder, env: job(folder) },
  )
  expect([ran.status, ran.outputs['exit-status'], ran.outputs.failures]).toEqual([
    { make: 0, run: 70, summary: 0 },
    '70',
    '1',
  ])
  expect(ran.log).toMatch(/^::error title=agent failed .*the bridge is out/m)
  expect(ran.summary).toContain('## Inquest: The only execution failed')
  expect(ran.summary).toContain('the bridge is out')
  expect(ran.log + ran.summary).not.toMatch(/inq_/)
  await page.goto(ran.outputs.url!)
  await expect(page.getByRole('region', { name: 'Cause', exact: true })).toContainText('the bridge is out')
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('attempt 2, job agent')
  // The line that the recorder left in the log of the job.
  await page.goto(/recorded: (http\S+)/.exec(ran.log)![1]!)
  await expect(
    page.getByRole('region', { name: 'Decision', exact: true }).getByText('Did it finish?'),
  ).toBeVisible()
})

test('what the inputs say reaches the command as it is, and never the shell', async ({ folder }) => {
  const marker = `"'; touch pwned; $(touch pwned) \`touch pwned\` %%DONE%%`
  folder.put('a folder/words.txt', 'found')
  const command = `words="$(cat words.txt)"\necho "plan_path = /$words"\nprintf '%s\\n' ${`'${marker.replaceAll("'", "'\\''")}'`}\nenv | grep INPUT_ && exit 9 || true`
  const inputs = {
    ...(await to()),
    command,
    marker,
    expect: 'plan_path = /.+\n\n^never "found" \\$\\(x\\)',
    'working-directory': 'a folder',
    'fail-on': 'contract',
  }
  const ran = await runAction(inputs, { folder, env: job(folder) })
  expect(ran.log).toContain('plan_path = /found\n')
  expect([
    ran.status.run,
    existsSync(join(folder.path, 'pwned')),
    existsSync(join(folder.path, 'a folder/pwned')),
  ]).toEqual([70, false, false])
  expect(ran.log).toContain('^never "found"')
  const good = await runAction({ ...inputs, expect: 'plan_path = /.+' }, { folder, env: job(folder) })
  expect([good.status, good.outputs['exit-status'], good.outputs.failures]).toEqual([
    { make: 0, run: 0, summary: 0 },
    '0',
    '0',
  ])
  expect(good.summary).toContain('The only execution succeeded')
})

test('a job of which the server is away stays as its agent ended, and what waits is sent when it is back', async ({
  page,
  folder,
}) => {
  let away = true
  const { port } = new URL(server().url)
  const between = net.createServer((socket) => {
    if (away) return void socket.destroy()
    const real = net.connect(Number(port), '127.0.0.1')
    socket.pipe(real).pipe(socket)
    for (const side of [socket, real]) side.on('error', () => (socket.destroy(), real.destroy()))
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  try {
    const inputs = {
      command: `${agent(failed)}; exit 4`,
      'server-url': `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
      token: server().token,
    }
    const env = job(folder)
    const ran = await runAction(inputs, { folder, env, between: (step) => (away = step.id !== 'summary') })
    expect([ran.status, ran.outputs['exit-status'], ran.outputs.failures]).toEqual([
      { make: 0, run: 4, summary: 0 },
      '4',
      '1',
    ])
    expect(ran.log).toContain('not sent')
    await page.goto(server().url + new URL(ran.outputs.url!).pathname)
    await expect(page.getByRole('region', { name: 'Cause', exact: true })).toBeVisible()

    away = true
    const lost = await runAction(inputs, {
      folder,
      env: { ...job(folder), GITHUB_RUN_ID: '1' },
      between: () => (away = true),
    })
    expect([lost.status.run, lost.status.summary, lost.outputs.failures]).toEqual([4, 0, ''])
    expect(lost.outputs.url).toContain('/ci/github/acme%2Fshop')
    expect(lost.log).toContain('did not answer')
  } finally {
    between.close()
  }
})

test('the time that a command may take is kept', async ({ folder }) => {
  const ran = await runAction(
    { ...(await to()), command: 'echo started; sleep 600', timeout: '1', 'fail-on': 'timeout' },
    { folder, env: job(folder) },
  )
  expect(ran.status.run).not.toBe(0)
  expect(ran.log).toContain('stopped after 1 s')
})

for (const { name, conclusion, records, reason, onPage } of ENDINGS)
  test(`after another action that ended with ${name}, the link opens on the reason`, async ({
    page,
    folder,
  }) => {
    const list = records(randomUUID())
    if (list !== null) folder.put('claude-execution-output.json', JSON.stringify(list, null, 2))
    const ran = await runAction({ ...(await to()), conclusion }, { folder, env: job(folder) })
    expect(ran.status).toEqual({ make: 0, explain: 0, send: 0 })
    expect(ran.log.replace(/\s+/g, ' ')).toMatch(reason)
    expect(ran.log).toContain(`CI run: ${ran.outputs.url}`)
    expect(ran.summary).toContain(`(${ran.outputs.url})`)
    expect(ran.log + ran.summary).not.toMatch(/inq_/)
    await page.goto(ran.outputs.url!)
    // The only failure opens at once; what was cancelled is in the list of the run.
    await expect(page.getByText(onPage).first()).toBeVisible()
  })

test('two steps of one job are two executions, and a server that is away fails nothing', async ({
  page,
  folder,
}) => {
  const [apiError, , maxTurns] = ENDINGS
  const [inputs, env] = [{ ...(await to()), conclusion: 'failure' }, job(folder)]
  let url = ''
  for (const { records } of [apiError!, maxTurns!]) {
    folder.put('claude-execution-output.json', JSON.stringify(records(randomUUID())))
    url = (await runAction(inputs, { folder, env })).outputs.url!
  }
  await page.goto(url)
  await expect(page.getByText('All 2 executions failed').first()).toBeVisible()
  const away = await runAction({ ...inputs, 'server-url': 'http://127.0.0.1:9' }, { folder, env })
  expect([away.status, away.outputs.url]).toEqual([
    { make: 0, explain: 0, send: 0 },
    expect.stringContaining('http://127.0.0.1:9/ci/github/'),
  ])
})
