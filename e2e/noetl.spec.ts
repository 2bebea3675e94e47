import { openDb, type Db } from '../db/client'
import { startEmbedded } from '../db/embedded'
import type { ExecutionItem } from '../lib/api/schemas'
import { links } from '../lib/links'
import { runCli } from './support/cli'
import { buildRun, stepRows } from './support/noetl/build-run'
import type { Losses } from './support/noetl/losses'
import type { NoetlRun } from './support/noetl/runs'
import { SEED, seedRuns } from './support/noetl/seed'
import { startNoetlStandIn, type NoetlStandIn } from './support/noetl/stand-in'
import { layNoetlTables } from './support/noetl/tables'
import { admin, redeemLink } from './support/people'
import { expect, ownTest as test } from './support/test'
import type { Page as ListPage } from '../lib/model/page'

/** It failed once and came to a good end: whoever lags behind calls it failed. */
const RETRIED = buildRun({
  path: 'stand-in/feeds/retried',
  startedAt: '2026-05-06T08:40:00Z',
  sequence: 10,
  rows: [
    ...stepRows({
      at: 100,
      ms: 50,
      name: 'fetch',
      commandId: '700',
      context: { status: 'error' },
      error: 'HTTP 503',
    }),
    ...stepRows({ at: 900, ms: 50, name: 'fetch', commandId: '701', attempt: 2, context: { status: 'ok' } }),
    {
      at: 1200,
      eventType: 'playbook.completed',
      nodeName: 'stand-in/feeds/retried',
      result: { status: 'COMPLETED' },
    },
  ],
})
const RUNS: NoetlRun[] = [...seedRuns(), RETRIED]
/** The newest row is not known yet to the table of runs, and to the list of the API. */
const LAG: Losses = { executionLag: 1, listLag: 1 }

let standIn: NoetlStandIn
test.beforeEach(async () => {
  standIn = await startNoetlStandIn({ runs: RUNS, losses: LAG, token: 'very-secret' })
})
test.afterEach(() => standIn.close())

test('a connected server: from a run that reads COMPLETED to its diagnosis, and each loss at the layer where it happens', async ({
  page,
  own,
  request,
}) => {
  test.setTimeout(300_000)
  const inquest = await own.start()
  const { url } = await startEmbedded({ dir: inquest.dataDir })
  const db: Db = openDb(url, { max: 1 })
  await layNoetlTables(db.sql, RUNS, LAG)
  await redeemLink(page, inquest.link, admin)
  const at = (path: string): string => inquest.url + path
  const headers = { authorization: `Bearer ${inquest.token}` }

  await page.goto(at(links.settings('sources')))
  await page.getByRole('button', { name: 'Connect a NoETL server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect a NoETL server' })
  await dialog.getByLabel('Name', { exact: true }).fill('staging')
  await dialog.getByLabel('URL', { exact: true }).fill(standIn.url)
  await dialog.getByLabel('Header value').fill('Bearer very-secret')
  await dialog.getByLabel('Database URL').fill(url)
  await dialog.getByLabel('The server is in a private network').check()
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  const row = page
    .getByRole('region', { name: 'Connected servers' })
    .getByRole('listitem')
    .filter({ hasText: 'staging' })
  await expect(row).toContainText('Up to date', { timeout: 60_000 })
  await expect(row).toContainText('database read')
  expect(await page.content()).not.toContain('very-secret')

  // Every run once, those of many pages whole, the one that somebody ended as that.
  const list = async (): Promise<ExecutionItem[]> =>
    (
      (await (
        await request.get(at(links.api.executions('limit=200')), { headers })
      ).json()) as ListPage<ExecutionItem>
    ).items
  const items = await list()
  expect(items.map(({ externalId }) => externalId).sort()).toEqual(
    RUNS.map(({ executionId }) => executionId).sort(),
  )
  const of = (run: string): ExecutionItem => items.find(({ externalId }) => externalId === run)!
  expect(
    [SEED.parent, SEED.failedChild, SEED.cancelledChild, SEED.parentOfCancelled, SEED.rows501].map(
      (run) => of(run).outcome,
    ),
  ).toEqual(['failed', 'failed', 'cancelled', 'succeeded', 'succeeded'])
  expect(of(SEED.rows501).labels).not.toHaveProperty('rows')

  // Who says what of an end: the list and the table of runs that lag behind, and the status endpoint, to which a cancelled run has completed.
  const banner = page.getByText('Sources disagree on 1 fact').locator('..')
  await page.goto(at(links.execution(of(RETRIED.executionId).id)))
  for (const words of [
    'list of runs says “FAILED”',
    'document of the run says “COMPLETED”',
    'status document says “COMPLETED”',
    'table of runs says “FAILED”',
    'event log says “COMPLETED (terminal_row)”',
    'used: “succeeded (terminal_row)”',
  ])
    await expect(banner).toContainText(words)
  await page.goto(at(links.execution(of(SEED.cancelledChild).id)))
  await expect(banner).toContainText(
    'status of the run: document of the run says “CANCELLED”, status document says “COMPLETED”, event log says “CANCELLED (cancelled_row)”; used: “cancelled (cancelled_row)”',
  )
  await page.goto(at(links.execution(of(SEED.parent).id)))
  await expect(page.getByRole('region', { name: 'Cause' })).toBeVisible()
  await expect(banner).toHaveCount(0)

  // Ids above 2^53 keep their digits on the page: that of the run, of a row in it, and of its parent. No binary64 number holds one of them.
  const issued = seedRuns()
    .find(({ executionId }) => executionId === SEED.everyId)!
    .events.at(1)
  const ids = [SEED.everyId, issued.eventId, SEED.rows501]
  expect(ids.map((id) => [id, Number.isSafeInteger(Number(id))])).toEqual(ids.map((id) => [id, false]))
  await page.goto(at(links.execution(of(SEED.everyId).id, 'raw')))
  const runId = page.getByTitle('ID in the source')
  await expect(runId).toHaveText(SEED.everyId)
  await page.getByLabel('Find in records').fill('command.issued')
  await page
    .getByRole('listbox', { name: 'Records' })
    .getByRole('option')
    .filter({ hasText: 'command.issued' })
    .first()
    .click()
  const record = page.getByRole('region', { name: 'Record', exact: true })
  for (const [field, id] of [
    ['execution_id', SEED.everyId],
    ['event_id', issued.eventId],
    ['parent_execution_id', SEED.rows501],
  ] as const)
    await expect(record.locator(`[data-json-pointer="/${field}"] [data-json-value]`)).toHaveText(id)
  await page.getByRole('link', { name: 'Parent execution' }).click()
  await expect(runId).toHaveText(SEED.rows501)

  await page.goto(at(links.executions(`q=${encodeURIComponent('class:agent_failure close_month')}`)))
  await page.getByRole('row').filter({ hasText: 'reconcile_ledger' }).click()
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('in a COMPLETED run')
  await page.getByRole('region', { name: 'Diagnosis' }).getByRole('link', { name: 'View diagnosis' }).click()
  const diagnosis = page.getByRole('region', { name: 'Diagnosis', exact: true })
  await expect(diagnosis).toContainText('field "currency" is missing')
  await expect(diagnosis).toContainText('0.82')

  // Nothing is lost so far; then each switch of the stand-in, found at its layer.
  await page.goto(at(links.execution(of(SEED.parent).id, 'parity')))
  const parity = page.getByRole('region', { name: 'Parity' })
  await expect(
    page
      .getByRole('region', { name: 'NoETL document' })
      .getByRole('list', { name: 'Layers' })
      .getByRole('listitem'),
  ).toHaveText([
    'Source read in full',
    'Event log read in full',
    'API read in full',
    'Stored rows read in full',
  ])
  const check = async (): Promise<{ verdict: string; firstCritical: { from: string; to: string } | null }> =>
    (await request.get(at(links.api.parity(of(SEED.parent).id)), { headers })).json()
  expect(await check()).toMatchObject({ verdict: 'equal', firstCritical: null })
  // What the server does not give makes its layer a part, and nothing is called equal.
  await standIn.set({ losses: { pageCap: 100 } })
  const capped = (await (
    await request.get(at(links.api.parity(of(SEED.rows501).id)), { headers })
  ).json()) as { verdict: string; layers: { form: string; layer: string; state: string }[] }
  expect([
    capped.verdict,
    capped.layers.filter(({ form }) => form === 'document').map(({ layer, state }) => `${layer} ${state}`),
  ]).toEqual(['unknown', ['source read', 'event_log read', 'api incomplete', 'persisted read']])
  const losses: [Losses, string, string][] = [
    [{ scalarOnlyProjection: true }, 'source', 'event_log'],
    [{ flatDiagnosis: true }, 'source', 'event_log'],
    [{ contextCap: true, contextBytesMax: 200 }, 'source', 'event_log'],
    [{ handleInsteadOfDiagnosis: 'event_log' }, 'source', 'event_log'],
    [{ roundedIds: true }, 'event_log', 'api'],
    [{ stringifiedContext: true }, 'event_log', 'api'],
    [{ scalarOnlyProjection: 'api' }, 'event_log', 'api'],
  ]
  for (const [loss, from, to] of losses) {
    await layNoetlTables(db.sql, RUNS, loss)
    await standIn.set({ losses: loss })
    expect([loss, (await check()).firstCritical]).toMatchObject([loss, { from, to }])
  }
  await layNoetlTables(db.sql, RUNS, { scalarOnlyProjection: true })
  await standIn.set({ losses: { scalarOnlyProjection: true } })
  await page.keyboard.press('v')
  await expect(parity.getByRole('heading').first()).toContainText('worst: critical')
  await expect(page.getByText('/result/context/error/diagnosis').first()).toBeVisible()
  await expect(page.getByText('Lost between source and event log')).toBeVisible()
  const { code, out } = await runCli(['parity', SEED.parent], inquest.stateDir)
  expect([code, out]).toEqual([1, expect.stringContaining('lost between source and event_log')])
  await db.close()
})
