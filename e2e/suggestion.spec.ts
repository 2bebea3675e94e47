import { links } from '../lib/links'
import { CART_PATCH, FACTS, PLAIN_PATCH, failedExecution, propose } from './support/fixes'
import { expect, test } from './support/test'

test('a reviewer changes a line by keyboard, and it is a version of its own that somebody else decides on', async ({
  page,
  seed,
  request,
}) => {
  const execution = await failedExecution(seed)
  const first = await propose(request, execution, CART_PATCH, FACTS)
  await page.goto(links.fix(first.id))
  await expect(page.getByText('return items.reduce')).toBeVisible()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(/#file-1-old-3$/)
  await page.keyboard.press('e')
  const editor = page.getByRole('textbox', { name: 'Lines of the new file' })
  await expect(editor).toBeFocused()
  await expect(editor).toHaveValue(
    '  const sum = items.reduce((all, item) => all + item.price, 0)\n  return Math.round(sum * 100) / 100',
  )
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.type('  return inCents(sum)\n  // to the nearest one')
  // Lines, the mark that takes them out, then the reason.
  for (const _step of [1, 2]) await page.keyboard.press('Tab')
  await expect(page.getByLabel('Why is this better?')).toBeFocused()
  await page.keyboard.type('The helper is there already.')
  await page.keyboard.press('Control+Enter')

  await expect(page).not.toHaveURL(new RegExp(first.id))
  await expect(page.getByRole('heading', { level: 1, name: FACTS.title! })).toBeVisible()
  await expect(page.getByText('You proposed this fix. Someone else must review it.')).toBeVisible()
  await expect(page.getByText('return inCents(sum)')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Changes' })).toContainText(
    'Why line 3 (proposer): The helper is there already.',
  )
  await expect(page.getByRole('region', { name: 'Evidence' })).toContainText('not run')
  const id = /fixes\/([0-9a-f-]{36})/.exec(page.url())![1]!
  const bytes = (await (await request.get(links.fixPatch(id))).body()).toString()
  expect(bytes).toBe(
    CART_PATCH.replace(
      '  return Math.round(sum * 100) / 100',
      '  return inCents(sum)\n+  // to the nearest one',
    )
      .replace('+1,8 @@', '+1,9 @@')
      .replace('+41,3 @@', '+42,3 @@'),
  )
  await page.goto(links.fix(first.id))
  await expect(page.getByRole('link', { name: 'Replaced by a newer version' })).toBeVisible()
  expect((await (await request.get(links.fixPatch(first.id))).body()).toString()).toBe(CART_PATCH)
})

test('lines are chosen by pulling over them or with Shift, and changed or commented on from there', async ({
  page,
  seed,
  request,
}) => {
  const execution = await failedExecution(seed)
  const fix = await propose(request, execution, CART_PATCH, { task: 'test' })
  await page.goto(links.fix(fix.id))
  const line = (n: number) => page.getByRole('button', { name: `Line ${n} of the new file src/cart.ts` })
  await line(3).hover()
  await page.mouse.down()
  await line(6).hover()
  await line(5).hover()
  await page.mouse.up()
  await expect(page).toHaveURL(/#file-1-new-3-5$/)
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  const editor = page.getByRole('textbox', { name: 'Lines of the new file' })
  await expect(editor).toHaveValue(/^ {2}const sum = .*\n {2}return Math.*\n\}$/)
  await expect(page.getByRole('button', { name: 'Propose this version' })).toHaveAttribute(
    'title',
    'Edit the lines first',
  )
  // What cannot be seen is told before it is sent.
  await editor.fill('a\u202eb')
  await expect(page.getByText('With invisible characters:')).toContainText('a⟨U+202E⟩b')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await line(2).click()
  await line(4).click({ modifiers: ['Shift'] })
  await expect(page).toHaveURL(/#file-1-new-2-4$/)
  await page.getByRole('button', { name: 'Comment on lines' }).click()
  await page.keyboard.type('These three belong together.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Thread on lines 2 to 4 of the new file' })).toContainText(
    'These three belong together.',
  )
})

test('what cannot be changed says so, and a change of what somebody decided on meanwhile keeps what was written', async ({
  page,
  seed,
  request,
}) => {
  const execution = await failedExecution(seed)
  const fix = await propose(request, execution, PLAIN_PATCH, { task: 'test' })
  await page.route('**/api/v1/live', (route) => route.abort())
  await page.goto(`${links.fix(fix.id)}#file-1-new-4`)
  await expect(page.getByText('return round(')).toBeVisible()
  await page.keyboard.press('e')
  const editor = page.getByRole('textbox', { name: 'Lines of the new file' })
  await editor.fill('  })')
  await page.getByLabel('Why is this better?').fill('It closes the call.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Changes' }).getByRole('alert')).toContainText(
    'git needs the unchanged line at the end of the hunk',
  )
  const { id, sha256, version } = fix
  const other = await page.request.post(links.api.ofFix(id, 'reviews'), {
    data: { version, sha256, to: 'rejected', comment: 'No.' },
    headers: { origin: new URL(page.url()).origin },
  })
  expect(other.status()).toBe(200)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Changes' }).getByRole('alert')).toContainText(
    'The fix was changed to “rejected”',
  )
  await expect(editor).toHaveValue('  })')
})
