import { randomUUID } from 'node:crypto'
import { links } from '../lib/links'
import { NARROW, pageFaults, WIDE } from './support/check-page'
import { SEED, seedRuns } from './support/noetl/seed'
import { startNoetlStandIn, type NoetlStandIn } from './support/noetl/stand-in'
import { expect, test } from './support/test'

let standIn: NoetlStandIn
test.beforeEach(async () => {
  standIn = await startNoetlStandIn({ runs: seedRuns(), token: 'very-secret' })
})
test.afterEach(() => standIn.close())

test('a NoETL server is connected by its address, and the agent that failed inside a run is found without an upload', async ({
  page,
}) => {
  const name = `server ${randomUUID().slice(0, 8)}`
  const row = page
    .getByRole('region', { name: 'Connected servers' })
    .getByRole('listitem')
    .filter({ hasText: name })
  await page.goto(links.settings('sources'))
  await page.getByRole('button', { name: 'Connect a NoETL server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect a NoETL server' })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('URL', { exact: true }).fill(standIn.url)
  await dialog.getByLabel('Header value').fill('Bearer very-secret')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()

  // A private address needs to be allowed, and it is said.
  await expect(row).toContainText('this connection does not allow', { timeout: 30_000 })
  await expect(row).toContainText('Failing')
  expect(standIn.calls).toEqual([])
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(row).toHaveCount(0)

  await page.getByRole('button', { name: 'Connect a NoETL server' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('URL', { exact: true }).fill(standIn.url)
  await dialog.getByLabel('Header value').fill('Bearer very-secret')
  await dialog.getByLabel('The server is in a private network').check()
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(row).toContainText('Up to date', { timeout: 30_000 })
  await expect(row).toContainText(`${seedRuns().length} executions`)
  expect(await page.content()).not.toContain('very-secret')

  await row.getByRole('button', { name: 'Check' }).click()
  await expect(row.getByRole('status')).toContainText('Connected to NoETL’s Python server')
  await standIn.set({ faults: [{ kind: 'html' }] })
  await row.getByRole('button', { name: 'Check' }).click()
  await expect(row.getByRole('status')).toContainText('it is a web page, such as a sign-in or proxy page')
  expect(
    await pageFaults(page, { sizes: [WIDE, NARROW], within: 'section[aria-labelledby=connections]' }),
  ).toEqual([])
  // Another credential takes the place of the first; what is left empty stays.
  await standIn.set({ faults: [], token: 'rotated' })
  await row.getByRole('button', { name: 'Check' }).click()
  await expect(row.getByRole('status')).toContainText('401')
  await row.getByRole('button', { name: 'Edit…' }).click()
  const changing = page.getByRole('dialog', { name: `Edit ${name}` })
  await expect(changing.getByLabel('URL', { exact: true })).toHaveValue(`${standIn.url}/`)
  await changing.getByLabel('Header value').fill('Bearer rotated')
  await changing.getByRole('button', { name: 'Save' }).click()
  await expect(changing).toHaveCount(0)
  await row.getByRole('button', { name: 'Check' }).click()
  await expect(row.getByRole('status')).toContainText('Connected to NoETL’s Python server')
  await row.getByRole('button', { name: 'Pause' }).click()
  await expect(row).toContainText('Paused')

  await page.goto(links.anyId(SEED.parent))
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('PLAYBOOK_FAILED')
})
