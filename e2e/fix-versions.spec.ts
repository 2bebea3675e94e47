import type { Page } from '@playwright/test'
import { makeRepository, numbered } from '../db/testing/repository'
import type { NewComment } from '../lib/api/fix-schemas'
import { links } from '../lib/links'
import { axeViolations } from './support/check-page'
import { FACTS, failedExecution, propose } from './support/fixes'
import { expect, server, test } from './support/test'
import type { FixItem } from '../lib/model/fix'

/** Says something of a fix, or decides on it, as the person who is signed in. */
async function post(
  page: Page,
  { id, sha256, version }: FixItem,
  what: 'comments' | 'reviews',
  data: object,
): Promise<void> {
  const answer = await page.request.post(links.api.ofFix(id, what), {
    data: { sha256, ...(what === 'reviews' && { version }), ...data },
    headers: { origin: server().url },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}
const comment = (page: Page, fix: FixItem, data: Partial<NewComment>): Promise<void> =>
  post(page, fix, 'comments', data)

/** Two versions of a patch of three files, as git makes them; the third file is only in the first one, the fourth only in the second. */
function twoVersions(folder: string): { first: Buffer; second: Buffer } {
  const shop = makeRepository(folder)
  for (const file of ['cart.ts', 'same.ts', 'first.ts', 'second.ts']) shop.put(file, numbered(60))
  shop.commit()
  const version = (cart: Record<number, string>, only: string): Buffer => {
    shop.put('cart.ts', numbered(60, cart))
    shop.put('same.ts', numbered(60, { 9: 'nine' }))
    shop.put(only, numbered(60, { 20: 'twenty' }))
    return shop.patch()
  }
  return {
    first: version({ 5: 'five', 30: 'thirty', 50: 'fifty' }, 'first.ts'),
    second: version({ 2: 'two', 5: 'five', 30: 'THIRTY', 50: 'fifty' }, 'second.ts'),
  }
}

/** Every line that is drawn as changed, with its sign. */
const changedLines = (page: Page): Promise<string[]> =>
  page
    .locator('.fix-diff td.diff-code')
    .filter({ has: page.locator('[data-sign="+"], [data-sign="-"]') })
    .evaluateAll((cells) =>
      cells.map(
        (cell) =>
          `${cell.querySelector('[data-sign]')!.getAttribute('data-sign')}${cell.textContent!.replace(/^(?:added|deleted): /, '')}`,
      ),
    )

test('what was asked for on a version is seen on the next one, at its line where that is kept, and what changed since is shown line by line', async ({
  page,
  seed,
  request,
  folder,
}) => {
  const { first: one, second: two } = twoVersions(folder.path)
  const execution = await failedExecution(seed)
  const first = await propose(request, execution, one, FACTS)
  await comment(page, first, { text: 'Keep this one.', file: 0, side: 'new', lineStart: 50 })
  await comment(page, first, { text: 'In capitals, please.', file: 0, side: 'new', lineStart: 30 })
  await comment(page, first, { text: 'Not in this file.', file: 1 })
  await comment(page, first, { text: 'Small is good.' })
  await post(page, first, 'reviews', { to: 'changes_requested', comment: 'Line 30 shouts too little.' })
  const second = await propose(request, execution, two, { ...FACTS, title: 'Shout', supersedes: first.id })

  await page.goto(links.fix(second.id))
  await expect(page.getByRole('link', { name: '4 requests of version 1 unresolved' })).toBeVisible()
  const earlier = page.getByRole('region', { name: 'On earlier versions' })
  await expect(earlier).toContainText('asked for changes of version 1')
  await expect(earlier).toContainText('Line 30 shouts too little.')
  await expect(earlier).toContainText('Small is good.')
  const outdated = earlier.getByRole('region', { name: 'Thread on line 30 of the new file, from version 1' })
  await expect(outdated).toContainText('outdated')
  await expect(outdated.getByRole('blockquote')).toContainText('thirty')
  await expect(outdated.getByRole('link', { name: 'on version 1' })).toHaveAttribute(
    'href',
    links.fix(first.id, { place: { file: 0, lines: { side: 'new', start: 30, end: 30 } } }),
  )
  await expect(earlier.getByRole('region').filter({ hasText: 'Not in this file.' })).toContainText('outdated')
  await expect(earlier).toContainText('line kept: line 50 of the new file, cart.ts')
  await earlier.getByRole('button', { name: 'line 50 of the new file, cart.ts' }).press('Enter')
  const kept = page
    .getByRole('region', { name: 'Changes', exact: true })
    .getByRole('region', { name: 'Thread on line 50 of the new file, from version 1' })
  await expect(kept).toBeInViewport()
  await expect(kept).toContainText('Keep this one.')
  await expect(kept).toContainText('on version 1, line kept')

  await kept.getByRole('button', { name: 'Resolve' }).click()
  await expect(kept).toContainText('Resolved by')
  await expect(page.getByRole('link', { name: '3 requests of version 1 unresolved' })).toBeVisible()
  await outdated.getByRole('button', { name: 'Reply' }).click()
  await page.keyboard.type('It shouts now.')
  await page.keyboard.press('Control+Enter')
  await expect(outdated).toContainText('It shouts now.')

  await page.keyboard.press('=')
  await expect(page).toHaveURL(/\?since=1/)
  const since = page.getByRole('region', { name: 'Changes since version 1' })
  await expect(since).toContainText('1 file is the same in both.')
  await expect(since.getByRole('heading', { level: 3 })).toHaveText(['cart.ts', 'second.ts', 'first.ts'])
  await expect(since).toContainText('Version 2 doesn’t change this file.')
  await expect(since).not.toContainText('lines may have moved')
  await expect
    .poll(() => changedLines(page))
    .toEqual(['-2', '+two', '-thirty', '+THIRTY', '-20', '+twenty', '-twenty', '+20'])
  await expect(
    since.getByRole('region', {
      name: 'Thread on line 30 of the new file, from version 1, next to the changes',
    }),
  ).toContainText('It shouts now.')
  await page.keyboard.press('J')
  await expect(page).toHaveURL(/#file-3$/)
  // What others write meanwhile is read, and leaves the reader at the same file.
  const reread = page.waitForResponse(
    (answer) => answer.request().method() === 'GET' && answer.url().endsWith(links.api.fix(second.id)),
  )
  await comment(page, second, { text: 'Read meanwhile.' })
  await (await reread).finished()
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await page.keyboard.press('K')
  await expect(page).toHaveURL(/#file-1$/)
  await page.keyboard.press('j')
  await expect(page.getByText('−1,5 after version 1, +1,5 after version 2')).toBeFocused()
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await expect(since).toBeVisible()
  await page.keyboard.press('=')
  await expect(page).not.toHaveURL(/since/)
  await expect(page.getByRole('button', { name: 'All changes' })).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => changedLines(page)).toContain('+five')
  expect(await axeViolations(page)).toEqual([])
})

test('any earlier version can be compared with, another base is told, and a version that is none is told, too', async ({
  page,
  seed,
  request,
  folder,
}) => {
  const { first: one, second: two } = twoVersions(folder.path)
  const execution = await failedExecution(seed)
  const first = await propose(request, execution, one, {
    ...FACTS,
    base: { ...FACTS.base!, commit: 'fedcba9876543210' },
  })
  const second = await propose(request, execution, two, { ...FACTS, supersedes: first.id })
  const third = await propose(request, execution, Buffer.concat([two, Buffer.from('\n')]), {
    ...FACTS,
    supersedes: second.id,
  })
  await page.goto(links.fix(third.id, { since: 2 }))
  await expect(page.getByRole('region', { name: 'Changes since version 2' })).toContainText(
    'Both versions produce the same files.',
  )
  await page.getByLabel('Since which version').selectOption('version 1')
  const since = page.getByRole('region', { name: 'Changes since version 1' })
  await expect(since).toContainText('Version 1 has a different base, so moved lines show as changed')
  await since.getByRole('button', { name: 'In all changes' }).first().click()
  await expect(page).toHaveURL(/\/fixes\/[^?]+#file-1$/)
  await expect(page.getByRole('region', { name: 'Changes', exact: true })).toBeVisible()
  await page.goto(`${links.fix(third.id)}?since=9`)
  await expect(page.getByText('No earlier version 9: all changes are shown.')).toBeVisible()
})

test('versions of very many files are compared whole', async ({ page, seed, request }) => {
  const patch = (word: string, files: number): string =>
    Array.from(
      { length: files },
      (_, i) =>
        `diff --git a/f${i + 1}.txt b/f${i + 1}.txt\n--- a/f${i + 1}.txt\n+++ b/f${i + 1}.txt\n@@ -1 +1 @@\n-old ${i + 1}\n+${i === 600 ? word : 'new'} ${i + 1}\n`,
    ).join('')
  const execution = await failedExecution(seed)
  const first = await propose(request, execution, patch('new', 702), { task: 'many' })
  const second = await propose(request, execution, patch('other', 701), {
    task: 'many',
    supersedes: first.id,
  })
  await page.goto(links.fix(second.id))
  await expect(page.getByText('Removed since version 1: f702.txt')).toBeVisible()
  await page.goto(`${links.fix(second.id)}#file-601`)
  await expect(page.locator('#file-601')).toContainText('changed since version 1')
  await page.goto(links.fix(second.id, { since: 1 }))
  await expect.poll(() => changedLines(page)).toEqual(['-new 601', '+other 601', '-new 702', '+old 702'])
  await page.keyboard.press('J')
  await page.keyboard.press('J')
  await expect(page.getByText(/old 702$/)).toBeInViewport()
})

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('changes since a version are read in one column', async ({ page, seed, request, folder }) => {
    const { first: one, second: two } = twoVersions(folder.path)
    const execution = await failedExecution(seed)
    const first = await propose(request, execution, one, FACTS)
    await comment(page, first, { text: 'In capitals, please.', file: 0, side: 'new', lineStart: 30 })
    const second = await propose(request, execution, two, { ...FACTS, supersedes: first.id })
    await page.goto(links.fix(second.id))
    await expect(page.getByRole('blockquote')).toContainText('thirty')
    await page.getByRole('button', { name: 'Since version 1' }).click()
    await expect.poll(() => changedLines(page)).toContain('+THIRTY')
    await expect(page.locator('.fix-diff').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await axeViolations(page)).toEqual([])
  })
})
