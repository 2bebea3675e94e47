import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fixProvenance } from '../lib/api/fix-schemas'
import { links } from '../lib/links'
import { CART_PATCH, FACTS, PLAIN_PATCH, failedExecution, propose } from './support/fixes'
import { type Person, redeemLink } from './support/people'
import { expect, server, someoneElse, test } from './support/test'

test('a reviewer gets from a link to a decision about exact bytes without leaving the keyboard', async ({
  page,
  seed,
  request,
}) => {
  const execution = await failedExecution(seed)
  const first = await propose(request, execution, CART_PATCH, FACTS, '{"type":"request"}\n')

  await page.goto(links.execution(execution))
  await expect(page.getByRole('link', { name: 'Fixes 1' })).toBeVisible()
  await page.keyboard.press('7')
  await expect(page.getByRole('list', { name: 'Fixes' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('link', { name: FACTS.title! })).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(page.getByRole('region', { name: 'What failed' })).toContainText('expected 19.98 to be 19.99')
  await expect(page.getByRole('region', { name: 'Evidence' })).toContainText(
    'reproduced and fixed verified by the proposer only',
  )
  await expect(page.getByRole('region', { name: 'Budget' })).toContainText('41 s limit not reported')
  await expect(page.getByText('return items.reduce')).toBeVisible()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(/#file-1-old-3$/)
  await page.keyboard.press('c')
  const form = page.getByRole('form', { name: 'Comment on lines' })
  await expect(form.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('Why not cents as whole numbers?')
  await page.keyboard.press('Control+Enter')
  const thread = page.getByRole('region', { name: 'Thread on line 3 of the old file' })
  await expect(thread).toContainText('Why not cents as whole numbers?')

  await page.keyboard.press('J')
  await expect(page).toHaveURL(/#file-2$/)
  await page.keyboard.press('V')
  await expect(page.getByRole('navigation', { name: 'Files' })).toContainText('1 of 4 viewed')
  await page.keyboard.press('R')
  await expect(page.getByRole('dialog', { name: 'Request changes' }).getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('The test must stay exact.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Changes requested').first()).toBeVisible()

  const second = await propose(request, execution, PLAIN_PATCH, {
    ...FACTS,
    title: 'Round once',
    supersedes: first.id,
  })
  await page.goto(links.fix(first.id))
  await page.getByRole('link', { name: 'Replaced by a newer version' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Round once' })).toBeVisible()
  await expect(page.getByText('return round(')).toBeVisible()
  await expect(page.getByText('changed since version 1')).toBeVisible()
  await expect(page.getByText('Removed since version 1')).toContainText('run.sh')
  await page.keyboard.press('A')
  const dialog = page.getByRole('dialog', { name: 'Approve this patch' })
  for (const box of await dialog.getByRole('checkbox').all()) await box.press('Space')
  await dialog.getByLabel('Reason').focus()
  await page.keyboard.type('Exact, small, and seen to work.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Approved').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Provenance' })).toContainText(
    'Exact, small, and seen to work.',
  )

  const downloading = page.waitForEvent('download')
  await page.keyboard.press('D')
  expect(readFileSync(await (await downloading).path(), 'utf8')).toBe(PLAIN_PATCH)
  const stored = await request.get(links.fixPatch(second.id))
  expect((await stored.body()).toString()).toBe(PLAIN_PATCH)
  expect(stored.headers().etag).toContain(second.sha256)
  const provenance = fixProvenance.parse(await (await request.get(links.fixProvenance(second.id))).json())
  expect(Buffer.from(provenance.patch.base64!, 'base64').toString()).toBe(PLAIN_PATCH)

  await page.goto(links.fixes({ state: 'approved' }))
  await expect(page.getByRole('list', { name: 'Fixes' })).toContainText('expected 19.98 to be 19.99')
  await expect(page.getByRole('link', { name: 'Round once' }).first()).toBeVisible()
})

test('two who decide at once: the second is told what changed, and loses nothing', async ({
  page,
  seed,
  request,
}) => {
  const execution = await failedExecution(seed)
  const fix = await propose(request, execution, PLAIN_PATCH, { task: 'test' })
  // What would bring the news by itself is held back, as when both press at the same moment.
  await page.route('**/api/v1/live', (route) => route.abort())
  await page.goto(links.fix(fix.id))
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject this fix' })
  await dialog.getByLabel('Reason').fill('It hides the failure.')
  const { id, sha256, version } = fix
  const other = await page.request.post(links.api.ofFix(id, 'reviews'), {
    data: { version, sha256, to: 'changes_requested', comment: 'First.' },
    headers: { origin: server().url },
  })
  expect(other.status(), await other.text()).toBe(200)
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('Changed by someone else')
  await expect(dialog.getByLabel('Reason')).toHaveValue('It hides the failure.')
  await dialog.getByRole('button', { name: 'Reload the fix' }).click()
  await expect(page.getByText('Changes requested').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeHidden()
})

test('a hostile patch is text: no markup, no script, no hidden direction', async ({
  page,
  seed,
  request,
}) => {
  const execution = await failedExecution(seed)
  const name = 'src/<img src=x onerror=hit()>.html'
  const lines = [
    '<script>hit()</script>',
    '<img src=x onerror="hit()">',
    'level === "user\u202e // only admins\u2066"',
    '\u001b[31mred\u001b[0m',
    'zero\u200bwidth\r',
    '${hit()} {{hit()}} javascript:hit()',
  ]
  const head = Buffer.from(
    `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${lines.length + 1} @@ <b onclick=hit()>heading</b>\n`,
  )
  const patch = Buffer.concat([
    head,
    ...lines.map((line) => Buffer.from(`+${line}\n`)),
    Buffer.from([0x2b, 0xff, 0xfe, 0x0a]),
  ])
  let hits = 0
  await page.exposeFunction('hit', () => hits++)
  page.on('dialog', () => hits++)
  const fix = await propose(request, execution, patch, {
    task: '"><script>hit()</script>',
    title: '<h1 onclick=hit()>title</h1>',
    explanation: '<iframe srcdoc="<script>hit()</script>">',
  })
  await page.goto(links.fix(fix.id))
  const diff = page.locator('.fix-diff')
  if (
    !(await diff
      .first()
      .isVisible()
      .catch(() => false))
  )
    await page.getByRole('navigation', { name: 'Files' }).getByRole('button').first().click()
  await expect(diff.first()).toContainText('<script>hit()</script>')
  await expect(diff.first()).toContainText('⟨U+202E⟩')
  await expect(diff.first()).toContainText('⟨U+200B⟩')
  await expect(diff.first()).toContainText('not UTF-8')
  await expect(page.getByRole('heading', { level: 3 }).filter({ hasText: name })).toBeVisible()
  const inside = page.locator('main')
  expect(await inside.locator('img, iframe, script, b, [onclick], [onerror]').count()).toBe(0)
  expect(await inside.innerText()).not.toMatch(/[\u202e\u2066\u200b\u001b]/)
  expect(hits).toBe(0)
})

test('a patch of 20,000 lines is drawn where one looks, and opens on the line that the address names', async ({
  page,
  seed,
  request,
}) => {
  const execution = await failedExecution(seed)
  const lines = Array.from({ length: 20_000 }, (_, i) => `+const line${i + 1} = ${i + 1}\n`).join('')
  const fix = await propose(
    request,
    execution,
    `diff --git a/long.ts b/long.ts\nnew file mode 100644\n--- /dev/null\n+++ b/long.ts\n@@ -0,0 +1,20000 @@\n${lines}`,
    { task: 'long' },
  )
  await page.goto(`${links.fix(fix.id)}#file-1-new-15000`)
  await expect(page.getByText('const line15000 = 15000')).toBeInViewport()
  expect(await page.locator('.fix-diff tr').count()).toBeLessThan(500)
})

test('a patch of very many files opens on any of them', async ({ page, seed, request }) => {
  const execution = await failedExecution(seed)
  const patch = Array.from(
    { length: 1_200 },
    (_, i) =>
      `diff --git a/f${i + 1}.txt b/f${i + 1}.txt\n--- a/f${i + 1}.txt\n+++ b/f${i + 1}.txt\n@@ -1 +1 @@\n-old ${i + 1}\n+new ${i + 1}\n`,
  ).join('')
  const fix = await propose(request, execution, patch, { task: 'many' })
  await page.goto(`${links.fix(fix.id)}#file-900-new-1`)
  await expect(page.getByText(/new 900$/)).toBeInViewport()
  await expect(page.getByText('File 900 of 1,200')).toBeVisible()
  await page.keyboard.press('J')
  await expect(page).toHaveURL(/#file-901$/)
  expect(await page.getByRole('navigation', { name: 'Files' }).getByRole('listitem').count()).toBeLessThan(
    100,
  )
})

test('two reviewers at once: one decides, the other is told, and the first hears of the other', async ({
  page,
  browser,
  seed,
  request,
}) => {
  const rina: Person = {
    name: 'Rina Reviewer',
    email: `rina-${randomUUID().slice(0, 8)}@example.test`,
    password: 'looks at every line',
  }
  await page.goto(links.settings('people'))
  await page.getByRole('button', { name: 'Invite person' }).click()
  const invite = page.getByRole('dialog', { name: 'Invite person' })
  await invite.getByLabel('Email').fill(rina.email)
  await invite.getByLabel('Role').selectOption('reviewer')
  await invite.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('status').filter({ hasText: rina.email }).getByRole('code').innerText()
  const other = await someoneElse(browser)
  await redeemLink(other, link, rina)

  const execution = await failedExecution(seed)
  const fix = await propose(request, execution, PLAIN_PATCH, { task: 'test' })
  await other.route('**/api/v1/live', (route) => route.abort())
  await Promise.all([page.goto(links.fix(fix.id)), other.goto(links.fix(fix.id))])
  for (const [who, what, why] of [
    [page, 'Request changes', 'Use the helper.'],
    [other, 'Reject', 'It hides the failure.'],
  ] as const) {
    await who.getByRole('button', { name: what, exact: true }).click()
    await who.getByRole('dialog').getByLabel('Reason').fill(why)
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Request changes' }).click()
  await expect(page.getByText('Changes requested').first()).toBeVisible()
  await other.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(other.getByRole('dialog').getByRole('alert')).toContainText(
    'Ada Admin decided: the fix is now “changes_requested”',
  )
  await expect(page.getByRole('status', { name: 'Late reviews' })).toContainText(
    'Rina Reviewer also tried to reject this fix',
  )
  await other.context().close()
})

test('a share link is created, listed with its downloads, and revoked', async ({ page, seed, request }) => {
  const fix = await propose(request, await failedExecution(seed), PLAIN_PATCH, { task: 'share' })
  await page.goto(links.fix(fix.id))
  const share = page.getByRole('region', { name: 'Share links' })
  await share.getByRole('heading', { name: 'Share links' }).click()
  await share.getByLabel('Expires after').selectOption('7 days')
  await share.getByRole('button', { name: 'Create link' }).click()
  const made = share.getByRole('status').filter({ hasText: 'It won’t be shown again' })
  await expect(made.getByRole('button', { name: 'Copy download link' })).toBeVisible()
  const address = await made.getByRole('code').innerText()
  expect(await (await request.get(address, { headers: { authorization: '' } })).text()).toBe(PLAIN_PATCH)
  await page.reload()
  const row = share.getByRole('listitem')
  await expect(row).toContainText('Created by Ada Admin')
  await expect(row).toContainText('1 download, last')
  await row.getByRole('button', { name: 'Revoke' }).click()
  await expect(row).toContainText('Revoked by Ada Admin')
  expect((await request.get(address)).status()).toBe(404)
})
