import { longChain } from '../db/testing/long-chain'
import { links } from '../lib/links'
import { downloaded, openFile } from './support/receipt-file'
import { expect, server, test } from './support/test'

const RECEIPTS = 3_000
const CHANGED = 2_700
const BROKEN = `roken at receipt ${CHANGED}`
/** The page contains what is looked at, not what there is. */
const ELEMENTS_MAX = 6_000

test(`a chain of ${RECEIPTS} receipts is broken at the same one in this browser, on the server, on the first screen and in the exported file`, async ({
  page,
  request,
  browser,
  folder,
}) => {
  const { url, token } = server()
  const headers = { authorization: `Bearer ${token}` }
  const id = `long-${Date.now()}`
  const { pem, texts } = longChain(id, RECEIPTS)
  const sent = [...texts()].map((text, index) =>
    index + 1 === CHANGED ? text.replace('"risk_level":"low"', '"risk_level":"high"') : text,
  )
  for (const [address, data, type] of [
    [links.api.receiptKeys(), JSON.stringify({ key: pem, label: id, chainId: id }), 'application/json'],
    ['/api/v1/ingest/receipts', sent.join('\n'), 'application/x-ndjson'],
  ] as const)
    expect(
      (
        await request.post(`${url}${address}`, { data, headers: { ...headers, 'content-type': type } })
      ).status(),
    ).toBeLessThan(300)
  const chain = (await (await request.get(`${url}${links.api.receiptChain(id)}`, { headers })).json()) as {
    sessions: { executionId: string }[]
  }
  const { executionId } = chain.sessions[0]!
  const elements = () => page.evaluate(() => document.querySelectorAll('*').length)

  await page.goto(links.execution(executionId, 'receipts'))
  for (const name of ['Verified in this browser', 'Server’s verdict'])
    await expect(page.getByRole('region', { name })).toContainText(BROKEN)
  const tile = page
    .getByRole('group', { name: /^Receipts of chain/ })
    .getByRole('button', { name: new RegExp(`^Receipt ${CHANGED}\\b`) })
  await expect(tile).toBeFocused()
  expect(await elements()).toBeLessThan(ELEMENTS_MAX)
  // Every fiftieth receipt is of a failure.
  await page.keyboard.press('f')
  await expect(page.getByRole('button', { name: /^Receipt 2750 / })).toBeFocused()
  await page.getByRole('button', { name: 'Next failure of 60' }).click()
  await expect(page.getByRole('button', { name: /^Receipt 2800 / })).toBeFocused()
  await page.goto(links.execution(executionId))
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText(
    `The chain breaks at receipt ${CHANGED}`,
  )

  await page.goto(links.execution(executionId, 'receipts'))
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  const opened = await openFile(browser, folder, await downloaded(await download))
  await expect(opened.page.getByRole('heading', { level: 1 })).toContainText(BROKEN)
  expect(await opened.page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(ELEMENTS_MAX)
  expect(opened.trouble).toEqual([])
  await opened.close()
})
