import { links } from '../lib/links'
import { makeSigner, signChain } from '../lib/judge/receipts/testing/signed-chain'
import { axeViolations } from './support/check-page'
import { changeReceipt, downloaded, openFile, receiptsIn } from './support/receipt-file'
import { lostUpdate, pushReceipts, registerKey, richChain, signedChain } from './support/receipts'
import { expect, test } from './support/test'

test('an exported chain verifies itself from a disk, without a network, and names the receipt whose byte was changed', async ({
  page,
  request,
  browser,
  folder,
}) => {
  const chain = await signedChain([...lostUpdate(), {}, {}])
  await registerKey(request, chain)
  const id = await pushReceipts(request, chain)
  await page.goto(links.execution(id, 'receipts'))
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toBe(`receipts-${id}.html`)
  const html = await downloaded(await download)
  expect(receiptsIn(html)).toEqual(chain.texts)

  const whole = await openFile(browser, folder, html)
  await expect(whole.page.getByRole('heading', { level: 1 })).toHaveText(
    /Valid so far, completeness unknown$/,
  )
  await expect(whole.page.getByRole('note', { name: 'Server’s verdict' })).toContainText(
    'Valid so far, completeness unknown.',
  )
  await expect(whole.page.getByText('do not agree')).toBeHidden()
  const rows = whole.page
    .getByRole('list', { name: `Receipts of chain ${chain.chainId}` })
    .getByRole('button')
  await expect(rows).toHaveCount(5)
  for (const row of await rows.all())
    await expect(row).toHaveAccessibleName(/signature valid link valid number in sequence$/)
  await expect(whole.page.getByRole('region', { name: 'Keys' })).toContainText(chain.signer.key.fingerprint)
  await rows.nth(0).click()
  await expect(whole.page.getByRole('region', { name: 'Text of receipt 1' })).toHaveText(chain.texts[0]!)
  expect(whole.trouble).toEqual([])
  await whole.close()

  const changed = changeReceipt(html, 2, (bytes) =>
    Buffer.from(bytes.toString('utf8').replace('package.json', 'package.jsoN')),
  )
  const broken = await openFile(browser, folder, changed)
  await expect(broken.page.getByRole('heading', { level: 1 })).toHaveText(
    /Broken at receipt 3: invalid signature for this key$/,
  )
  await expect(
    broken.page.getByText('The body of this receipt was changed after it was signed'),
  ).toBeVisible()
  await expect(broken.page.getByRole('alert').filter({ hasText: 'disagree' }).getByRole('row')).toHaveText([
    'WhatThis browser, nowServer, at export',
    'Verdictbrokenvalid',
    'Reasonsignature_invalidnone',
    'First bad receiptposition 3none',
  ])
  await expect(rowsOf(broken.page, chain.chainId).nth(2)).toBeFocused()
  await expect(rowsOf(broken.page, chain.chainId).nth(2)).toHaveAccessibleName(
    /breaks here.*signature invalid link valid number in sequence$/,
  )
  await expect(rowsOf(broken.page, chain.chainId).nth(3)).toHaveAccessibleName(
    /unproven.*signature valid link broken/,
  )
  await expect(rowsOf(broken.page, chain.chainId).nth(4)).toHaveAccessibleName(
    /unproven.*signature valid link valid/,
  )
  expect(broken.trouble).toEqual([])
  await broken.close()
})

const rowsOf = (page: Parameters<Parameters<typeof test>[2]>[0]['page'], chainId: string) =>
  page.getByRole('list', { name: `Receipts of chain ${chainId}` }).getByRole('button')

test('a key of the reader beats those that came with the file, and a file that was signed anew does not pass with it', async ({
  page,
  request,
  browser,
  folder,
}) => {
  const chain = await signedChain(lostUpdate())
  await registerKey(request, chain)
  await pushReceipts(request, chain)
  const html = await (await page.request.get(links.api.receiptFile(chain.chainId))).text()
  const forger = await makeSigner()
  const forged = await signChain(
    [
      { chain: { chain_id: chain.chainId } },
      { chain: { chain_id: chain.chainId } },
      { chain: { chain_id: chain.chainId } },
    ],
    forger,
  )
  const lie = forged
    .reduce((text, receipt, index) => changeReceipt(text, index, () => Buffer.from(receipt)), html)
    .replaceAll(chain.signer.key.fingerprint, forger.key.fingerprint)
    .replace(/"publicKey":"[^"]+"/, `"publicKey":"${forger.multibase}"`)
  const { page: file, trouble, close } = await openFile(browser, folder, lie)
  const verdict = file.getByRole('heading', { level: 1 })
  await expect(verdict).toHaveText(/Valid so far/)
  await expect(file.getByRole('region', { name: 'Keys' })).toContainText('Compare the fingerprint')
  await file.getByLabel('Your own key').fill('-----BEGIN PRIVATE KEY-----')
  await file.getByRole('button', { name: 'Verify with this key' }).click()
  await expect(file.getByRole('alert').filter({ hasText: 'This is a private key' })).toBeVisible()
  await expect(file.getByLabel('Your own key')).toHaveValue('')
  await file
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'issuer.pem', mimeType: 'text/plain', buffer: Buffer.from(chain.signer.pem) })
  await expect(verdict).toHaveText(/Broken at receipt 1: invalid signature for this key$/)
  await expect(file.getByRole('region', { name: 'Keys' })).toContainText(
    `Checked with your key. Keys in the file were ignored. ${chain.signer.key.fingerprint}`,
  )
  await file.getByRole('button', { name: 'Use the keys in the file' }).click()
  await expect(verdict).toHaveText(/Valid so far/)
  expect(trouble).toEqual([])
  await close()
})

test('nothing that an agent or a label says runs in the file or leaves its place', async ({
  page,
  request,
  browser,
  folder,
}) => {
  const evil =
    '</script><script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'"><!-- <script> \u2028 \u202egnp.exe \u0000\u001b[31m ]]> </textarea></title>'
  const signer = await makeSigner()
  const chainId = `evil ${evil.replaceAll('\u0000', '')} ${Date.now()}`.slice(0, 250)
  const texts = await signChain(
    [0, 1, 2].map((i) => ({
      id: `urn:${evil}:${Date.now()}:${i}`,
      chain: { chain_id: chainId },
      issuer: { session_id: `evil ${Date.now()}` },
      action: { tool_name: evil, target: { system: 'web', resource: evil } },
      outcome: { status: 'failure', error: evil },
    })),
    signer,
  )
  const chain = { chainId, sessionId: '', signer, texts }
  await registerKey(request, chain, evil.replaceAll('\u0000', ''))
  await pushReceipts(request, chain)
  const response = await page.request.get(links.api.receiptFile(chainId))
  expect(response.headers()).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-disposition': expect.stringMatching(/^attachment; filename="receipts-[A-Za-z0-9-]+\.html"$/),
    'content-security-policy': expect.stringContaining('sandbox'),
    'cache-control': 'private, no-store',
  })
  const html = await response.text()
  expect(receiptsIn(html)).toEqual(texts)
  const { page: file, trouble, close } = await openFile(browser, folder, html)
  await expect(file.getByRole('heading', { level: 1 })).toHaveText(/Valid so far/)
  await file.locator('button[data-receipt="0"]').click()
  await expect(file.locator('pre')).toContainText('</script><script>document.title=\\"taken\\"</script>')
  await expect(file.locator('dd').filter({ hasText: 'gnp.exe' }).first()).toContainText(
    '⟨U+2028⟩ ⟨U+202E⟩gnp.exe ␀␛[31m',
  )
  await expect(file).toHaveTitle(/^Receipts: evil <\/script>/)
  expect(await file.locator('img').count()).toBe(0)
  expect(trouble).toEqual([])
  // The policy of the file stands even where something did get in.
  await file.evaluate(() => {
    const script = document.createElement('div')
    try {
      script.innerHTML = '<img src=x onerror="document.title=\'taken\'">'
      document.body.append(script)
    } catch {
      /* refused, as it should be */
    }
  })
  await expect(file).toHaveTitle(/^Receipts: evil/)
  await close()
})

test('all chains of an execution stand in one file; one that is cut off, or a browser that cannot verify, says so', async ({
  page,
  request,
  browser,
  folder,
}) => {
  const { id, chainId } = await richChain(request)
  const html = await (await page.request.get(links.api.executionReceiptFile(id))).text()
  const cut = await openFile(browser, folder, html.slice(0, html.lastIndexOf('data-inquest="said"') - 40))
  await expect(cut.page.getByRole('alert').filter({ hasText: 'The file is truncated' })).toBeVisible()
  await cut.close()

  const none = await openFile(browser, folder, html, { javaScriptEnabled: false })
  await expect(none.page.getByText('its program did not run')).toBeVisible()
  await none.close()

  const context = await browser.newContext()
  await context.addInitScript(() => Object.defineProperty(globalThis.crypto, 'subtle', { value: undefined }))
  const without = await context.newPage()
  await without.goto(`file://${folder.put('without.html', html)}`)
  await expect(without.getByRole('heading', { level: 1 })).toHaveText(
    /Not verified: this browser can’t verify signatures on a page opened this way$/,
  )
  await expect(without.getByRole('note', { name: 'Server’s verdict' })).toContainText('Broken at receipt')
  await expect(rowsOf(without, chainId).first()).toHaveAccessibleName(
    /signature not checked link valid number in sequence$/,
  )
  await context.close()
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])
    test(`the file is accessible, ${colorScheme}, ${viewport.width} wide`, async ({
      page,
      request,
      browser,
      folder,
    }) => {
      const { id } = await richChain(request)
      const html = await (await page.request.get(links.api.executionReceiptFile(id))).text()
      // The check itself is a script that the policy of the file would refuse.
      const { page: file, close } = await openFile(browser, folder, html, {
        colorScheme,
        viewport,
        bypassCSP: true,
      })
      await expect(file.getByRole('heading', { level: 1 })).toContainText('Broken at receipt 7')
      await file.locator('button[aria-expanded="false"]').first().click()
      expect(await axeViolations(file)).toEqual([])
      expect(await file.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      if (process.env.SHOTS)
        await file.screenshot({
          path: `${process.env.SHOTS}/file-${colorScheme}-${viewport.width}.png`,
          fullPage: true,
        })
      await close()
    })
