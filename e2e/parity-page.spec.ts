import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { links } from '../lib/links'
import { behindTheBack } from './support/database'
import { admin, redeemLink } from './support/people'
import { expect, ownTest as test, seedWith } from './support/test'

/** Rules that are broken, and whether anything scrolls sideways, in both themes. */
async function faults(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html[data-ready]')).toBeAttached()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    const { violations } = await new AxeBuilder({ page }).analyze()
    found.push(...violations.flatMap(({ id, nodes }) => nodes.map((node) => `${colorScheme} ${id} ${node.target.join(' ')}`)))
  }
  const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  return wide > width ? [...found, `scrolls sideways, ${wide} px of ${width}`] : found
}

test('rows that were changed behind the back of the server are found by the sweep, drawn, and lead to their places', async ({ page, playwright, own }) => {
  test.setTimeout(240_000)
  const inquest = await own.start({ INQUEST_PARITY_SWEEP: '60000' })
  await redeemLink(page, inquest.link, admin)
  const at = (path: string): string => inquest.url + path

  await page.goto(at(links.parity()))
  await expect(page.getByRole('heading', { name: 'Nothing has been compared so far' })).toBeVisible()
  expect(await faults(page)).toEqual([])

  const seed = seedWith(await playwright.request.newContext(), inquest)
  const ids: string[] = []
  for (const task of ['whole', 'lost', 'changed']) ids.push(await seed.execution(seed.transcript().user(`Go ${task}`).call('Bash', { command: `make ${task}` }, { fails: `Exit code 2\n${task}` })))
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
    await expect(page.getByRole('heading', { name: '1 of 3 executions checked is equal (33.3 %)' })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(counts).toContainText('0 not checked so far')
  await expect(counts.getByRole('button', { name: '2 different' })).toBeVisible()

  const map = page.getByRole('figure', { name: 'Where layers differ' })
  const events = map.getByRole('button', { name: /^2 executions, medium at worst: \/events\/\*, Kept bytes, read now to Stored rows$/ })
  const title = map.getByRole('button', { name: /^1 execution, medium at worst: \/execution\/title,/ })
  await expect(map.getByRole('list', { name: 'Legend' }).getByRole('listitem').first()).toHaveText(/critical/)
  await expect(map.getByRole('rowheader', { name: '/events/*' })).toBeVisible()

  // By keyboard: from cell to cell, and open it; the address holds it.
  await events.focus()
  await page.keyboard.press('ArrowDown')
  await expect(title).toBeFocused()
  await page.keyboard.press('Enter')
  const listed = page.getByRole('region', { name: /^Different at \/execution\/title/ })
  await expect(listed.locator('[data-execution]')).toHaveCount(1)
  await expect(listed).toContainText('1 difference: other value')
  await expect(page).toHaveURL(/[?&]path=\/execution\/title&from=source&to=persisted$/)
  await page.reload()
  await expect(title).toHaveAttribute('aria-pressed', 'true')
  expect(await faults(page)).toEqual([])

  // Facets are counted over executions, and narrow picture and list.
  await page.getByRole('button', { name: 'Everything that differs' }).click()
  await expect(page.locator('[data-execution]')).toHaveCount(2)
  const kinds = page.getByRole('group', { name: 'Kind' })
  await expect(kinds.getByRole('button', { name: 'gone 2' })).toBeVisible()
  await kinds.getByRole('button', { name: 'other value 1' }).click()
  await expect(title).toBeVisible()
  await expect(events).toHaveCount(0)
  await expect(page.locator('[data-execution]')).toHaveCount(1)

  // One that differs says so on its first screen, and leads to where.
  await page.locator('[data-row]').click()
  await expect(page.getByRole('region', { name: 'Parity', exact: true }).getByRole('heading')).toHaveText(/differences, medium at worst$/)
  await page.goto(at(links.execution(lost!)))
  await expect(page.getByText('Its layers differ, medium at worst')).toBeVisible()
  await page.goto(at(links.execution(ids[0]!)))
  await expect(page.getByRole('region', { name: 'Cause', exact: true })).toBeVisible()
  await expect(page.getByText('Its layers differ')).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/parity$/)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(events).toBeInViewport()
  expect(await faults(page)).toEqual([])
})

test('a comparison that fails its controls says so above everything, and what cannot be read is no empty page', async ({ page, own }) => {
  test.setTimeout(180_000)
  const inquest = await own.start({ INQUEST_PARITY_SWEEP: 'off' })
  await redeemLink(page, inquest.link, admin)
  await page.route(/\/api\/v1\/parity/, async (route) => {
    const answer = await route.fetch()
    const document = (await answer.json()) as object
    await route.fulfill({ response: answer, json: { ...document, failedControls: ['an intact pair'] } })
  })
  await page.goto(inquest.url + links.parity())
  await expect(page.getByRole('heading', { name: 'Nothing has been compared so far' })).toBeVisible()
  await page.getByRole('button', { name: 'Read again' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Not trustworthy' })).toContainText('an intact pair')
  await page.unroute(/\/api\/v1\/parity/)
  await page.route(/\/api\/v1\/parity/, (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', json: { type: '/problems/store-down', title: 'The database did not answer', status: 503 } }))
  await page.getByRole('button', { name: 'Read again' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The database did not answer' })).toBeVisible()
  await page.goto(`${inquest.url}${links.parity()}?window=1y&kind=gone&project=none`)
  await expect(page.getByRole('status').filter({ hasText: '“1y”' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'There is no project “none”' })).toBeVisible()
})
