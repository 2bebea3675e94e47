import { links } from '../lib/links'
import { pageFaults } from './support/check-page'
import { expect, test } from './support/test'

const BEFORE = 'export const total = (items) =>\n\titems.reduce((sum, item) => sum + item.price, 0)\n'

test('what the agent changed after the failure stands below the proposals, and is no proposal', async ({
  page,
  seed,
}) => {
  const hostile = '/srv/shop/src/<img src=x onerror=alert(1)>\u202e.js'
  const edit = (filePath: string, lines: string[]) => ({
    filePath,
    oldString: 'item.price',
    newString: 'item.price * item.count',
    originalFile: BEFORE,
    userModified: false,
    replaceAll: false,
    structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines }],
  })
  const lines = [
    ' export const total = (items) =>',
    '-  items.reduce((sum, item) => sum + item.price, 0)',
    '+  items.reduce((sum, item) => sum + item.price * item.count, 0)',
  ]
  const transcript = seed
    .transcript()
    .user('make the tests pass')
    .call(
      'Write',
      {},
      {
        toolResult: {
          type: 'create',
          filePath: '/srv/shop/notes.md',
          content: 'look at the cart\n',
          structuredPatch: [],
          originalFile: null,
        },
      },
    )
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\nexpected 19.98 to be 19.99' })
    .call('Edit', {}, { toolResult: edit('/srv/shop/src/cart.js', lines) })
    .call('Edit', {}, { toolResult: edit(hostile, ['-nothing of it', '+<script>alert(1)</script>']) })
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\nexpected 19.98 to be 19.99' })
  const id = await seed.execution(transcript)
  await page.goto(links.execution(id, 'fixes'))
  await expect(page.getByRole('heading', { name: 'No fixes' })).toBeVisible()
  const changes = page.getByRole('region', { name: 'What the agent changed' })
  await expect(changes).toContainText('These are not proposed fixes')
  const rows = changes.getByRole('list', { name: 'Changes of the agent' }).locator('> li')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText('before the first failure')
  await expect(rows.nth(1)).toContainText('after the first failure')
  await expect(rows.nth(2)).toContainText('does not match its file')

  await rows.nth(1).getByRole('button', { name: 'src/cart.js' }).click()
  await expect(rows.nth(1)).toContainText('The recorder wrote tabs as spaces')
  await expect(rows.nth(1).locator('.fix-diff')).toContainText('item.price * item.count')
  await expect(
    rows.nth(1).getByRole('button', {
      name: 'Copy as a patch assembled by Inquest from the transcript (not a proposed fix)',
    }),
  ).toBeVisible()
  await rows
    .nth(2)
    .getByRole('button', { name: /onerror/ })
    .click()
  await expect(rows.nth(2).locator('.fix-diff')).toContainText('<script>alert(1)</script>')
  await expect(rows.nth(2).getByRole('button', { name: /^Copy as a patch/ })).toHaveCount(0)
  await expect(changes.locator('img, script')).toHaveCount(0)
  expect(await pageFaults(page, { within: 'main' })).toEqual([])

  await rows.nth(1).getByRole('link', { name: 'Edit, call 3' }).click()
  await expect(page).toHaveURL(/view=calls/)
  expect(await page.evaluate(() => 'alerted' in window)).toBe(false)
})
