import path from 'node:path'
import { admin, redeemLink, signIn } from './support/people'
import { expect, ownTest as test } from './support/test'

test('an empty start leads from the first link to the reasons of failures', async ({ page, own }) => {
  const inquest = await own.start()

  await test.step('the link makes the first admin and opens the three ways in', async () => {
    await page.goto(inquest.link)
    await expect(page.getByRole('heading', { name: 'Create the first admin' })).toBeVisible()
    await redeemLink(page, inquest.link, admin)
    await expect(page.getByRole('heading', { name: 'No data yet' })).toBeVisible()
    for (const way of ['Import from this machine', 'Connect a source', 'Load sample data'])
      await expect(page.getByRole('heading', { name: way })).toBeVisible()
    await expect(
      page.getByText(`node ${path.resolve('bin/inquest.cjs')} import`, { exact: false }).first(),
    ).toBeVisible()
  })

  await test.step('nothing was imported without being asked for', async () => {
    const answer = await page.request.get(`${inquest.url}/api/v1/executions`)
    expect((await answer.json()).items).toEqual([])
  })

  await test.step('the sample lists failures with their reasons', async () => {
    await page.getByRole('button', { name: 'Load sample data' }).click()
    await expect(page.getByRole('heading', { name: 'Executions', exact: true })).toBeVisible()
    const rows = page.getByRole('row')
    const outcomeOf = (words: string | RegExp) => rows.filter({ hasText: words }).getByRole('cell').first()
    await expect(outcomeOf(/AssertionError/)).toHaveText('Failed')
    await expect(outcomeOf(/overloaded/i)).toHaveText('Retriable')
    await expect(outcomeOf('Build the monthly stock report')).toHaveText('Interrupted')
    // Calls that failed and were put right make no failed run.
    await expect(outcomeOf('Raise the product cache')).toHaveText('Succeeded')
    // Receipts alone do not tell how a run ended.
    await expect(outcomeOf('Raise the version of the tax table')).toHaveText('Unknown')
  })

  await test.step('its receipts are verified with their key, and where one was changed the chain breaks', async () => {
    const here = page.getByRole('region', { name: 'Verified in this browser' })
    await page.goto(`${inquest.url}/chains/sample-2026-11-20`)
    await expect(here).toContainText('Valid and complete')
    await expect(page.getByRole('region', { name: 'Trusted keys' })).toContainText('a key that anyone has')
    const tiles = page.getByRole('group', { name: /^Receipts of chain/ })
    for (const words of ['call 1 of 2', 'call 2 of 2', 'blocked by policy', 'answered', 'Events lost'])
      await expect(tiles).toContainText(words)
    await page.goto(`${inquest.url}/x/sample-2026-11-20/agent/changed`)
    await expect(here).toContainText('Broken at receipt 3')
  })

  await test.step('the start page is the list from now on', async () => {
    await page.goto(`${inquest.url}/`)
    await expect(page).toHaveURL(/\/executions$/)
  })

  await test.step('signed out, nothing is shown, and the used link opens nothing', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.goto(`${inquest.url}/executions`)
    await expect(page).toHaveURL(/\/sign-in\?next=/)
    await page.goto(inquest.link)
    await expect(page.getByText('This link was used', { exact: false })).toBeVisible()
    expect((await page.request.get(`${inquest.url}/api/v1/executions`)).status()).toBe(401)
  })

  await test.step('a wrong password is refused, the right one signs in', async () => {
    await page.goto(`${inquest.url}/sign-in`)
    await signIn(page, { ...admin, password: `${admin.password}!` })
    await expect(page.getByRole('alert').filter({ hasText: 'Wrong email or password.' })).toBeVisible()
    await signIn(page, { email: 'nobody@example.test', password: admin.password })
    await expect(page.getByRole('alert').filter({ hasText: 'Wrong email or password.' })).toBeVisible()
    await signIn(page, admin)
    await expect(page.getByRole('heading', { name: 'Executions', exact: true })).toBeVisible()
  })
})
