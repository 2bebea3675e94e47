import { readFile } from 'node:fs/promises'
import { links } from '../lib/links'
import { readReceipt } from '../lib/formats/receipt/read-receipt'
import { receiptHash } from '../lib/formats/receipt/receipt-hash'
import { makeSigner } from '../lib/judge/receipts/testing/signed-chain'
import { LOST_UPDATE_ERROR, lostUpdate, pushReceipts, registerKey, signedChain } from './support/receipts'
import { expect, server, test } from './support/test'

test('a lost update is one failed and one successful receipt of a chain that this browser verifies with the registered key', async ({
  page,
  request,
}) => {
  const chain = await signedChain(lostUpdate())
  const id = await pushReceipts(request, chain)
  await page.goto(links.execution(id))
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Receipts 3' }).click()
  const here = page.getByRole('region', { name: 'Verified in this browser' })
  const server = page.getByRole('region', { name: 'Server’s verdict' })
  await expect(here).toContainText('No key registered: only links and numbers checked')
  await expect(here).toContainText('All links and numbers are consistent')
  await expect(server).toContainText('No key registered')

  await page.goto(links.settings('keys'))
  await page.getByRole('button', { name: 'Add public key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add public key' })
  await dialog.getByLabel('Public key').fill('-----BEGIN PRIVATE KEY-----')
  await dialog.getByLabel('Label').fill(`shop ${chain.chainId}`)
  await dialog.getByLabel('Chain', { exact: true }).fill(chain.chainId)
  await dialog.getByRole('button', { name: 'Add key' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Not an Ed25519 public key')
  await dialog.getByLabel('Public key').fill(chain.signer.pem)
  await dialog.getByRole('button', { name: 'Add key' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: 'Receipt public keys' })).toContainText(
    `chain ${chain.chainId}`,
  )

  await page.goto(links.execution(id))
  await expect(page.locator('html[data-ready]')).toBeAttached()
  await page.keyboard.press('4')
  await expect(here).toContainText('Valid so far, completeness unknown')
  await expect(server).toContainText('Valid so far, completeness unknown')
  await expect(page.getByText('do not agree')).toBeHidden()
  const strip = page.getByRole('group', { name: `Receipts of chain ${chain.chainId}` })
  const marks = /signature valid, link valid, number in sequence$/
  await expect(strip.getByRole('button')).toHaveText([
    /^Receipt 1Edit failurecall 1 of 2/,
    /^Receipt 2Read success/,
    /^Receipt 3Edit successcall 2 of 2/,
  ])
  for (const tile of await strip.getByRole('button').all()) await expect(tile).toHaveAccessibleName(marks)

  await strip.getByRole('button', { name: /^Receipt 2/ }).focus()
  // At once: a key that is pressed right behind it acts on the next tile.
  const moved = await strip.evaluate(() => {
    document.activeElement!.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true }),
    )
    return document.activeElement!.textContent
  })
  expect(moved).toMatch(/^Receipt 1/)
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Receipt 1' })
  await expect(panel.getByLabel('Error text')).toContainText(LOST_UPDATE_ERROR)
  await expect(panel.getByLabel('Text of the receipt')).toHaveText(chain.texts[0]!)
  await expect(panel.getByText('filesystem /srv/shop/package.json', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  await page.getByRole('link', { name: chain.chainId }).click()
  await expect(page.getByRole('heading', { name: `Chain ${chain.chainId}` })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${links.chain(chain.chainId)}$`))
  await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')).toHaveText(
    `${chain.sessionId}3 receipts, 1 failed`,
  )
})

test('a chain whose third receipt was changed by a byte is broken there, and what follows is not provable', async ({
  page,
  request,
}) => {
  const chain = await signedChain([...lostUpdate(), {}, {}])
  await registerKey(request, chain)
  const id = await pushReceipts(request, {
    ...chain,
    texts: chain.texts.map((text, index) =>
      index === 2 ? text.replace('package.json', 'package.jsoN') : text,
    ),
  })
  await page.goto(links.execution(id, 'receipts'))
  const broken = 'Broken at receipt 3: invalid signature for this key'
  await expect(page.getByRole('region', { name: 'Verified in this browser' })).toContainText(broken)
  await expect(page.getByRole('region', { name: 'Server’s verdict' })).toContainText(broken)
  await expect(
    page.getByText('Receipt 3: The body of this receipt was changed after it was signed'),
  ).toBeVisible()
  const tiles = page.getByRole('group', { name: /^Receipts of chain/ }).getByRole('button')
  await expect(tiles.nth(1)).not.toContainText('unproven')
  await expect(tiles.nth(2)).toContainText('breaks here')
  await expect(tiles.nth(2)).toHaveAccessibleName(/signature invalid, link valid, number in sequence$/)
  await expect(tiles.nth(2)).toBeFocused()
  await expect(tiles.nth(3)).toContainText('unproven from here')
  await expect(tiles.nth(3)).toHaveAccessibleName(/signature valid, link broken, number in sequence$/)
  await expect(tiles.nth(4)).toContainText('unproven from here')
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('complementary', { name: 'Receipt 3' }).getByRole('region', { name: 'Findings' }),
  ).toContainText('not made with the active key')

  await test.step('the first screen says so by itself, and so does the list', async () => {
    await page.goto(links.execution(id))
    const cause = page.getByRole('region', { name: 'Cause' })
    await expect(cause).toContainText('The chain breaks at receipt 3; nothing after that is proven.')
    await cause.getByRole('link', { name: /^The chain breaks/ }).click()
    await expect(page.getByRole('complementary', { name: 'Receipt 3' })).toBeVisible()
    await page.goto(links.executions('q=silence:broken'))
    await expect(page.locator(`a[href^="${links.execution(id)}"]`).first()).toBeVisible()
  })
})

test('a server that says something else than this browser is contradicted in plain sight', async ({
  page,
  request,
}) => {
  const chain = await signedChain(lostUpdate())
  await registerKey(request, chain)
  const id = await pushReceipts(request, {
    ...chain,
    texts: chain.texts.map((text, index) => (index === 1 ? text.replace('"Read"', '"Reed"') : text)),
  })
  await page.route(/\/receipt-chains\/verdict/, async (route) => {
    const said = await (await route.fetch()).json()
    await route.fulfill({ json: { ...said, state: 'valid', reason: null, firstBadIndex: -1 } })
  })
  await page.goto(links.execution(id, 'receipts'))
  const alert = page.getByRole('alert').filter({ hasText: 'This browser and the server disagree' })
  await expect(alert.getByRole('row')).toHaveText([
    /^What/,
    /^Verdictbrokenvalid$/,
    /^Reasonsignature_invalidnone$/,
    /^First bad receiptposition 2none$/,
  ])
})

test('a browser without Ed25519 says so and shows the server’s verdict alone', async ({ page, request }) => {
  const chain = await signedChain(lostUpdate())
  await registerKey(request, chain)
  const id = await pushReceipts(request, chain)
  // The worker is another world than the page: what it runs is led by a line of its own.
  await page.route(/\/_next\/static\/.*worker.*\.js/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      body: `crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'));${await response.text()}`,
    })
  })
  await page.goto(links.execution(id, 'receipts'))
  await expect(page.getByRole('region', { name: 'Verified in this browser' })).toContainText(
    'This browser doesn’t support Ed25519 signatures',
  )
  await expect(page.getByRole('region', { name: 'Server’s verdict' })).toContainText('Valid so far')
  await expect(page.getByRole('button', { name: /^Receipt 1/ })).toHaveAccessibleName(
    /signature not checked, link valid, number in sequence$/,
  )
})

test('an execution of which only receipts came says what broke and what to do, and what no receipt tells', async ({
  page,
  request,
}) => {
  const denied = {
    action: { tool_name: 'Bash', timestamp: '2026-06-15T10:00:09Z' },
    outcome: { status: 'failure', error: 'blocked by policy: no network' },
  }
  const id = await pushReceipts(
    request,
    await signedChain(
      [...lostUpdate(), denied].map((draft) => ({ ...draft, issuer: { name: 'Storefront agent' } })),
    ),
  )
  await page.goto(links.execution(id))
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    'Storefront agent: Edit on shop/package.json',
  )
  const cause = page.getByRole('region', { name: 'Cause' })
  await expect(cause).toContainText('Bash was denied permission: blocked by policy: no network')
  await expect(cause).toContainText('No receipts follow it')
  await expect(page.getByRole('region', { name: 'Would a retry help?' })).toContainText("Retrying won't help")
  await expect(page.getByRole('region', { name: 'What to do next' })).toContainText(
    'Grant permission for Bash',
  )
  await expect(page.getByText('0 ms')).toHaveCount(0)

  const well = await pushReceipts(request, await signedChain([{ action: { tool_name: 'Read' } }]))
  await page.goto(links.execution(well))
  await expect(cause).toContainText('No failure in the receipts.')
  await expect(cause).toContainText('calls without a receipt are invisible')
})

test('a receipt, its chain and its call are found by their ids, and the address of a receipt leads back to its tile', async ({
  page,
  request,
}) => {
  const chain = await signedChain(lostUpdate())
  const { id: receiptId } = JSON.parse(chain.texts[2]!) as { id: string }
  await page.goto(links.anyId(receiptId))
  await expect(page.getByRole('heading', { name: 'Waiting for this ID' })).toBeVisible()
  const id = await pushReceipts(request, chain)

  const address = new RegExp(`/executions/${id}\\?view=receipts&receipt=[0-9a-f-]{36}$`)
  await expect(page).toHaveURL(address)
  const tile = page.getByRole('button', { name: /^Receipt 3/ })
  const panel = page.getByRole('complementary', { name: 'Receipt 3' })
  for (const again of [
    () => page.goto(links.anyId(receiptHash(readReceipt(chain.texts[2]!))!)),
    () => page.reload(),
  ]) {
    await again()
    await expect(page).toHaveURL(address)
    await expect(tile).toBeFocused()
    await expect(tile).toHaveAttribute('aria-pressed', 'true')
    await expect(panel.getByLabel('Text of the receipt')).toHaveText(chain.texts[2]!)
  }

  await page.goto(links.anyId(chain.chainId))
  await expect(page).toHaveURL(new RegExp(`${links.chain(chain.chainId)}$`))
  await expect(page.locator('html[data-ready]')).toBeAttached()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(receiptId)
  await page.getByRole('option', { name: receiptId }).click()
  await expect(page).toHaveURL(address)
})

test('receipts that share an id are chosen among', async ({ page, request }) => {
  const chain = await signedChain(lostUpdate())
  const { id: receiptId } = JSON.parse(chain.texts[0]!) as { id: string }
  const twin = chain.texts[0]!.replace('#key-1', '#key-2')
  const { url, token } = server()
  await pushReceipts(request, chain)
  const answer = await request.post(`${url}${links.api.ingest('receipts')}`, {
    data: twin,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  expect(answer.ok()).toBe(true)
  await page.goto(links.anyId(receiptId))
  const finds = page
    .getByRole('listitem')
    .filter({ hasText: `${chain.chainId} no. 1 · filesystem.file.modify · failure` })
  await expect(finds).toHaveCount(2)
  await finds.last().click()
  await expect(page.getByRole('complementary', { name: 'Receipt 1' })).toBeVisible()
})

test('the page of a chain waits for its first receipt', async ({ page, request }) => {
  const chain = await signedChain([{}], await makeSigner())
  await page.goto(links.chain(chain.chainId))
  await expect(page.getByRole('heading', { name: 'No receipts of this chain yet' })).toBeVisible()
  await pushReceipts(request, chain)
  await expect(page.getByRole('heading', { name: `Chain ${chain.chainId}` })).toBeVisible()
})

test('a gap and lost events are found by a facet, named on the execution, and open at their tiles', async ({
  page,
  request,
}) => {
  const chain = await signedChain([
    ...lostUpdate(),
    {
      action: {
        type: 'agent_receipts.events_dropped',
        emitter_metadata: { drop_count: 3 },
        timestamp: '2026-06-15T10:00:05Z',
      },
    },
    {
      action: { tool_name: 'Write', timestamp: '2026-06-15T10:00:06Z' },
      subject: { correlation_id: 'toolu_w' },
    },
  ])
  const id = await pushReceipts(request, { ...chain, texts: chain.texts.filter((_, index) => index !== 1) })
  await page.goto(links.executions())
  await page
    .getByRole('group', { name: 'Receipt problems' })
    .getByRole('checkbox', { name: /Receipts missing/ })
    .check()
  await expect(page).toHaveURL(/silence%3Agap|silence:gap/)
  await expect(page.locator(`a[href^="${links.execution(id)}"]`).first()).toBeVisible()
  await page.goto(links.execution(id))
  const cause = page.getByRole('region', { name: 'Cause' })
  await expect(cause).toContainText('1 receipt is missing between 1 and 3; nothing was recorded there.')
  await cause.getByRole('link', { name: '1 more such place' }).click()
  const silence = page.getByRole('region', { name: 'Receipt problems' })
  await expect(silence.getByRole('listitem')).toHaveText([
    /^1 receipt is missing between 1 and 3/,
    /^3 events were lost before receipt 4; nothing was recorded there/,
    /^No key registered for this chain/,
  ])
  await silence.getByRole('link', { name: /^3 events/ }).click()
  await expect(page.getByRole('complementary', { name: 'Receipt 4' })).toContainText('Events lost')
  await page.goto(links.execution(id))
  await cause.getByRole('link', { name: /^1 receipt is missing/ }).click()
  await expect(page.getByRole('complementary', { name: 'Receipt 3' })).toContainText('2 of 2')
})

test('what was done again under one idempotency key is marked in Calls with both receipts; a lost update is not', async ({
  page,
  request,
}) => {
  const pay = (n: number) => ({
    action: {
      type: 'financial.payment.send',
      tool_name: 'pay_invoice',
      target: { system: 'bank', resource: 'invoice 7' },
      idempotency_key: 'invoice-7',
      timestamp: `2026-06-15T10:01:0${n}Z`,
    },
    subject: { correlation_id: `toolu_pay_${n}` },
  })
  const id = await pushReceipts(request, await signedChain([...lostUpdate(), pay(1), pay(2)]))
  await page.goto(links.execution(id, 'calls'))
  const repeats = page.getByRole('region', { name: 'Repeated in this execution' })
  await expect(repeats).toContainText(
    'pay_invoice invoice 7 done 2 times (same idempotency key (stated by the issuer))',
  )
  await expect(repeats).not.toContainText('package.json')
  await expect(repeats.getByRole('link', { name: 'receipt 4' })).toBeVisible()
  await repeats.getByRole('link', { name: 'receipt 5' }).click()
  await expect(page.getByRole('complementary', { name: 'Receipt 5' })).toContainText(
    '2 of 2 (same idempotency key (stated by the issuer))',
  )
})

test('the chain of a sub-agent leads to the receipt it was started from and back, and an envelope is downloaded byte for byte', async ({
  page,
  request,
}) => {
  const envelope = {
    v: '1',
    alg: 'hpke-x25519-hkdf-sha256-aes-256-gcm',
    recipients: [{ kid: 'sha256:forensic-key', enc: 'A'.repeat(43) }],
    ct: 'B'.repeat(40),
  }
  const parent = await signedChain([
    {},
    { action: { tool_name: 'Task', parameters_disclosure: envelope } },
    {},
  ])
  await pushReceipts(request, parent)
  const child = await signedChain(
    [
      {
        issuer: { session_id: parent.sessionId, runtime: { agent_id: 'a1' } },
        action: { parameters_disclosure: { command: 'ls' } },
        subject: {
          delegation: {
            parent_chain_id: parent.chainId,
            parent_receipt_id: (JSON.parse(parent.texts[1]!) as { id: string }).id,
            delegator: { id: 'did:agent:a' },
          },
        },
      },
    ],
    parent.signer,
  )
  await pushReceipts(request, child)
  await page.goto(links.chain(child.chainId))
  await expect(
    page.getByText(
      'Delegation verifiable: written by a sub-agent, according to the chain, started from receipt 2 of',
    ),
  ).toBeVisible()
  await page.getByRole('link', { name: parent.chainId }).click()
  const panel = page.getByRole('complementary', { name: 'Receipt 2' })
  await expect(panel.getByRole('region', { name: 'Parameters disclosed' })).toContainText(
    'encrypted for sha256:forensic-key',
  )
  const download = page.waitForEvent('download')
  await panel.getByRole('link', { name: 'Download envelope' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toBe(JSON.stringify(envelope))
  await page.getByRole('link', { name: child.chainId }).click()
  await expect(
    page
      .getByRole('complementary', { name: 'Receipt 1' })
      .getByRole('region', { name: 'Parameters disclosed' }),
  ).toContainText('commandls')
})
