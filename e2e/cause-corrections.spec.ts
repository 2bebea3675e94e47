import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { links } from '../lib/links'
import { NARROW, pageFaults, WIDE } from './support/check-page'
import { expect, type seedWith, test } from './support/test'

type Seed = ReturnType<typeof seedWith>

const failing = (seed: Seed): Promise<string> =>
  seed.execution(
    seed
      .transcript({ cwd: '/srv/shop' })
      .user('mend it')
      .call('Read', { file_path: '/srv/shop/missing.ts' }, { fails: 'File does not exist.' })
      .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\n1 failed' }),
  )
const open = (page: Page) => page.getByRole('button', { name: 'Not the cause' }).click()
const dialog = (page: Page) => page.getByRole('dialog', { name: 'What is the cause?' })
const correction = (page: Page) => page.getByRole('group', { name: 'Correction' })

test('a person names the right call by keyboard, others see it at once, and one click undoes it', async ({
  page,
  seed,
  context,
}) => {
  const id = await failing(seed)
  const other = await context.newPage()
  await other.goto(links.execution(id))
  await page.goto(links.execution(id))
  const headline = await page
    .getByRole('region', { name: 'Cause', exact: true })
    .locator('p')
    .first()
    .innerText()

  await page.getByRole('button', { name: 'Not the cause' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('radio', { name: /missing\.ts/ })).toBeVisible()
  // Nothing is chosen in advance.
  await expect(dialog(page).getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(dialog(page).getByRole('button', { name: 'Save correction' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await dialog(page).getByRole('radio', { name: 'Nothing here needs attention' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(dialog(page).getByRole('radio', { name: /missing\.ts/ })).toBeChecked()
  await dialog(page).getByLabel('Reason (optional)').fill('<b>never</b> there')
  await page.keyboard.press('Control+Enter')
  await expect(dialog(page)).toBeHidden()

  for (const shown of [page, other]) {
    await expect(correction(shown)).toContainText('Read /srv/shop/missing.ts (call 1)')
    await expect(correction(shown)).toContainText('<b>never</b> there')
    await expect(shown.getByRole('region', { name: 'Cause', exact: true })).toContainText(headline)
    await expect(shown.getByRole('button', { name: 'Not the cause' })).toBeHidden()
  }
  expect((await seed.read(id)).correction).toMatchObject({ call: { number: 1 }, today: 'same' })

  await correction(other).getByRole('button', { name: 'Undo' }).click()
  for (const shown of [page, other]) {
    await expect(correction(shown)).toBeHidden()
    await expect(shown.getByRole('button', { name: 'Not the cause' })).toBeVisible()
  }
  expect((await seed.read(id)).correction).toBeNull()
})

test('the judged call is not saved as its own correction, and that nothing needs attention is', async ({
  page,
  seed,
}) => {
  await page.goto(links.execution(await failing(seed)))
  await open(page)
  const save = dialog(page).getByRole('button', { name: 'Save correction' })
  await dialog(page)
    .getByRole('radio', { name: /judged cause/ })
    .check()
  await expect(save).toHaveAttribute('title', 'This call is already the cause')
  await dialog(page).getByRole('radio', { name: 'Nothing here needs attention' }).check()
  await save.click()
  await expect(correction(page)).toContainText('Nothing here needs attention')
})

test('many failed calls are searched, and shown a part at a time', async ({ page, seed }) => {
  const session = seed.transcript({ cwd: '/srv/shop' }).user('go')
  for (let n = 1; n <= 230; n++)
    session.call('Bash', { command: `make target-${n}` }, { fails: `Exit code 2\nno rule ${n}` })
  await page.goto(links.execution(await seed.execution(session)))
  await open(page)
  const rows = dialog(page).getByRole('radio', { name: /target-/ })
  await expect(rows).toHaveCount(50)
  await dialog(page).getByRole('button', { name: 'Show 50 more failed calls' }).click()
  await expect(rows).toHaveCount(100)
  await dialog(page).getByLabel('Search failed calls').fill('target-229')
  await expect(rows).toHaveCount(1)
  await dialog(page).getByLabel('Search failed calls').fill('no such thing')
  await expect(dialog(page).getByText('No failed call matches.')).toBeVisible()
  // A choice outlives the search.
  await dialog(page).getByLabel('Search failed calls').fill('target-229')
  await rows.check()
  await dialog(page).getByLabel('Search failed calls').fill('target-1')
  await dialog(page).getByRole('button', { name: 'Save correction' }).click()
  await expect(correction(page)).toContainText('make target-229 (call 229)')
})

test('a correction that comes too late says so and keeps what was chosen', async ({
  page,
  seed,
  context,
}) => {
  const id = await failing(seed)
  await page.goto(links.execution(id))
  const other = await context.newPage()
  await other.goto(links.execution(id))
  await open(page)
  await open(other)
  await dialog(page)
    .getByRole('radio', { name: /missing\.ts/ })
    .check()
  await dialog(other).getByRole('radio', { name: 'Nothing here needs attention' }).check()
  await dialog(other).getByRole('button', { name: 'Save correction' }).click()
  await expect(correction(other)).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Save correction' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('already corrected this cause')
  await expect(dialog(page).getByRole('radio', { name: /missing\.ts/ })).toBeChecked()
  await dialog(page).getByRole('button', { name: 'Reload the execution' }).click()
  await expect(correction(page)).toContainText('Nothing here needs attention')
})

test('the settings count corrections of each rule and hand them out as labels', async ({ page, seed }) => {
  const id = await failing(seed)
  await page.goto(links.execution(id))
  await open(page)
  await dialog(page)
    .getByRole('radio', { name: /missing\.ts/ })
    .check()
  await dialog(page).getByLabel('Reason (optional)').fill(`because of ${id}`)
  await dialog(page).getByRole('button', { name: 'Save correction' }).click()
  await expect(correction(page)).toBeVisible()
  const { rule } = (await seed.read(id)).cause!
  await page.goto(links.settings('judgement'))
  const [, shown, corrected] = await page.getByRole('row', { name: rule! }).getByRole('cell').allInnerTexts()
  expect(Number(corrected)).toBeGreaterThan(0)
  expect(shown).toMatch(/^[\d,]+\+?$/)
  await expect(page.getByText(`because of ${id}`)).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export corrections' }).click()
  const path = await (await download).path()
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  expect(lines.filter((line) => line.includes(id))).toHaveLength(1)
})

test('dialog and correction keep the rules of axe, wide and narrow, light and dark', async ({
  page,
  seed,
}) => {
  test.setTimeout(240_000)
  const found: string[] = []
  const sizes = [WIDE, NARROW]
  await page.goto(links.execution(await failing(seed)))
  await open(page)
  await dialog(page)
    .getByRole('radio', { name: /missing\.ts/ })
    .check()
  found.push(...(await pageFaults(page, { sizes })).map((fault) => `dialog, ${fault}`))
  await dialog(page).getByRole('button', { name: 'Save correction' }).click()
  await expect(correction(page)).toBeVisible()
  found.push(...(await pageFaults(page, { sizes })).map((fault) => `correction, ${fault}`))
  expect(found).toEqual([])
})
