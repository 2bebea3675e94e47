import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ExecutionItem } from '../lib/api/schemas'
import { links } from '../lib/links'
import { runCli } from './support/cli'
import { root } from './support/server'
import { expect, server, test } from './support/test'
import type { Page } from '../lib/model/page'

const SAMPLES = join(root, '../shared/samples/claude-code')

test('a folder is imported by the command line, and its failing run stands in the list with the reason', async ({
  page,
  folder,
  seed,
}) => {
  const branch = `import-${randomUUID().slice(0, 8)}`
  const failing = seed
    .transcript({ branch })
    .user('Make the stock report')
    .call('Bash', { command: 'python report.py' }, { fails: "Exit code 1\nKeyError: 'weight'" })
  const fine = seed.transcript({ branch }).user('Say hello').says('Hello.')
  folder.put(`-srv-shop/${failing.options.sessionId}.jsonl`, failing.text)
  folder.put(`-srv-shop/${fine.options.sessionId}.jsonl`, fine.text)
  folder.put('-srv-shop/notes.txt', 'nothing of an agent\n')

  const first = await runCli(['import', folder.path], server().stateDir)
  expect(first).toMatchObject({ code: 0 })
  expect(first.out).toContain('2 files sent')
  expect(first.out).toContain(`${failing.lines.length + fine.lines.length} new records`)
  expect(first.out).toContain('1 call, 1 failed.')
  expect(first.out).toContain('2 executions, 1 failed: ')

  await page.goto(links.executions(`q=branch:${branch}`))
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows).toHaveCount(2)
  await expect(
    rows.filter({ hasText: "KeyError: 'weight'" }).getByRole('cell', { name: 'Failed', exact: true }),
  ).toBeVisible()

  // The summary's address is the failure itself.
  await page.goto(/failed: (\S+)/.exec(first.out)![1]!)
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText("KeyError: 'weight'")

  const again = await runCli(['import', folder.path], server().stateDir)
  expect(again).toMatchObject({ code: 0 })
  expect(again.out).toContain('0 files sent')
  expect(again.out).toContain('2 there already')
  expect(again.out).toContain('nothing new')
  await page.goto(links.executions(`q=branch:${branch}`))
  await expect(rows).toHaveCount(2)
})

test('a path that is not there is told, and the command does not say that all went well', async () => {
  const run = await runCli(['import', '/nowhere/at/all'], server().stateDir)
  expect(run.code).not.toBe(0)
  expect(run.out + run.err).toContain('/nowhere/at/all')
})

test.describe('the sample transcripts', () => {
  test.skip(!existsSync(SAMPLES), 'the folder of samples is not here')

  test('all 39 files are taken, and the list counts what they hold', async ({ page, request }) => {
    test.setTimeout(240_000)
    const source = `samples-${randomUUID().slice(0, 8)}`
    const run = await runCli(['import', '--json', '--source', source, SAMPLES], server().stateDir)
    expect(run.err).toBe('')
    const records = run.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const reports = records.flatMap((record) => record.file ?? [])
    const { summary } = records.find((record) => record.summary)
    const top = reports.filter((file: { path: string }) => /claude-code\/[^/]+\.jsonl$/.test(file.path))
    expect(top).toHaveLength(39)
    expect(top.filter((file: { status: string }) => file.status !== 'sent')).toEqual([])

    const items: ExecutionItem[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await request.get(
        links.api.executions(
          new URLSearchParams({
            q: `source:${source}`,
            limit: '200',
            ...(cursor ? { cursor } : {}),
          }).toString(),
        ),
      )
      const body = (await answer.json()) as Page<ExecutionItem>
      items.push(...body.items)
      cursor = body.nextCursor
    }
    expect(items).toHaveLength(summary.executions)

    await page.goto(links.executions(`q=source:${source}`))
    await expect(page.getByText(`${items.length} match`)).toBeVisible()
    const failed = items.filter((item) => item.outcome === 'failed').length
    expect(failed).toBeGreaterThan(0)
    await page.getByRole('checkbox', { name: /^Failed/ }).check()
    await expect(page.getByText(`${failed} match`)).toBeVisible()
    const again = await runCli(['import', '--json', '--source', source, SAMPLES], server().stateDir)
    expect(JSON.parse(again.out.trim().split('\n').at(-1)!).summary).toMatchObject({
      records: 0,
      executions: 0,
    })
  })

  test('files of other agents are answered as recognised, not supported', async () => {
    const run = await runCli(['import', '--json', join(SAMPLES, 'other-agents')], server().stateDir)
    const reports = run.out
      .trim()
      .split('\n')
      .flatMap((line) => JSON.parse(line).file ?? [])
    expect(reports.map((file) => basename(file.path))).toContain('codex-rollout-019e1695.jsonl')
    for (const { path, status, because } of reports)
      expect({ path, status, because }).toEqual({
        path,
        status: expect.stringMatching(/^(left|not-taken)$/),
        because: expect.stringMatching(/not supported/),
      })
  })
})
