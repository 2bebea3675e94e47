import { randomUUID } from 'node:crypto'
import { sessionLogRoot } from '../db/seed/session-logs'
import type { ExecutionItem } from '../lib/api/schemas'
import { links } from '../lib/links'
import { runCli } from './support/cli'
import { expect, server, test } from './support/test'
import type { Page } from '../lib/model/page'

test('a root of session logs is imported; a run shows what was recorded of it, where its files differ, and its bytes', async ({
  page,
  folder,
  request,
  seed,
}) => {
  const source = `kitchen-${randomUUID().slice(0, 8)}`
  const root = sessionLogRoot({ runs: 9, seed: Number.parseInt(randomUUID().slice(0, 7), 16) })
  const differing = root.runs.find((run) => run.differs)!
  const crashed = root.runs.find((run) => run.ending === 'crashed')!
  root.files.forEach((text, name) => void folder.put(name, text))
  const transcript = seed
    .transcript({ sessionId: differing.sessionId!, cwd: differing.cwd })
    .user('Implement the plan')
    .says('Implemented.')
  folder.put(`projects/${differing.sessionId}.jsonl`, transcript.text)

  const first = await runCli(['import', '--source', source, folder.path], server().stateDir)
  expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^(?!.*not taken)/) })
  expect(first.out).toContain('9 executions')
  const again = await runCli(['import', '--source', source, folder.path], server().stateDir)
  expect(again.out).toContain('nothing new')

  const list = (await (
    await request.get(links.api.executions(`q=source:${source}&limit=50`))
  ).json()) as Page<ExecutionItem>
  const idOf = (key: string): string => list.items.find((item) => item.externalId === key)!.id
  await page.goto(links.executions(`q=source:${source}`))
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows).toHaveCount(9)
  await expect(rows.filter({ hasText: root.falsePositive[0]!.command })).toHaveCount(4)

  await page.goto(links.execution(idOf(differing.sessionId!)))
  await expect(page.getByRole('heading', { level: 1 })).toContainText(differing.command)
  await page.getByText('Sources disagree on 2 facts').click()
  await expect(
    page.getByText('session log says “summary.json: true”, session log says “sessions.jsonl: false”'),
  ).toBeVisible()
  const facts = page.getByRole('region', { name: 'Facts' })
  for (const text of [differing.kitchen, differing.order, differing.step])
    await expect(facts).toContainText(text)
  await page.goto(links.execution(idOf(differing.sessionId!), 'timeline'))
  await expect(page.getByText(/Recorded as success: success/)).toBeVisible()
  await expect(page.getByText('Implement the plan').first()).toBeVisible()

  await page.goto(links.execution(idOf(crashed.dir), 'raw'))
  const bytes = page.getByLabel('Exact bytes')
  await page
    .getByText("The run crashed: FileNotFoundError: [Errno 2] No such file or directory: 'claude'")
    .click()
  await expect(bytes).toContainText('Traceback (most recent call last):')
  await expect(page.getByText(/received parts/)).toBeVisible()
})
