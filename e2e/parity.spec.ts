import type { Page } from '@playwright/test'
import { randomInt } from 'node:crypto'
import { links } from '../lib/links'
import { pageFaults } from './support/check-page'
import { buildRun, stepRows } from './support/noetl/build-run'
import { loseExitDiagnosis } from './support/noetl/lost-row'
import type { Losses } from './support/noetl/losses'
import { SEED, SEED_DIAGNOSIS, seedRuns } from './support/noetl/seed'
import { startNoetlStandIn } from './support/noetl/stand-in'
import { lostUpdate, pushReceipts, signedChain } from './support/receipts'
import { expect, test } from './support/test'

/** Looking at a comparison stores nothing: what other pages say comes from checks that somebody, or the sweep, asked for. */
async function storeCheck(page: Page): Promise<void> {
  const checked = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await page.getByRole('button', { name: 'Compare again' }).click()
  expect((await checked).status()).toBe(200)
}

test('what is stored of an execution is held against its kept bytes', async ({ page, request }) => {
  const id = await pushReceipts(request, await signedChain(lostUpdate()))
  await page.goto(links.execution(id))
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Parity' }).click()
  const parity = page.getByRole('region', { name: 'Parity' })
  await expect(parity.getByRole('heading')).toHaveText('Stored data matches its raw records')
  const layersOf = (form: string) =>
    page.getByRole('region', { name: form }).getByRole('list', { name: 'Layers' }).getByRole('listitem')
  await expect(layersOf('Inquest records')).toHaveText([
    'Raw records read in full',
    'Stored rows read in full',
  ])
  await expect(layersOf('This page')).toHaveText(['Stored rows read in full', 'This page read in full'])
})

test('a comparison that fails its own controls says so before anything else', async ({ page, request }) => {
  const id = await pushReceipts(request, await signedChain(lostUpdate()))
  await page.route(/\/parity$/, async (route) => {
    const answer = await route.fetch()
    const document = (await answer.json()) as { failedControls: string[] }
    expect(document.failedControls).toEqual([])
    await route.fulfill({ response: answer, json: { ...document, failedControls: ['intact'] } })
  })
  await page.goto(links.execution(id, 'parity'))
  const parity = page.getByRole('region', { name: 'Parity' })
  await expect(parity.getByRole('heading')).toHaveText('Unreliable result')
  await expect(parity.getByRole('alert')).toContainText('an intact pair')
})

/** A run that makes a diagnosis of the agent of the seed's run, as far as that it has kept it. */
const OF_DIAGNOSIS = {
  path: 'automation/agents/troubleshoot/diagnose_execution',
  startedAt: '2026-05-06T07:15:05Z',
  sequence: 3,
  parentExecutionId: SEED.parent,
  workload: { execution_id: SEED.failedChild },
}
const KEEPING = stepRows({
  at: 3400,
  ms: 50,
  name: 'persist_diagnosis',
  commandId: '620356925057660005',
  context: { status: 'ok', diagnosis: SEED_DIAGNOSIS },
})

/** A run as a server that loses something writes it, with what its worker replied; ids are the test's own. */
async function capturedRun(
  losses: Losses,
): Promise<{ run: string; document: string; capture: string; own: (text: string) => string }> {
  const run = `${SEED.parent.slice(0, 8)}${randomInt(10 ** 9, 10 ** 10)}`
  // Its diagnosis as well: what makes one is a run of its own in every test.
  const own = (text: string): string =>
    text
      .replaceAll(SEED.parent, run)
      .replaceAll(SEED.diagnosis, `${run.slice(0, -1)}${(Number(run.at(-1)) + 1) % 10}`)
  const standIn = await startNoetlStandIn({ runs: seedRuns() })
  try {
    await standIn.set({ losses })
    const document = await (await fetch(`${standIn.url}/api/executions/${SEED.parent}?page_size=500`)).text()
    return {
      run,
      own,
      document: own(document),
      capture: own(
        `{"layer":"worker","execution_id":"${SEED.parent}","node_name":"reconcile_ledger","reply":${standIn.workerReply(SEED.parent)}}`,
      ),
    }
  } finally {
    await standIn.close()
  }
}

test('a failed check of NoETL itself is red in the banner, the verdict and the row that lost the data', async ({
  page,
  seed,
}) => {
  const { document } = await capturedRun({})
  const id = (await seed.send(loseExitDiagnosis(document), 'noetl')).executions[0]!.id
  await page.goto(links.execution(id, 'parity'))
  const parity = page.getByRole('region', { name: 'Parity' })
  await expect(parity.getByRole('heading')).toHaveText(/NoETL’s own check fails: .* \(worst: critical\)$/)
  const form = page.getByRole('region', { name: 'NoETL’s own check', exact: true })
  await expect(form.getByRole('list', { name: 'Findings of NoETL’s own check' })).toContainText(
    /NESTED_DICT_LOSS at result\.context\.error\.diagnosis \(step reconcile_ledger, step\.exit, row \d{15,}\)/,
  )
  await expect(
    form.getByRole('row').filter({ hasText: '/result/context/error/diagnosis' }).first(),
  ).toContainText('critical')
  expect(await pageFaults(page)).toEqual([])
  await storeCheck(page)
  await page.goto(links.execution(id))
  await expect(page.getByText('NoETL’s own check fails: a later row lost data of its step')).toBeVisible()
  expect(await pageFaults(page)).toEqual([])
})

test('a diagnosis that every row lost is named: at which layer, at which place, and why the check of NoETL cannot see it', async ({
  page,
  seed,
}) => {
  const { document, capture } = await capturedRun({ scalarOnlyProjection: true })
  const id = (await seed.send(document, 'noetl')).executions[0]!.id
  await seed.send(capture, 'noetl')
  await page.goto(links.execution(id, 'parity'))
  await expect(page.getByRole('region', { name: 'Parity' }).getByRole('heading')).toHaveText(
    /differences \(worst: critical\)$/,
  )
  const form = page.getByRole('region', { name: 'NoETL document' })
  await expect(form).toContainText('Lost between source and ')
  await expect(form.getByRole('listitem').filter({ hasText: 'lost here' })).toHaveCount(1)
  await expect(form).toContainText(
    'Scalar-only projection: nested values were lost, plain values survived. NoETL up to 2.35.8 wrote results that way',
  )
  await expect(form).toContainText(
    'NoETL’s own check passes on this run. It compares rows of the log with each other',
  )
  const lost = form.getByRole('row').filter({ hasText: '/result/context/error/diagnosis' }).first()
  await expect(lost).toContainText('critical')
  await expect(lost.getByRole('cell').nth(1)).toContainText('The ledger refused entry 4711')
  await expect(lost.getByRole('cell').last()).toHaveText('C missingabsent')

  // What is dropped on purpose is listed apart, when asked for.
  await expect(form.getByRole('region', { name: 'By design' })).toHaveCount(0)
  await form.getByRole('switch', { name: 'Show by-design' }).click()
  await expect(form.getByRole('region', { name: 'By design' })).toContainText(
    'Intentional differences. They don’t count.',
  )
  expect(await pageFaults(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await pageFaults(page)).toEqual([])
})

test('layers that agree and may lack a diagnosis that was made are in doubt: said on every view and why, counted, and listed', async ({
  page,
  seed,
}) => {
  const { document, own } = await capturedRun({ scalarOnlyProjection: true })
  const id = (await seed.send(document, 'noetl')).executions[0]!.id
  // The run that was to make it kept one, and was cancelled behind that.
  const making = buildRun({
    ...OF_DIAGNOSIS,
    rows: [...KEEPING, { at: 3600, eventType: 'execution.cancelled', nodeName: OF_DIAGNOSIS.path }],
  })
  const standIn = await startNoetlStandIn({ runs: [making] })
  await seed
    .send(
      own(await (await fetch(`${standIn.url}/api/executions/${making.executionId}?page_size=500`)).text()),
      'noetl',
    )
    .finally(() => standIn.close())
  await page.goto(links.execution(id, 'parity'))
  await expect(page.getByRole('region', { name: 'Parity' }).getByRole('heading')).toHaveText(
    'Unknown. All layers agree, but data may have been lost before the first one',
  )
  const form = page.getByRole('region', { name: 'NoETL document' })
  await expect(form.getByRole('listitem').first()).toHaveText(
    /^Source read in fullExecution \d+ produced a diagnosis that was never saved in the rows of step reconcile_ledger: it was never attached, or lost in transit\./,
  )
  await expect(form).toContainText('NoETL’s own check passes on this run')
  await expect(form.getByRole('list', { name: 'Layers' })).toContainText(
    'Event log not capturedThe source is not connected, or the connection is paused.',
  )
  await storeCheck(page)
  expect(await pageFaults(page)).toEqual([])
  await page.goto(links.execution(id))
  await expect(
    page.getByText('Stored copies agree, but all may lack a diagnosis of the agent.'),
  ).toBeVisible()
  await page.goto(links.parity())
  await page
    .getByRole('list', { name: 'Counts' })
    .getByRole('button', { name: /in doubt$/ })
    .click()
  const row = page
    .getByRole('region', { name: 'Executions that are in doubt' })
    .locator(`[data-execution="${id}"]`)
  await expect(row).toContainText('never saved in the rows of step reconcile_ledger')
  expect(await pageFaults(page)).toEqual([])
  await row.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/executions/${id}\\?view=parity`))
})

test('two kept documents that tell a row differently are both named, and what one of them lost is said on every view', async ({
  page,
  seed,
}) => {
  const whole = await capturedRun({})
  const lossy = (await capturedRun({ scalarOnlyProjection: true })).document
  const lossyRun = /"execution_id":\s*"?(\d{18,19})"?/.exec(lossy)![1]!
  const id = (await seed.send(whole.document, 'noetl')).executions[0]!.id
  await seed.send(lossy.replaceAll(lossyRun, whole.run), 'noetl')
  await page.goto(links.execution(id, 'diagnosis'))
  const retold = page.getByRole('region', { name: 'Conflicting copies of this row' })
  await expect(retold).toContainText('Another copy of this row differs')
  await expect(retold.getByRole('listitem')).toHaveText(/^no diagnosis, in [0-9a-f]{12}…$/)
  await retold.getByRole('link', { name: 'View all differences' }).click()
  await expect(page.getByRole('region', { name: 'Parity' }).getByRole('heading')).toHaveText(
    /differences? \(worst: critical\)$/,
  )
  const form = page.getByRole('region', { name: 'Conflicting copies of a row' })
  await expect(form.getByRole('list', { name: 'Conflicting raw records' }).getByRole('listitem')).toHaveText(
    /^Raw record [0-9a-f]{12}…: \/events\/0 is row \d+/,
  )
  const lost = form.getByRole('row').filter({ hasText: '/result/context/error' }).first()
  await expect(lost).toContainText('critical')
  await storeCheck(page)
  expect(await pageFaults(page)).toEqual([])
  // What the check found is above every view from then on.
  await page.goto(links.execution(id))
  await expect(page.getByText('Stored copies differ (critical)')).toBeVisible()
  await page.goto(links.execution(id, 'parity'))
  await page.getByRole('list', { name: 'Conflicting raw records' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/view=raw&at=/)
})

test('what a page shows is held against what is stored: a changed node is told, and an older page, too', async ({
  page,
  seed,
}) => {
  const id = await seed.execution(
    seed
      .transcript()
      .user('Go \u202ethere')
      .call('Bash', { command: 'make it' }, { fails: 'Exit code 2\nno rule' }),
  )
  const { externalId } = await seed.read(id)
  await page.goto(links.execution(id, 'calls'))
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Parity' }).click()
  const heading = page.getByRole('region', { name: 'Parity' }).getByRole('heading')
  const form = page.getByRole('region', { name: 'This page' })
  await expect(heading).toHaveText('Stored data matches its raw records')
  await expect(form).toContainText(/Compared \d+ loaded values and 3 displayed texts with stored data/)
  await expect(form.getByRole('table')).toHaveCount(0)

  const shown = page.locator('[data-shows="/detail/externalId"]')
  await shown.evaluate((node) => {
    node.firstChild!.nodeValue = 'another-session'
  })
  await page.getByRole('button', { name: 'Compare again' }).click()
  await expect(heading).toHaveText('1 difference (worst: medium)')
  const row = form.getByRole('table').getByRole('row').nth(1)
  await expect(row).toContainText('/detail/externalId')
  await expect(row.getByRole('cell').nth(1)).toHaveText(`"${externalId}"`)
  await expect(row.getByRole('cell').nth(2)).toHaveText('M changed"another-session"')
  expect(await pageFaults(page)).toEqual([])
  await shown.evaluate((node, text) => {
    node.firstChild!.nodeValue = text
  }, externalId)
  await page.getByRole('button', { name: 'Compare again' }).click()
  await expect(heading).toHaveText('Stored data matches its raw records')

  // An answer that has more digits than a number of the page can hold.
  await page.route(
    (url) => url.pathname === links.api.execution(id),
    async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace(/"version":\d+/, '"version":9007199254740993'),
      })
    },
  )
  await page.getByRole('button', { name: 'Compare again' }).click()
  await expect(form.getByRole('row').nth(1)).toContainText('9007199254740993')
  await page.unroute((url) => url.pathname === links.api.execution(id))
  await page.route(
    (url) => url.pathname === links.api.execution(id),
    (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { type: '/problems/store-down', title: 'Database unavailable', status: 503 },
      }),
  )
  await page.getByRole('button', { name: 'Compare again' }).click()
  await expect(form.getByRole('list', { name: 'Layers' })).toContainText(
    'Stored rows unreadableDatabase unavailable',
  )
  await expect(heading).toHaveText('Unknown. Stored rows: unreadable')
})

test('the diagnosis says whether what its page shows is what is stored', async ({ page, seed }) => {
  const { document } = await capturedRun({})
  const id = (await seed.send(document, 'noetl')).executions[0]!.id
  await page.goto(links.execution(id, 'diagnosis'))
  const line = page
    .getByRole('region', { name: 'Row' })
    .getByRole('status')
    .filter({ hasText: /this page/i })
  await expect(line).toHaveText(
    /This page matches stored data: \d+ values and \d{2,} displayed texts compared\s*Compare again$/,
  )

  // A text of the panel and one of the agent's error that something changed on the page.
  for (const place of ['value/keys/root_cause', 'error/code']) {
    const shown = page.locator(`[data-shows="/diagnosis/diagnoses/0/${place}"]`)
    const text = await shown.innerText()
    await shown.evaluate((node) => {
      node.firstChild!.nodeValue = 'all is well'
    })
    await line.getByRole('button', { name: 'Compare again' }).click()
    await expect(line).toContainText(
      `This page differs from stored datachanged at /diagnosis/diagnoses/0/${place}`,
    )
    await shown.evaluate((node, was) => {
      node.firstChild!.nodeValue = was
    }, text)
    await line.getByRole('button', { name: 'Compare again' }).click()
    await expect(line).toContainText('This page matches stored data')
  }

  // Bytes that changed on their way to the page; those that are read anew are the stored ones.
  await page.route(
    /\/api\/v1\/received\//,
    async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text())
          .replace('"confidence": 0.82', '"confidence": 0.99')
          .replace('"confidence":0.82', '"confidence":0.99'),
      })
    },
    { times: 1 },
  )
  await page.reload()
  await expect(line).toContainText('This page differs from stored data')
  await expect(line).toContainText('changed at /row/result/context/error/diagnosis/confidence')
})
