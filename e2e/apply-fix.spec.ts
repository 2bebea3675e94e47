import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRepository, numbered } from '../db/testing/repository'
import { links } from '../lib/links'
import { runCli } from './support/cli'
import { failedExecution, propose } from './support/fixes'
import { makeFolder } from './support/folder'
import { expect, server, test } from './support/test'

const folder = makeFolder()
test.afterAll(() => folder.remove())

test('a patch goes from a proposal over a request for changes and an approval into a person’s own repository, byte for byte', async ({
  page,
  seed,
  request,
}) => {
  const shop = makeRepository(join(folder.path, 'shop'))
  shop.put('src/cart.ts', numbered(20).replaceAll('\n', '\r\n'))
  shop.put('gone.txt', 'gone\n')
  const commit = shop.commit()
  const patchOf = (line: string): Buffer => {
    shop.put('src/cart.ts', numbered(20, { 7: line }).replaceAll('\n', '\r\n'))
    shop.put('new é.txt', Buffer.from([0x66, 0xff, 0x0a, 0x67]))
    shop.git('rm', '-q', 'gone.txt')
    return shop.patch()
  }
  const [first, second] = [patchOf('seven'), patchOf('SEVEN')]
  const execution = await failedExecution(seed)
  const base = {
    repository: null,
    commit,
    tree: null,
    branch: 'main',
    dirty: false,
    dirtyDigest: null,
    subDir: null,
  }
  const before = await propose(request, execution, first, { task: 'test', base })

  await page.goto(links.fix(before.id))
  await page.getByRole('button', { name: 'Request changes', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('In capitals.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Changes requested').first()).toBeVisible()
  const fix = await propose(request, execution, second, { task: 'test', base, supersedes: before.id })
  const inShop = (...args: string[]) => runCli(['fix', ...args], server().stateDir, undefined, shop.path)
  const refused = await inShop('apply', before.id)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('This fix is superseded')])

  await page.goto(links.fix(fix.id))
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve this patch' })
  for (const box of await dialog.getByRole('checkbox').all()) await box.check()
  await dialog.getByLabel('Reason').fill('Good.')
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(page.getByText('Approved').first()).toBeVisible()

  const file = join(folder.path, 'got.patch')
  const got = await inShop('get', fix.id, '--output', file)
  expect([
    got.code,
    got.err,
    readFileSync(file).equals(second),
    createHash('sha256').update(readFileSync(file)).digest('hex'),
  ]).toEqual([0, '', true, fix.sha256])
  const applied = await inShop('apply', fix.id)
  expect([applied.code, applied.out]).toEqual([0, expect.stringMatching(/^applied: 3 files/)])
  expect(shop.git('status', '--porcelain', '-z').split('\0').filter(Boolean).sort()).toEqual([
    'A  new é.txt',
    'D  gone.txt',
    'M  src/cart.ts',
  ])
  expect(readFileSync(join(shop.path, 'src/cart.ts'), 'utf8')).toBe(
    numbered(20, { 7: 'SEVEN' }).replaceAll('\n', '\r\n'),
  )
  expect([...readFileSync(join(shop.path, 'new é.txt'))]).toEqual([0x66, 0xff, 0x0a, 0x67])
  const made = shop.commit()
  expect((await inShop('apply', fix.id)).out).toMatch(/^already applied/)

  await page.getByRole('button', { name: 'Report as applied', exact: true }).click()
  const report = page.getByRole('dialog')
  await report.getByLabel('How').selectOption('inquest fix apply')
  await report.getByLabel('Commit, if known').fill(made)
  await report.getByRole('button', { name: 'Report as applied', exact: true }).click()
  await expect(page.getByText('Applied').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Provenance' })).toContainText(made)
  expect((await inShop('get', fix.id, '--output', '-')).code).toBe(0)
})
