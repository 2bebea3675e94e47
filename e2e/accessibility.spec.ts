import type { Page } from '@playwright/test'
import { links } from '../lib/links'
import { NARROW, pageFaults, settled, WIDE } from './support/check-page'
import { ciPagesOf, richCiRun } from './support/ci-pages'
import { brokenContract, retriedWork } from './support/decisions'
import { CART_PATCH, FACTS, failedExecution, propose } from './support/fixes'
import { pagesOf, richExecution } from './support/pages'
import { richChain } from './support/receipts'
import { expect, ownTest, test } from './support/test'

const SIZES = [WIDE, NARROW]

const check = async (page: Page, name: string): Promise<string[]> =>
  (await pageFaults(page, { sizes: SIZES })).map((fault) => `${name}, ${fault}`)

test.describe('light and dark, wide and narrow', () => {
  test('no page breaks a rule of axe, and none scrolls sideways', async ({ page, seed }) => {
    test.setTimeout(240_000)
    const found: string[] = []
    for (const [name, path] of pagesOf(await richExecution(seed))) {
      await page.goto(path)
      found.push(...(await check(page, name)))
    }
    expect(found).toEqual([])
  })

  test('the pages of a CI run keep the rules, with something of everything and before anything has come', async ({
    page,
    seed,
  }) => {
    test.setTimeout(240_000)
    const found: string[] = []
    for (const [name, path] of ciPagesOf(await richCiRun(seed))) {
      await page.goto(path)
      found.push(...(await check(page, name)))
    }
    expect(found).toEqual([])
  })

  test('the queue of fixes and the review room keep the rules, also while a comment is written and a decision made', async ({
    page,
    seed,
    request,
  }) => {
    test.setTimeout(240_000)
    const execution = await failedExecution(seed)
    const fix = await propose(request, execution, CART_PATCH, FACTS, '{"type":"request"}\n')
    const found: string[] = []
    await page.goto(links.fixes())
    found.push(...(await check(page, 'fixes')))
    await page.goto(links.fixes({ state: 'no such state' }))
    found.push(...(await check(page, 'fixes without a match')))
    await page.goto(links.execution(execution, 'fixes'))
    found.push(...(await check(page, 'fixes of an execution')))
    await page.goto(links.fix(fix.id))
    await expect(page.getByText('return items.reduce')).toBeVisible()
    found.push(...(await check(page, 'review room')))
    await page.keyboard.press('j')
    await page.keyboard.press('c')
    await expect(page.getByRole('form', { name: 'Comment on lines' })).toBeVisible()
    found.push(...(await check(page, 'review room with a comment being written')))
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    await expect(page.getByRole('textbox', { name: 'Lines of the new file' })).toBeFocused()
    found.push(...(await check(page, 'review room with a change being suggested')))
    await page.keyboard.press('Escape')
    await page.keyboard.press('R')
    await expect(page.getByRole('dialog', { name: 'Request changes' })).toBeVisible()
    found.push(...(await check(page, 'decision')))
    expect(found).toEqual([])
  })

  test('what opens over a page keeps the rules, too', async ({ page, seed }) => {
    test.setTimeout(120_000)
    const { id } = await richExecution(seed)
    const found: string[] = []
    await page.goto(links.executions())
    await page.getByRole('button', { name: 'Help' }).click()
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    found.push(...(await check(page, 'help')))
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog')).toBeVisible()
    found.push(...(await check(page, 'palette')))
    await page.goto(links.settings('keys'))
    await page.getByRole('button', { name: 'Create key' }).click()
    await expect(page.getByRole('dialog', { name: 'Create key' })).toBeVisible()
    found.push(...(await check(page, 'make a key')))
    await page.goto(links.execution(id, 'calls'))
    await page
      .getByRole('region', { name: 'Retry chains' })
      .getByRole('button', { name: /Call \d/ })
      .first()
      .click()
    await expect(page.getByRole('complementary', { name: /^Call/ })).toBeVisible()
    found.push(...(await check(page, 'a call')))
    await page.goto(links.bytes(id, (await seed.read(id)).cause!.pointer!))
    await expect(
      page.getByRole('region', { name: 'Record', exact: true }).getByRole('treegrid'),
    ).toBeVisible()
    found.push(...(await check(page, 'a record')))
    expect(found).toEqual([])
  })

  test('an opened decision, also with changes, and the attempts of a work keep the rules', async ({
    page,
    seed,
  }) => {
    test.setTimeout(120_000)
    const attempts = await retriedWork(seed)
    const id = await seed.run({ ...brokenContract, channel: 'channel_b', exitCode: 1, expect: [] })
    const found: string[] = []
    for (const [name, path] of [
      ['decision', links.execution(attempts[1]!, 'cause', { decision: 'open' })],
      [
        'decision with changes',
        links.execution(attempts[1]!, 'cause', {
          decision: 'open',
          if: 'channel:unmonitored,pattern 0:found,odd',
          policy: 'legacy-promote-all',
        }),
      ],
      ['decision with a badge', links.execution(id, 'cause', { decision: 'open' })],
      ['attempts', links.execution(attempts[1]!, 'calls')],
    ] as const) {
      await page.goto(path)
      await settled(page)
      if (name.startsWith('decision')) await page.getByRole('button', { name: /^Dead-end guard/ }).click()
      found.push(...(await check(page, name)))
    }
    expect(found).toEqual([])
  })

  test('chains of receipts, whole and broken, with an open receipt and without, keep the rules', async ({
    page,
    request,
  }) => {
    test.setTimeout(120_000)
    const { id, chainId } = await richChain(request)
    const found: string[] = []
    for (const [name, path] of [
      ['receipts', links.execution(id, 'receipts')],
      ['chain', links.chain(chainId)],
      ['chain that is waited for', links.chain('no/such')],
    ] as const) {
      await page.goto(path)
      if (!name.endsWith('for')) await expect(page.getByText('Broken at receipt 7').first()).toBeVisible()
      found.push(...(await check(page, name)))
    }
    await page.goto(links.execution(id, 'receipts'))
    await page.getByRole('button', { name: /^Receipt 6/ }).click()
    await expect(
      page.getByRole('complementary', { name: 'Receipt 6' }).getByLabel('Text of the receipt'),
    ).toBeVisible()
    found.push(...(await check(page, 'a receipt')))
    await page.goto(links.settings('keys'))
    await page.getByRole('button', { name: 'Add public key' }).click()
    await expect(page.getByRole('dialog', { name: 'Add public key' })).toBeVisible()
    found.push(...(await check(page, 'add a public key')))
    expect(found).toEqual([])
  })

  test('the sign-in page keeps the rules', async ({ page }) => {
    await page.context().clearCookies()
    await page.goto(links.signIn())
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(await check(page, 'sign-in')).toEqual([])
  })
})

test('a planted mistake is found, in either theme and at either size', async ({ page }) => {
  await page.goto(links.settings('sources'))
  await settled(page)
  expect(await check(page, 'sources')).toEqual([])
  await page.evaluate(() => {
    document
      .querySelector('main')!
      .insertAdjacentHTML(
        'beforeend',
        '<img id="unnamed" src="/icon.svg"><p id="dim">Hardly to be read</p><p id="broad">Broad</p>',
      )
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`
      #dim { background: white; color: black }
      @media (prefers-color-scheme: dark) { #dim { color: #eee } }
      @media (prefers-color-scheme: light) { #unnamed { display: none } }
      @media (max-width: 400px) { #broad { width: 500px } }`)
    document.adoptedStyleSheets.push(sheet)
  })
  // A picture that only is in the dark: there every rule is tried again.
  expect(
    (await check(page, 'sources')).map((fault) => /^.*(?:sideways|: [\w-]+(?=:))/.exec(fault)?.[0]),
  ).toEqual([
    'sources, 1440 dark: color-contrast',
    'sources, 1440 dark: image-alt',
    'sources, 390 dark: color-contrast',
    'sources, 390 dark: image-alt',
    'sources, 390: scrolls sideways',
  ])
})

ownTest('the first-run screens keep the rules', async ({ browser, own }) => {
  ownTest.setTimeout(120_000)
  const inquest = await own.start()
  const found: string[] = []
  const context = await browser.newContext({ baseURL: inquest.url, viewport: WIDE })
  const page = await context.newPage()
  await page.goto(inquest.link)
  found.push(...(await check(page, 'first admin')))
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill('ada@example.test')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'No data yet' })).toBeVisible()
  found.push(...(await check(page, 'three ways in')))
  await page.goto(links.executions())
  found.push(...(await check(page, 'empty list')))
  await page.goto(links.policies())
  await expect(page.getByRole('heading', { name: 'Nothing recorded yet' })).toBeVisible()
  await expect(page.getByText('bin/inquest.cjs record', { exact: false })).toBeVisible()
  found.push(...(await check(page, 'policies of nothing')))
  await context.close()
  expect(found).toEqual([])
})
