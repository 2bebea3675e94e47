import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { links } from '../lib/links'
import { admin, type Person, redeemLink, signIn } from './support/people'
import { expect, server, someoneElse, test } from './support/test'

const ingest = (request: APIRequestContext, token: string, body: string) =>
  request.post(links.api.ingest('claude-transcript'), {
    data: Buffer.from(body),
    headers: { authorization: `Bearer ${token}` },
  })

test('a viewer who was invited by link reads, and is told why the rest is not theirs', async ({
  page,
  browser,
  seed,
}) => {
  const viewer: Person = {
    name: 'Vera Viewer',
    email: `vera-${randomUUID().slice(0, 8)}@example.test`,
    password: 'only looking around',
  }
  await page.goto(links.settings('people'))
  await page.getByRole('button', { name: 'Invite person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite person' })
  await dialog.getByLabel('Email').fill(viewer.email)
  await dialog.getByLabel('Role').selectOption('viewer')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('status').filter({ hasText: viewer.email }).getByRole('code').innerText()
  await expect(page.getByRole('listitem').filter({ hasText: viewer.email })).toContainText('invited')
  await expect(page.getByLabel(`Role of ${admin.name}`)).toHaveValue('admin')
  await expect(page.getByLabel(`Role of ${admin.name}`)).toBeDisabled()

  const id = await seed.execution(
    seed.transcript().user('Go').call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' }),
  )
  const other = await someoneElse(browser)
  await redeemLink(other, link, viewer)
  await other.goto(links.execution(id))
  await expect(other.getByRole('region', { name: 'Cause' })).toContainText('broken')
  await other.goto(links.settings('keys'))
  await expect(
    other.getByText('Only admins of the project can see and create keys', { exact: false }),
  ).toBeVisible()
  await expect(other.getByRole('button', { name: 'Create key' })).toHaveCount(0)
  await other.goto(links.settings('people'))
  await expect(
    other.getByText('Only admins of the project can see and invite people', { exact: false }),
  ).toBeVisible()
  await expect(other.getByText(admin.email)).toHaveCount(0)
  await other.goto(links.settings('sources'))
  await expect(other.getByText('Only admins can change sources.')).toBeVisible()

  const headers = { origin: server().url }
  for (const [what, answer] of [
    ['list keys', await other.request.get(links.api.keys())],
    [
      'make a key',
      await other.request.post(links.api.keys(), { headers, data: { name: 'mine', scopes: ['ingest'] } }),
    ],
    ['list people', await other.request.get(links.api.people())],
    [
      'invite',
      await other.request.post(links.api.people(), {
        headers,
        data: { email: 'x@example.test', role: 'admin' },
      }),
    ],
    [
      'send',
      await other.request.post(links.api.ingest('claude-transcript'), {
        headers,
        data: Buffer.from(seed.transcript().user('x').text),
      }),
    ],
  ] as const) {
    expect({ what, status: answer.status(), type: answer.headers()['content-type'] }).toEqual({
      what,
      status: 403,
      type: expect.stringContaining('application/problem+json'),
    })
  }
  expect((await other.request.get(links.api.executions())).status()).toBe(200)

  // Removed, they are out at once.
  await page.goto(links.settings('people'))
  await page
    .getByRole('listitem')
    .filter({ hasText: viewer.email })
    .getByRole('button', { name: 'Remove' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: viewer.email })).toHaveCount(0)
  expect((await other.request.get(links.api.executions())).status()).toBe(401)
  await other.context().close()
})

test('signed out, every address leads to the sign-in page and back', async ({ browser, seed }) => {
  const id = await seed.execution(
    seed.transcript().user('Go').call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' }),
  )
  const page = await someoneElse(browser)
  await page.goto(links.execution(id, 'calls'))
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('broken')).toHaveCount(0)
  await signIn(page, admin)
  await expect(page).toHaveURL(new RegExp(`/executions/${id}\\?view=calls$`))
  await expect(page.getByRole('heading', { name: 'Retry chains' })).toBeVisible()
  await page.context().close()
})

test('the sign-in page sends nobody to another site', async ({ browser }) => {
  const page = await someoneElse(browser)
  await page.goto('/sign-in?next=https%3A%2F%2Fexample.com%2F')
  await signIn(page, admin)
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()
  expect(new URL(page.url()).origin).toBe(server().url)
  await page.context().close()
})

test('a key is shown once, lets a program send, and is refused once it is revoked', async ({
  page,
  playwright,
  seed,
}) => {
  const name = `ci-${randomUUID().slice(0, 8)}`
  await page.goto(links.settings('keys'))
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create key' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  const key = await page.getByRole('status').filter({ hasText: name }).getByRole('code').innerText()
  await page.reload()
  await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  await expect(page.getByText(key)).toHaveCount(0)

  const program = await playwright.request.newContext({
    baseURL: server().url,
    storageState: { cookies: [], origins: [] },
  })
  expect((await ingest(program, key, seed.transcript().user('Sent by a program').text)).status()).toBe(200)
  // It was made for sending only.
  expect(
    (await program.get(links.api.executions(), { headers: { authorization: `Bearer ${key}` } })).status(),
  ).toBe(403)
  expect(
    (
      await ingest(
        program,
        `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`,
        seed.transcript().user('x').text,
      )
    ).status(),
  ).toBe(401)

  await page.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog', { name: 'Revoke this key?' }).getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: name })).toHaveCount(0)
  expect((await ingest(program, key, seed.transcript().user('Too late').text)).status()).toBe(401)
  await program.dispose()
})

test('another site cannot act with a session that is open here', async ({ page }) => {
  const made = { name: 'stolen', scopes: ['ingest'] }
  const post = (headers: Record<string, string>) =>
    page.request.post(links.api.keys(), { headers, data: made })
  expect((await post({ origin: 'https://evil.example' })).status()).toBe(403)
  expect((await post({ origin: `${server().url.replace(/\d+$/, '')}1` })).status()).toBe(403)
  expect((await post({})).status()).toBe(403)
  await page.goto(links.settings('keys'))
  await expect(page.getByText('stolen')).toHaveCount(0)
})

test('a source that holds anything says so beside the button that cannot remove it; an empty one is removed', async ({
  page,
  seed,
}) => {
  const [full, empty] = ['full', 'empty'].map((what) => `${what}-${randomUUID().slice(0, 8)}`)
  await seed.send(seed.transcript().user('Go').says('Done.'), 'claude-transcript', {
    'inquest-source': full!,
  })
  await page.goto(links.settings('sources'))
  await page.getByRole('button', { name: 'Add source' }).click()
  await page.getByLabel('Name').fill(empty!)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const rowOf = (name: string | undefined) => page.getByRole('listitem').filter({ hasText: name })
  const remove = rowOf(full).getByRole('button', { name: 'Remove' })
  await expect(rowOf(full)).toContainText('1 execution')
  await expect(remove).toBeDisabled()
  await expect(remove).toHaveAttribute('title', 'A source with received data cannot be removed.')
  await expect(rowOf(empty)).toContainText('No data')
  await rowOf(empty).getByRole('button', { name: 'Remove' }).click()
  await expect(rowOf(empty)).toHaveCount(0)
})
