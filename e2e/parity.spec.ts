import { links } from '../lib/links'
import { lostUpdate, pushReceipts, signedChain } from './support/receipts'
import { expect, test } from './support/test'

test('what is stored of an execution is held against its kept bytes, and a difference is told with both values', async ({ page, request }) => {
  const id = await pushReceipts(request, await signedChain(lostUpdate()))
  await page.goto(links.execution(id))
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Parity' }).click()
  const parity = page.getByRole('region', { name: 'Parity' })
  await expect(parity.getByRole('heading')).toHaveText('What is stored is what the kept bytes say')
  await expect(parity.getByRole('list', { name: 'Layers' }).getByRole('listitem')).toHaveText(['Kept bytes, read now read whole', 'Stored rows read whole'])

  // An answer of a server whose rows were changed behind its back.
  await page.route(/\/parity$/, async (route) => {
    const answer = await route.fetch()
    const document = (await answer.json()) as { transitions: object[] }
    const differences = [
      { path: '/execution/title', kind: 'changed_value', severity: 'medium', left: '"a <b>bold</b> title"', right: '"\\u202eother"' },
      { path: '/events/0/facts/result', kind: 'missing', severity: 'critical', left: '{"x":620356925057663015}', right: null },
    ]
    await route.fulfill({ response: answer, json: { ...document, verdict: 'different', worst: 'critical', transitions: [{ ...document.transitions[0], equal: false, differences }] } })
  })
  await page.keyboard.press('v')
  await expect(parity.getByRole('heading')).toHaveText('2 differences, critical at worst')
  const rows = page.getByRole('region', { name: /^Differences between/ }).getByRole('row')
  await expect(rows.nth(1)).toHaveText(/^criticalgone\/events\/0\/facts\/result\{"x":620356925057663015\}not there$/)
  await expect(rows.nth(2)).toContainText('a <b>bold</b> title')
})

test('a comparison that fails its own controls says so before anything else', async ({ page, request }) => {
  const id = await pushReceipts(request, await signedChain(lostUpdate()))
  await page.route(/\/parity$/, async (route) => {
    const answer = await route.fetch()
    const document = (await answer.json()) as { failedControls: string[] }
    expect(document.failedControls).toEqual([])
    await route.fulfill({ response: answer, json: { ...document, failedControls: ['an intact pair'] } })
  })
  await page.goto(links.execution(id, 'parity'))
  const parity = page.getByRole('region', { name: 'Parity' })
  await expect(parity.getByRole('heading')).toHaveText('Not trustworthy')
  await expect(parity.getByRole('alert')).toContainText('an intact pair')
})

test('bytes that are not those that were kept are named, and nothing is called equal', async ({ page, request }) => {
  const id = await pushReceipts(request, await signedChain(lostUpdate()))
  const digest = 'ab'.repeat(32)
  await page.route(/\/parity$/, async (route) => {
    const answer = await route.fetch()
    const document = (await answer.json()) as object
    await route.fulfill({
      response: answer,
      json: { ...document, verdict: 'unknown', transitions: [], changedParts: [digest], layers: [{ layer: 'source', state: 'unreadable' }, { layer: 'persisted', state: 'read' }] },
    })
  })
  await page.goto(links.execution(id, 'parity'))
  const parity = page.getByRole('region', { name: 'Parity' })
  await expect(parity.getByRole('heading')).toHaveText('Not known. Kept bytes, read now: could not be read')
  await expect(parity.getByRole('list', { name: 'Changed parts' })).toContainText(digest)
})
