import { randomUUID } from 'node:crypto'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { links } from '../lib/links'
import { boxOf } from './support/box'
import { runCli, startCli } from './support/cli'
import { expect, server, test } from './support/test'

test('a transcript that is followed shows up in open pages by itself', async ({
  page,
  context,
  seed,
  folder,
}, info) => {
  const branch = `live-${randomUUID().slice(0, 8)}`
  const transcript = seed
    .transcript({ branch, startedAt: '2026-11-02T08:00:00.000Z' })
    .user('Watch me')
    .call('Bash', { command: 'first' }, { ok: 'ok' })
  const file = join(folder.path, `${transcript.options.sessionId}.jsonl`)
  writeFileSync(file, transcript.text)
  const watching = startCli(['import', '--watch', folder.path], server().stateDir)
  try {
    await expect.poll(() => watching.written().out, { timeout: 20_000 }).toContain('Watching 1 file')
    const list = await context.newPage()
    await list.goto(links.executions(`q=branch:${branch}`))
    const row = list.getByRole('row').filter({ hasText: 'Watch me' })
    await expect(row).toHaveCount(1)
    await page.goto(links.anyId(transcript.options.sessionId))
    await expect(page.getByRole('region', { name: 'Cause' })).toContainText('Nothing failed')
    for (const open of [page, list]) await expect(open.getByText('Live', { exact: true })).toBeAttached()

    const before = transcript.lines.length
    transcript.call('Bash', { command: 'second' }, { fails: 'Exit code 3\nthe bridge is out' })
    const startedAt = performance.now()
    appendFileSync(
      file,
      transcript.lines
        .slice(before)
        .map((line) => `${line}\n`)
        .join(''),
    )
    const shownAfterMs = async (shown: Promise<void>): Promise<number> =>
      shown.then(() => Math.round(performance.now() - startedAt))
    const [pageMs, listMs] = await Promise.all([
      shownAfterMs(expect(page.getByRole('region', { name: 'Cause' })).toContainText('the bridge is out')),
      shownAfterMs(expect(row).toContainText('the bridge is out')),
    ])
    info.annotations.push({
      type: 'measured',
      description: `execution page ${pageMs} ms, list ${listMs} ms after the append`,
    })
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Watch me')

    // A torn line is no record yet.
    const [whole] = transcript.says('I give up.').lines.slice(-1)
    appendFileSync(file, whole!.slice(0, 40))
    appendFileSync(file, `${whole!.slice(40)}\n`)
    await expect(page.getByRole('region', { name: 'Facts' })).toContainText(
      `Records${transcript.lines.length}`,
    )
    expect((await seed.read(new URL(page.url()).pathname.split('/').at(-1)!)).odd).toBe(0)
  } finally {
    watching.child.kill('SIGINT')
  }
  expect((await watching.done).code).toBe(0)
})

test('what arrives while a list is read is counted above it, and no row moves', async ({ page, seed }) => {
  const branch = `still-${randomUUID().slice(0, 8)}`
  for (let n = 10; n < 50; n++)
    await seed.send(
      seed
        .transcript({ branch, startedAt: `2026-10-01T08:${n}:00.000Z` })
        .user(`Task ${n}`)
        .says('Done.'),
    )
  await page.goto(links.executions(`q=branch:${branch}`))
  await expect(page.getByText('Live', { exact: true })).toBeAttached()
  await page.mouse.move(700, 600)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200)
  const row = page.getByRole('row').filter({ hasText: 'Task 35' })
  const place = await boxOf(row)

  for (const n of [1, 2])
    await seed.send(
      seed
        .transcript({ branch, startedAt: `2026-10-02T08:0${n}:00.000Z` })
        .user(`New task ${n}`)
        .call('Bash', { command: 'x' }, { fails: 'Exit code 1\nbad' }),
    )
  const pill = page.getByRole('button', { name: '2 new' })
  await expect(pill).toBeVisible()
  expect(await boxOf(row)).toEqual(place)
  await expect(page.getByText('New task')).toHaveCount(0)

  await pill.click()
  await expect(
    page
      .getByRole('row')
      .filter({ has: page.getByRole('cell') })
      .first(),
  ).toContainText('New task 2')
  await expect(pill).toBeHidden()
})

test('an execution that grows keeps the place where its reader is', async ({ page, seed }) => {
  const transcript = seed.transcript().user('Many steps')
  for (let n = 0; n < 60; n++) transcript.call('Bash', { command: `step ${n}` }, { ok: 'ok' })
  const id = await seed.execution(transcript)
  await page.goto(links.execution(id, 'timeline'))
  await expect(page.getByText('Live', { exact: true })).toBeAttached()
  await expect(page.getByRole('row').filter({ hasText: 'step 5' }).first()).toBeVisible()
  await page.mouse.move(700, 600)
  await page.mouse.wheel(0, 900)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(500)
  const scrolled = await page.evaluate(() => window.scrollY)
  await seed.send(transcript.call('Bash', { command: 'one more' }, { fails: 'Exit code 1\nlate' }))
  await expect(page.getByRole('link', { name: /^Calls/ })).toContainText('61')
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)
})

test('what a hook leaves on this machine is fetched, and opens the page that waits for its session', async ({
  page,
}) => {
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
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('make')
  const hook = async (sent: object) =>
    expect(await runCli(['hook'], server().stateDir, JSON.stringify(sent))).toEqual({
      code: 0,
      out: '',
      err: '',
    })
  await hook({ session_id: session, hook_event_name: 'UserPromptSubmit', prompt: 'Build it' })
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('Running. No failures so far.')
  await expect(page.getByRole('main')).toContainText(/Running\. Last event/)
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('Last event')
  await hook(frame)
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('no rule to make target')
})
