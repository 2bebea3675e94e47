import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { links } from '../lib/links'
import { DELIVERS, VIOLATES } from '../lib/sample/recorded-run'
import { sendChain } from './support/decisions'
import { expect, test } from './support/test'

const picture = (page: Page, name: string): Locator => page.getByRole('figure', { name })
const replayedRows = (page: Page): Locator =>
  page
    .getByRole('table', { name: 'Replayed executions' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const unique = (what: string): string => `${what}-${randomUUID().slice(0, 8)}`

test('the false positive: a confirmed contract violation, tried until the budget stopped it, was three needless attempts', async ({
  page,
  seed,
}) => {
  const branch = unique('plan')
  const ids = await sendChain(seed, { branch, key: branch, results: Array<string>(4).fill(VIOLATES) })
  await page.goto(links.policies({ q: `branch:${branch}` }))

  await expect(page.getByLabel('From', { exact: true })).toHaveValue('legacy-promote-all')
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('current')
  const policies = picture(page, 'From legacy-promote-all to current')
  await expect(policies).toContainText(
    '3 of 4 change outcome (no longer retried); 1 changes only the reason.',
  )
  const stopped = policies.getByRole('button', {
    name: '3 executions: Retriable under legacy-promote-all, Failed under current: no longer retried',
  })
  const exhausted = policies.getByRole('button', {
    name: /^1 execution: Failed .* the same, 1 with a different reason$/,
  })
  await expect(stopped).toBeVisible()
  await expect(picture(page, 'Stored and recomputed')).toContainText(
    'current agrees with every stored outcome.',
  )

  // Every flip, newest first: the last attempt is the one that the budget stopped.
  await expect(replayedRows(page)).toHaveCount(4)
  await expect(replayedRows(page).first()).toContainText('retry budget used up')
  await expect(replayedRows(page).nth(3)).toContainText('The result does not match')

  // By keyboard: from one cell to the next, and open it; the address holds it.
  await stopped.focus()
  await page.keyboard.press('ArrowDown')
  await expect(exhausted).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(stopped).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('heading', { name: 'Retriable under legacy-promote-all, failed under current' }),
  ).toBeVisible()
  await expect(replayedRows(page)).toHaveCount(3)
  await expect(page).toHaveURL(/cell=policies\.retriable\.failed/)
  await page.reload()
  await expect(stopped).toHaveAttribute('aria-pressed', 'true')
  await expect(replayedRows(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Show all changed decisions' }).click()
  await expect(replayedRows(page)).toHaveCount(4)

  const needless = page.getByRole('region', { name: 'Needless attempts' })
  await expect(needless).toContainText('3 attempts in 1 chain: 27 s, 4,620 tokens, $0.75')
  await expect(needless.getByRole('link', { name: /needless/ })).toHaveCount(3)
  await expect(needless).toContainText('current stops here')
  await expect(page.getByRole('region', { name: 'Retries this policy would have missed' })).toHaveCount(0)
  await needless.getByRole('link', { name: /Attempt 4/ }).click()
  await expect(page).toHaveURL(new RegExp(`/executions/${ids[3]}`))
  await expect(page.getByRole('region', { name: 'Cause', exact: true })).toContainText('plan_path')
})

test('swapped, the same executions are tried again; the policies that were chosen are in the address', async ({
  page,
  seed,
}) => {
  const branch = unique('swap')
  await sendChain(seed, { branch, key: branch, results: [VIOLATES, DELIVERS] })
  await page.goto(links.policies({ q: `branch:${branch}` }))
  const helped = page.getByRole('region', { name: 'Retries this policy would have missed' })
  await expect(helped.getByRole('link', { name: /helped/ })).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Needless attempts' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Swap', exact: true }).click()
  await expect(page).toHaveURL(/from=current&to=legacy-promote-all/)
  await expect(picture(page, 'From current to legacy-promote-all')).toContainText(
    '1 of 2 change outcome (now retried)',
  )
  await expect(helped).toHaveCount(0)
  await page.goBack()
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('current')
  await page.getByLabel('To', { exact: true }).selectOption('pr-415')
  await expect(page).toHaveURL(/to=pr-415/)
  await expect(page.getByText('Same as current, but the retry reason', { exact: false })).toBeVisible()
})

test('what cannot be replayed is said, with the command that keeps evidence, and what nobody knows falls back', async ({
  page,
  seed,
}) => {
  const branch = unique('without')
  await seed.send(
    seed
      .transcript({ branch })
      .user('Go')
      .call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' }),
  )
  await page.goto(links.policies({ q: `branch:${branch}`, to: 'nobody', cell: 'nowhere' }))
  await expect(page.getByRole('heading', { name: 'Nothing to replay' })).toBeVisible()
  await expect(page.getByText('bin/inquest.cjs record', { exact: false })).toBeVisible()
  await expect(page.getByText('No policy “nobody”', { exact: false })).toBeVisible()
  await expect(page.getByText('No cell “nowhere”', { exact: false })).toBeVisible()

  await sendChain(seed, { branch, key: branch, results: [VIOLATES] })
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await expect(page.getByText('1 not replayed', { exact: false })).toBeVisible()
  await picture(page, 'Stored and recomputed')
    .getByRole('button', { name: /cannot be replayed/ })
    .click()
  await expect(replayedRows(page)).toHaveCount(1)
  await expect(replayedRows(page)).toContainText('broken')

  await page.goto(links.policies({ q: `branch:${branch} no-such-word` }))
  await page.getByRole('button', { name: /without "no-such-word"/ }).click()
  await expect(page.getByRole('button', { name: `Remove Branch: ${branch}` })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Replayed executions' })).toBeVisible()
})

test('of more than come with the page the newest rows stand there before the totals', async ({
  page,
  seed,
}) => {
  const branch = unique('many')
  const older = Array.from(
    { length: 500 },
    () =>
      seed.transcript({ branch, startedAt: '2026-10-01T08:00:00.000Z' }).user('All is well').says('Yes.')
        .text,
  )
  await seed.send(older.join(''))
  await sendChain(seed, { branch, key: branch, results: [VIOLATES, VIOLATES] })
  let answer = (): void => undefined
  const wait = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/v1/policies/replay**', async (route) => {
    await wait
    await route.continue()
  })
  await page.goto(links.policies({ q: `branch:${branch}` }))
  await expect(replayedRows(page)).toHaveCount(2)
  await expect(page.getByText('of 500+ so far')).toBeVisible()
  answer()
  await expect(page.getByText('of 502', { exact: true })).toBeVisible()
  await expect(page.getByText('500 not replayed', { exact: false })).toBeVisible()
  await expect(replayedRows(page)).toHaveCount(2)
})

test('while a changed filter is replayed the last answer stays, and a failure has a way on', async ({
  page,
  seed,
}) => {
  const branch = unique('stays')
  const ids = await sendChain(seed, { branch, key: branch, results: [VIOLATES, VIOLATES] })
  await page.goto(links.policies({ q: `branch:${branch}` }))
  await expect(replayedRows(page)).toHaveCount(2)

  let answer = (): void => undefined
  const wait = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/v1/policies/replay**', async (route) => {
    await wait
    await route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: '{"type":"/problems/store-down","title":"Database unavailable","status":503}',
    })
  })
  await page.getByRole('searchbox', { name: 'Filter executions' }).fill(`branch:${branch} outcome:failed`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table', { name: 'Replayed executions' }).locator('..')).toHaveAttribute(
    'aria-busy',
    'true',
  )
  await expect(replayedRows(page)).toHaveCount(2)
  answer()
  const failure = page.getByRole('alert').filter({ hasText: 'Database unavailable' })
  await expect(failure).toBeVisible()
  await page.unroute('**/api/v1/policies/replay**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(failure).toHaveCount(0)
  await expect(replayedRows(page)).toHaveCount(2)

  await page.getByRole('heading', { name: 'Policies', level: 1 }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/executions/${ids[0]}`))
})

test('the page is reached by the rail, by keys and by the palette', async ({ page }) => {
  await page.goto(links.executions())
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Policies' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Policies' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await expect(page.getByRole('heading', { level: 1, name: 'Executions' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await expect(page.getByRole('heading', { level: 1, name: 'Policies' })).toBeVisible()
})
