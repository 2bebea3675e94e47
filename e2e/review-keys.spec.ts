import type { Page } from '@playwright/test'
import { links } from '../lib/links'
import { CART_PATCH, FACTS, PLAIN_PATCH, failedExecution, propose } from './support/fixes'
import { expect, test } from './support/test'

/** Goes on with Tab until what has the focus is called so, as a person does who looks where they are. */
async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press(key)
    const at = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null
      return `${element?.getAttribute('aria-label') ?? ''} ${element?.closest('label')?.textContent ?? ''} ${element?.textContent ?? ''}`
    })
    if (name.test(at)) return
  }
  throw new Error(`Tab never came to ${name}`)
}

test('from the address of a fix to its approval, signals acknowledged, with nothing but keys', async ({
  page,
  seed,
  request,
}) => {
  const execution = await failedExecution(seed)
  const fix = await propose(request, execution, CART_PATCH, FACTS)
  const high = fix.reading.signals.filter(({ weight }) => weight === 'high').map(({ code }) => code)
  expect(high.length).toBeGreaterThan(1)
  await page.goto(links.fix(fix.id))
  await expect(page.getByText('return items.reduce')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(/#file-\d+/)
  await page.keyboard.press('A')
  const dialog = page.getByRole('dialog', { name: 'Approve this patch' })
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('Looked at each of them; the test stays close enough.')
  await page.keyboard.press('Control+Enter')
  // Not yet: the signals were not looked at.
  await expect(dialog).toBeVisible()
  for (const code of high.toReversed()) {
    await tabTo(page, new RegExp(code), 'Shift+Tab')
    await page.keyboard.press('Space')
  }
  for (const code of high) await expect(dialog.getByRole('checkbox', { name: code })).toBeChecked()
  await tabTo(page, /^ *Approve$/)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: 'Provenance' })).toContainText(
    `acknowledged ${high.toReversed().join(' ')}`,
  )
  const after = (await (await request.get(links.api.fix(fix.id))).json()) as { state: string }
  expect(after.state).toBe('approved')
})

test('split or unified, white space and words are a key or a press away, and say what they hide', async ({
  page,
  seed,
  request,
}) => {
  const execution = await failedExecution(seed)
  const fix = await propose(request, execution, CART_PATCH, { task: 'test' })
  await page.goto(links.fix(fix.id))
  const changes = page.getByRole('region', { name: 'Changes' })
  await expect(changes.locator('.diff-split').first()).toBeVisible()
  await expect(changes.locator('.diff-word').filter({ hasText: /^=+$/ }).first()).toBeVisible()
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/diff=unified/)
  await expect(changes.locator('.diff-unified').first()).toBeVisible()
  await expect(changes.locator('.diff-split')).toHaveCount(0)
  await page.keyboard.press('w')
  await expect(changes).toContainText('1 changed line differs in whitespace only and is shown as unchanged')
  await expect(changes.getByText('const limit = 10')).toHaveCount(1)
  await page.keyboard.press('w')
  await expect(changes).not.toContainText('differs in whitespace only')
  await expect(changes.getByText('const limit = 10')).toHaveCount(2)
  await page.keyboard.press('s')
  await expect(changes.locator('.diff-unified')).toHaveCount(0)
  await page.getByRole('button', { name: 'Words' }).click()
  await expect(changes.locator('.diff-word')).toHaveCount(0)
})

test('a comment on several lines is written by keyboard alone', async ({ page, seed, request }) => {
  const execution = await failedExecution(seed)
  const fix = await propose(request, execution, CART_PATCH, { task: 'test' })
  await page.goto(`${links.fix(fix.id)}#file-1-new-3`)
  await expect(page.getByText('const sum = items.reduce')).toBeVisible()
  await page.keyboard.press('c')
  await expect(page.getByRole('form', { name: 'Comment on lines' }).getByRole('textbox')).toBeFocused()
  await page.keyboard.type('Say what is rounded.')
  await tabTo(page, /^ *to *$/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Thread on lines 3 to 5 of the new file' })).toContainText(
    'Say what is rounded.',
  )
})

test('the queue is narrowed by keyboard, and is whole again', async ({ page, seed, request }) => {
  const execution = await failedExecution(seed)
  const title = `Narrowed ${execution.slice(-8)}`
  const fix = await propose(request, execution, CART_PATCH, { task: 'test', title })
  await propose(request, execution, PLAIN_PATCH, {
    task: 'test',
    title: `${title}, the second`,
    supersedes: fix.id,
  })
  await page.goto(links.fixes())
  const row = page.getByRole('link', { name: title, exact: true })
  await expect(row).toBeVisible()
  await page.keyboard.press('f')
  await expect(page.getByRole('group', { name: 'State' }).getByRole('button').first()).toBeFocused()
  if (
    !/^Superseded/.test(
      await page.getByRole('group', { name: 'State' }).getByRole('button').first().innerText(),
    )
  )
    await tabTo(page, /^ *Superseded/)
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/state=superseded/)
  await expect(page.getByRole('link', { name: `${title}, the second` })).toBeHidden()
  await expect(row).toBeVisible()
  await tabTo(page, /assertions net removed/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/signal=assertions-net-removed/)
  await expect(row).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/state=/)
  await expect(page.getByRole('link', { name: `${title}, the second` })).toBeVisible()
})

test('a patch that git refuses is read as the text that it is, and cannot be approved', async ({
  page,
  seed,
  request,
}) => {
  const execution = await failedExecution(seed)
  const cut = CART_PATCH.replace('@@ -1,7 +1,8 @@', '@@ -1,9 +1,8 @@')
  const fix = await propose(request, execution, cut, { task: 'test' })
  await page.goto(links.fix(fix.id))
  const text = page.getByRole('region', { name: 'Text of the patch' })
  await expect(text).toContainText('git can’t read this patch')
  await expect(text).toContainText('Its text is shown below, without any interpretation.')
  await expect(text.getByRole('listitem').filter({ hasText: 'diff --git a/src/cart.ts' })).toBeVisible()
  await expect(text.getByText('blocking').first()).toBeVisible()
  await page.keyboard.press('A')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveAttribute(
    'title',
    /^Blocking flag/,
  )
  await page.keyboard.press('R')
  await expect(page.getByRole('dialog', { name: 'Request changes' }).getByLabel('Reason')).toBeFocused()
})

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a fix is read in one column, changed and decided on', async ({ page, seed, request }) => {
    const execution = await failedExecution(seed)
    const fix = await propose(request, execution, PLAIN_PATCH, {
      ...FACTS,
      reasons: [{ file: 'src/cart.ts', line: 3, text: 'Rounded once, at the end.' }],
    })
    await page.goto(`${links.fix(fix.id)}#file-1-new-3`)
    await expect(page.getByText('return round(')).toBeInViewport()
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await expect(page.locator('.diff-unified').first()).toBeVisible()
    await expect(page.getByText('Rounded once, at the end.')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Columns' })).toBeHidden()
    expect(await wide()).toBe(0)
    await page.getByRole('button', { name: 'Suggest a change' }).click()
    await expect(page.getByRole('textbox', { name: 'Lines of the new file' })).toBeInViewport()
    expect(await wide()).toBe(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Request changes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Request changes' })
    await dialog.getByLabel('Reason').fill('Use the helper.')
    await dialog.getByRole('button', { name: 'Request changes' }).click()
    await expect(page.getByText('Changes requested').first()).toBeVisible()
    await page.goto(links.fixes())
    await expect(page.getByRole('list', { name: 'Fixes' })).toBeVisible()
    expect(await wide()).toBe(0)
  })
})
