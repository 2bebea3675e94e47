import { links } from '../lib/links'
import { pageFaults } from './support/check-page'
import { runCli } from './support/cli'
import { behindTheBack } from './support/database'
import { SEED, seedRuns } from './support/noetl/seed'
import { startNoetlStandIn } from './support/noetl/stand-in'
import { admin, redeemLink } from './support/people'
import { expect, ownTest as test, seedWith } from './support/test'

test('rows that were changed behind the back of the server are found by the sweep, drawn, and lead to their places', async ({
  page,
  playwright,
  own,
}) => {
  test.setTimeout(240_000)
  const inquest = await own.start({ INQUEST_PARITY_SWEEP: '60000' })
  await redeemLink(page, inquest.link, admin)
  const at = (path: string): string => inquest.url + path

  await page.goto(at(links.parity()))
  await expect(page.getByRole('heading', { name: 'No checks yet' })).toBeVisible()
  expect(await pageFaults(page)).toEqual([])

  const seed = seedWith(await playwright.request.newContext(), inquest)
  const ids: string[] = []
  for (const task of ['whole', 'lost', 'changed'])
    ids.push(
      await seed.execution(
        seed
          .transcript()
          .user(`Go ${task}`)
          .call('Bash', { command: `make ${task}` }, { fails: `Exit code 2\n${task}` }),
      ),
    )
  const [, lost, changed] = ids
  await behindTheBack(inquest, async (sql) => {
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update executions set title = 'other' where id = ${changed!}`
      await tx`delete from events where execution_id = any (${[lost!, changed!]}::uuid[]) and byte_offset > 0 and byte_offset = (select max(byte_offset) from events e where e.execution_id = events.execution_id)`
    })
    await sql`update parity_standing set due_at = now() - interval '1 second'`
    await sql`select graphile_worker.add_job('parity')`
  })

  const counts = page.getByRole('list', { name: 'Counts' })
  await expect(async () => {
    await page.keyboard.press('v')
    await expect(
      page.getByRole('heading', { name: '1 of 3 executions checked is equal (33.3 %)' }),
    ).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(counts).toContainText('0 not checked')
  await expect(counts.getByRole('button', { name: '2 different' })).toBeVisible()

  const map = page.getByRole('figure', { name: 'Where layers differ' })
  const events = map.getByRole('button', {
    name: /^2 executions \(worst: medium\): \/events\/\*, Raw records to Stored rows$/,
  })
  const title = map.getByRole('button', { name: /^1 execution \(worst: medium\): \/execution\/title,/ })
  await expect(map.getByRole('list', { name: 'Legend' }).getByRole('listitem').first()).toHaveText(/critical/)
  await expect(map.getByRole('rowheader', { name: '/events/*' })).toBeVisible()

  // By keyboard: from cell to cell, and open it; the address holds it.
  await events.focus()
  await page.keyboard.press('ArrowDown')
  await expect(title).toBeFocused()
  await page.keyboard.press('Enter')
  const listed = page.getByRole('region', { name: /^Different at \/execution\/title/ })
  await expect(listed.locator('[data-execution]')).toHaveCount(1)
  await expect(listed).toContainText('1 difference: changed')
  await expect(page).toHaveURL(/[?&]path=\/execution\/title&from=source&to=persisted$/)
  await page.reload()
  await expect(title).toHaveAttribute('aria-pressed', 'true')
  expect(await pageFaults(page)).toEqual([])

  // Facets are counted over executions, and narrow picture and list.
  await page.getByRole('button', { name: 'Show all differences' }).click()
  await expect(page.locator('[data-execution]')).toHaveCount(2)
  const kinds = page.getByRole('group', { name: 'Kind' })
  await expect(kinds.getByRole('button', { name: 'missing 2' })).toBeVisible()
  await kinds.getByRole('button', { name: 'changed 1' }).click()
  await expect(title).toBeVisible()
  await expect(events).toHaveCount(0)
  await expect(page.locator('[data-execution]')).toHaveCount(1)

  // One that differs says so on its first screen, and leads to where.
  await page.locator('[data-row]').click()
  await expect(page.getByRole('region', { name: 'Parity', exact: true }).getByRole('heading')).toHaveText(
    /differences \(worst: medium\)$/,
  )
  await page.goto(at(links.execution(lost!)))
  await expect(page.getByText('Stored copies differ (medium)')).toBeVisible()
  await page.goto(at(links.execution(ids[0]!)))
  await expect(page.getByRole('region', { name: 'Cause', exact: true })).toBeVisible()
  await expect(page.getByText('Stored copies differ')).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/parity$/)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(events).toBeInViewport()
  expect(await pageFaults(page)).toEqual([])
})

test('rows and bytes that were changed behind the back of the server are told at their places, with what stands there, however hostile', async ({
  page,
  playwright,
  own,
}) => {
  test.setTimeout(240_000)
  const inquest = await own.start({ INQUEST_PARITY_SWEEP: 'off' })
  await redeemLink(page, inquest.link, admin)
  const seed = seedWith(await playwright.request.newContext(), inquest)
  const made = (task: string, calls: number) => {
    const transcript = seed.transcript().user(`Go ${task}`)
    for (let i = 0; i < calls; i++)
      transcript.call('Bash', { command: `make ${task} ${i}` }, { fails: `Exit code 2\n${task}` })
    return transcript
  }
  const [many, torn] = [await seed.execution(made('many', 120)), await seed.execution(made('torn', 1))]
  let digest = ''
  await behindTheBack(inquest, (sql) =>
    sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update executions set title = ${'a <b>bold</b> \u202etitle'} where id = ${many}`
      await tx`update calls set failure_class = null where execution_id = ${many}`
      await tx`delete from events where execution_id = ${many} and byte_offset = (select max(byte_offset) from events e where e.execution_id = ${many})`
      const [part] = await tx<{ sha256: string }[]>`
      update received r set bytes = ${Buffer.from('other')} from execution_streams x join stream_parts p using (project_id, stream_id)
      where r.project_id = p.project_id and r.id = p.received_id and x.execution_id = ${torn} returning r.sha256`
      digest = part!.sha256
    }),
  )
  await page.goto(inquest.url + links.execution(many, 'parity'))
  const parity = page.getByRole('region', { name: 'Parity', exact: true })
  await expect(parity.getByRole('heading')).toHaveText('122 differences (worst: medium)')
  const form = page.getByRole('region', { name: 'Inquest records' })
  const rows = form.getByRole('table').getByRole('row')
  await expect(rows.nth(0)).toHaveText('SeverityPlaceRaw recordsStored rows')
  await expect(rows.filter({ hasText: '/calls/0/failure_class' })).toHaveText(
    /"exit_code"M type changednull$/,
  )
  await expect(rows.filter({ hasText: '/execution/title' })).toContainText('M medium')
  await expect(form).toContainText(/Values of 2\d places are not shown/)
  const kinds = form.getByRole('group', { name: 'Kind' })
  await kinds.getByRole('button', { name: 'missing 1' }).click()
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText(/\/events\/\d+/)
  expect(await pageFaults(page)).toEqual([])
  await page.goto(inquest.url + links.execution(many))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('a <b>bold</b> ⟨U+202E⟩title')

  await page.goto(inquest.url + links.execution(torn, 'parity'))
  await expect(parity.getByRole('heading')).toHaveText('Unknown. Raw records: unreadable')
  await expect(parity.getByRole('list', { name: 'Changed parts' })).toContainText(digest)
})

test('a server that loses the diagnosis in every row from the start: the sweep finds it, and a link leads to the page that names it', async ({
  page,
  own,
}) => {
  test.setTimeout(300_000)
  // As NoETL up to 2.35.8: nothing ever read here held it in a row of the agent.
  const standIn = await startNoetlStandIn({
    runs: seedRuns(),
    token: 'very-secret',
    losses: { scalarOnlyProjection: true },
  })
  try {
    const inquest = await own.start({ INQUEST_PARITY_SWEEP: '60000' })
    await redeemLink(page, inquest.link, admin)
    const at = (path: string): string => inquest.url + path
    await page.goto(at(links.settings('sources')))
    await page.getByRole('button', { name: 'Connect a NoETL server' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect a NoETL server' })
    await dialog.getByLabel('Name', { exact: true }).fill('of old')
    await dialog.getByLabel('URL', { exact: true }).fill(standIn.url)
    await dialog.getByLabel('Header value').fill('Bearer very-secret')
    await dialog.getByLabel('The server is in a private network').check()
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(
      page
        .getByRole('region', { name: 'Connected servers' })
        .getByRole('listitem')
        .filter({ hasText: 'of old' }),
    ).toContainText('Up to date', { timeout: 60_000 })
    await behindTheBack(inquest, async (sql) => {
      await sql`update parity_standing set due_at = now() - interval '1 second'`
      await sql`select graphile_worker.add_job('parity')`
    })

    await page.goto(at(links.parity()))
    const cell = page.getByRole('figure', { name: 'Where layers differ' }).getByRole('button', {
      name: '1 execution (worst: critical): /events/*/result/context/error/diagnosis, Diagnosis run (inferred) to Raw records',
    })
    await expect(async () => {
      await page.keyboard.press('v')
      await expect(cell).toBeVisible({ timeout: 1_000 })
    }).toPass({ timeout: 90_000 })
    await cell.click()
    await expect(
      page.getByRole('region', { name: /^Different at \/events/ }).locator('[data-row]'),
    ).toHaveCount(1)
    expect(await pageFaults(page)).toEqual([])
    await page
      .getByRole('region', { name: /^Different at \/events/ })
      .locator('[data-row]')
      .click()

    const parity = page.getByRole('region', { name: 'Parity', exact: true })
    const named = async () => {
      await expect(parity.getByRole('heading')).toHaveText(
        'A diagnosis was produced but never saved: 3 differences (worst: critical)',
      )
      const form = page.getByRole('region', { name: 'A diagnosis was produced but never saved' })
      await expect(form.getByRole('list', { name: 'Layers' })).toContainText(
        `Inferred: execution ${SEED.diagnosis} was started to diagnose run ${SEED.failedChild} (agent of step reconcile_ledger), succeeded and stored this diagnosis.`,
      )
      await expect(form).toContainText('Never attached, or lost in transit')
      await expect(form).toContainText('NoETL’s own check passes on this run')
      await expect(form.getByRole('row').filter({ hasText: '/result/context/error/diagnosis' })).toHaveCount(
        3,
      )
      await expect(form.getByRole('row').nth(1)).toContainText('The ledger refused entry 4711')
      await expect(form.getByRole('row').nth(1).getByRole('cell').last()).toHaveText('C missingabsent')
      // What the server says now, and what is stored, agree with each other: nobody else sees it.
      await expect(page.getByRole('region', { name: 'NoETL document' })).toContainText(
        'No differences between the layers that were read',
      )
    }
    await named()
    const address = page.url()
    expect(await pageFaults(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await pageFaults(page)).toEqual([])
    await page.setViewportSize({ width: 1440, height: 900 })

    // By a link: this address, and the id that NoETL gave it.
    await page.goto('about:blank')
    await page.goto(address)
    await named()
    await page.goto(at(links.anyId(SEED.parent)))
    await page
      .getByText('A diagnosis was produced but never saved')
      .getByRole('link', { name: 'View differences' })
      .click()
    await named()
    const { code, out } = await runCli(['parity', SEED.parent], inquest.stateDir)
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('a diagnosis was produced but never saved: never attached, or lost in transit'),
    ])
  } finally {
    await standIn.close()
  }
})

test('a comparison that fails its controls says so above everything, and what cannot be read is no empty page', async ({
  page,
  own,
}) => {
  test.setTimeout(180_000)
  const inquest = await own.start({ INQUEST_PARITY_SWEEP: 'off' })
  await redeemLink(page, inquest.link, admin)
  await page.route(/\/api\/v1\/parity/, async (route) => {
    const answer = await route.fetch()
    const document = (await answer.json()) as object
    await route.fulfill({ response: answer, json: { ...document, failedControls: ['intact'] } })
  })
  await page.goto(inquest.url + links.parity())
  await expect(page.getByRole('heading', { name: 'No checks yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Unreliable' })).toContainText('an intact pair')
  await page.unroute(/\/api\/v1\/parity/)
  await page.route(/\/api\/v1\/parity/, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      json: { type: '/problems/store-down', title: 'Database unavailable', status: 503 },
    }),
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Database unavailable' })).toBeVisible()
  await page.goto(`${inquest.url}${links.parity()}?window=1y&kind=gone&project=none`)
  await expect(page.getByRole('status').filter({ hasText: '“1y”' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Project “none” not found' })).toBeVisible()
})
