import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { makeRepository, numbered } from '../db/testing/repository'
import { links } from '../lib/links'
import { failedExecution, propose } from './support/fixes'
import { expect, server, test } from './support/test'

test('a reviewer sees that a patch fits, that its branch has moved, and then which hunk does not fit any more', async ({
  page,
  seed,
  request,
}) => {
  const name = `shop-${randomUUID().slice(0, 8)}`
  const shop = makeRepository(join(server().mirrors, name))
  for (const file of ['a.txt', 'b.txt']) shop.put(file, numbered(60))
  const commit = shop.commit()
  shop.put('a.txt', numbered(60, { 5: 'five' }))
  shop.put('b.txt', numbered(60, { 10: 'ten', 50: 'fifty' }))
  const patch = shop.patch()
  const execution = await failedExecution(seed)
  const base = {
    repository: name,
    commit,
    tree: null,
    branch: 'main',
    dirty: false,
    dirtyDigest: null,
    subDir: null,
  }
  const before = await propose(request, execution, patch, { task: 'before', base })
  const fit = page.getByRole('region', { name: 'Does it still apply?' })
  await page.goto(links.fix(before.id))
  await expect(fit).toContainText('not checked')
  await expect(fit).toContainText('This repository has no mirror')

  await page.goto(links.settings('sources'))
  await page.getByRole('button', { name: 'Add mirror' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add mirror' })
  await dialog.getByLabel('Repository').fill(name)
  await dialog.getByLabel('Path').fill('../mirrors')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toContainText('It is outside the folder for mirrors set by the operator')
  await dialog.getByLabel('Path').fill(name)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('Ready')

  const fix = await propose(request, execution, patch, { task: 'test', base })
  await page.goto(links.fix(before.id))
  await expect(fit).toContainText('Branch main')
  await page.goto(links.fix(fix.id))
  await expect(fit).toContainText('Does it still apply? fits')
  await expect(fit).toContainText('Nothing was applied.')
  shop.put('b.txt', numbered(60, { 50: 'FIFTY' }))
  shop.commit()
  await page.reload()
  await expect(fit).toContainText('The branch main has moved since')
  await fit.getByRole('button', { name: 'Check again' }).click()
  await expect(fit).toContainText('does not fit')
  await expect(fit).not.toContainText('has moved since')
  await expect(fit).toContainText('patch failed: b.txt:47')
  await fit.getByRole('button', { name: 'b.txt, hunk 2' }).click()
  await expect(page).toHaveURL(/#file-2-old-50$/)
  await expect(page.getByText(/fifty$/)).toBeInViewport()
  expect(shop.git('status', '--porcelain')).toBe('')
})
