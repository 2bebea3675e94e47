import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { links } from '../lib/links'
import { admin, redeemLink, signIn, type Person } from './support/people'
import { ciRun } from './support/ci-pages'
import { expect, server, test } from './support/test'

type Ci = ReturnType<typeof ciRun>

const addressOf = (
  { provider, path, run }: Ci,
  attempt?: number,
  extra?: Parameters<typeof links.ciRun>[4],
): string => links.ciRun(provider, path, run, attempt, extra)
const failing = (because: string) => ({ result: null, exitCode: 3, stderr: `${because}\n` })
const cause = (page: Page): Locator => page.getByRole('region', { name: 'Cause', exact: true })
const decision = (page: Page): Locator => page.getByRole('region', { name: 'Decision', exact: true })
const list = (page: Page): Locator => page.getByRole('complementary', { name: 'Executions of this run' })

test('the first of several failures is open without a click, and the others stand beside it', async ({
  page,
  seed,
}) => {
  const ci = ciRun()
  await seed.run({
    ...failing('the oven is cold'),
    ci: { ...ci, job: 'bake' },
    startedAt: '2026-11-02T08:00:00.000Z',
  })
  const second = await seed.run({
    result: 'No path.\n%%DONE%%',
    marker: '%%DONE%%',
    expect: ['plan_path = /.+'],
    ci: { ...ci, job: 'plan' },
    startedAt: '2026-11-02T09:00:00.000Z',
  })
  await seed.run({ ci: { ...ci, job: 'wash' } })
  await seed.run({ ci: { ...ci, job: 'dry' } })
  await page.goto(addressOf(ci))

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${ci.path}, run 9012345678, attempt 1`)
  await expect(page.getByText('2 of 4 executions failed.')).toBeVisible()
  await expect(cause(page)).toContainText('the oven is cold')
  await expect(page.getByRole('heading', { name: 'What to do next' })).toBeVisible()
  await expect(decision(page)).toContainText('Failed')
  const rows = list(page).getByRole('listitem')
  await expect(rows.filter({ visible: true })).toHaveCount(2)
  await expect(rows.nth(0)).toContainText('bake')
  await expect(rows.nth(1)).toContainText(/Failed.*plan.*attempt 1/)
  await expect(rows.nth(1)).toContainText('plan_path')
  await expect(list(page).getByText('2 succeeded')).toBeVisible()
  await expect(rows.filter({ hasText: 'wash' })).toBeHidden()
  const leaving = page.getByRole('link', { name: 'Open at GitHub Actions (leaves Inquest)' }).first()
  await expect(leaving).toHaveAttribute('href', ci.url)

  await test.step('a row opens its execution, and the address holds it', async () => {
    await rows
      .nth(1)
      .getByRole('link', { name: /plan_path/ })
      .click()
    await expect(cause(page)).toContainText('plan_path')
    await expect(page).toHaveURL(new RegExp(`open=${second}`))
    await page.reload()
    await expect(cause(page)).toContainText('plan_path')
    await page.goBack()
    await expect(cause(page)).toContainText('the oven is cold')
  })

  const place = page.getByRole('group', { name: 'Place in the list of this run' })
  await expect(place).toContainText('1 of 2 failures')
  await test.step('keys walk them', async () => {
    await page.keyboard.press('j')
    await expect(cause(page)).toContainText('plan_path')
    await expect(place).toContainText('2 of 2 failures')
    await page.keyboard.press('j')
    await expect(page.getByText('This is the last of 2 failures in this run')).toBeAttached()
    await page.keyboard.press('k')
    await expect(cause(page)).toContainText('the oven is cold')
    await page.keyboard.press('k')
    await expect(page.getByText('This is the first of 2 failures in this run')).toBeAttached()
    await page.keyboard.press('d')
    await expect(decision(page).getByRole('button', { expanded: true }).first()).toBeVisible()
    await page.keyboard.press('d')
    await page.keyboard.press('j')
    await expect(place).toContainText('2 of 2 failures')
    // As fast as keys come from a person in a hurry: the address is not written yet when Enter comes, and the page takes a while.
    await page.route(`**${links.execution(second)}*`, async (route) => {
      await new Promise((later) => setTimeout(later, 500))
      await route.continue()
    })
    await page.evaluate(async () => {
      for (const key of ['k', 'j', 'Enter']) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        await new Promise((drawn) => setTimeout(drawn, 10))
      }
    })
    await expect(page).toHaveURL(new RegExp(`/executions/${second}`))
  })
})

test('the only failure opens on its own page, names its CI run, and leads back to it', async ({
  page,
  seed,
}) => {
  const ci = ciRun()
  const id = await seed.run({ ...failing('the dough is dry'), ci: { ...ci, job: 'bake' } })
  await seed.run({ ci: { ...ci, job: 'wash' } })
  for (const address of [addressOf(ci), addressOf(ci, 1), `${links.ciRoot()}/github/${ci.path}/${ci.run}`]) {
    await page.goto(address)
    await expect(page).toHaveURL(links.decided(id))
    await expect(decision(page).getByText('Did it finish?')).toBeVisible()
  }
  await expect(cause(page)).toContainText('the dough is dry')
  const facts = page.getByRole('region', { name: 'Facts' })
  await expect(facts).toContainText(`GitHub Actions: ${ci.path}, run 9012345678, attempt 1, job bake`)
  await expect(facts.getByRole('link', { name: 'Open at GitHub Actions (leaves Inquest)' })).toHaveAttribute(
    'href',
    ci.url,
  )

  await page.getByRole('link', { name: `CI run ${ci.path}, run 9012345678, attempt 1` }).click()
  await expect(page.getByText('1 of 2 executions failed.')).toBeVisible()
  await expect(cause(page)).toContainText('the dough is dry')
  await list(page).getByRole('link', { name: 'Its page : bake' }).click()
  await expect(page).toHaveURL(new RegExp(`/executions/${id}$`))
  await facts.getByRole('link', { name: 'All failures of this run' }).click()
  await expect(list(page)).toContainText('1 failure')
})

test('a link to a run that nothing has arrived of waits, and opens the failure by itself', async ({
  page,
  seed,
}) => {
  const ci = ciRun('gitlab')
  await page.goto(addressOf(ci))
  await expect(page.getByRole('heading', { name: 'Waiting for this CI run' })).toBeVisible()
  await expect(page.getByText(`GitLab CI: ${ci.path}, pipeline ${ci.run}`)).toBeVisible()
  await expect(page.getByText('Waiting since')).toBeVisible()
  await seed.run({ ...failing('of another run'), ci: { ...ci, run: '1' } })
  await expect(page.getByRole('heading', { name: 'Waiting for this CI run' })).toBeVisible()

  const id = await seed.run({ ...failing('at last'), ci: { ...ci, attempt: null, job: 'bake' } })
  await expect(page).toHaveURL(links.decided(id))
  await expect(cause(page)).toContainText('at last')
})

test('a run of a provider that does not exist is waited for, and the page says that no source is known by its name', async ({
  page,
  seed,
}) => {
  const ci = { ...ciRun('gitlab'), provider: 'gitlb' }
  await page.clock.install()
  await page.goto(addressOf(ci))
  await expect(page.getByText('Unknown provider “gitlb”.')).toBeVisible()
  await expect(page.getByText('GitLab CI (gitlab)')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'what to check' })).toBeHidden()
  await page.clock.fastForward('02:30')
  await expect(page.getByRole('heading', { name: 'what to check' })).toBeVisible()
  const id = await seed.run({ ...failing('of no such provider'), ci: { ...ci, attempt: null, job: 'bake' } })
  await page.goto(addressOf(ci))
  await expect(page).toHaveURL(links.decided(id))
})

test('who waits for a run of which all succeeds is told so, and stays when a failure follows', async ({
  page,
  seed,
}) => {
  const ci = ciRun()
  await page.goto(addressOf(ci))
  await expect(page.getByRole('heading', { name: 'Waiting for this CI run' })).toBeVisible()
  await seed.run({ ci: { ...ci, job: 'wash' } })
  await expect(page.getByText('The only execution succeeded.')).toBeVisible()
  await expect(list(page).getByRole('listitem')).toContainText('wash')
  await seed.run({ ...failing('one more thing'), ci: { ...ci, job: 'bake' } })
  await expect(cause(page)).toContainText('one more thing')
  await expect(page.getByText('1 of 2 executions failed.')).toBeVisible()
  expect(page.url()).toContain(links.ciRoot())
})

test('the newest attempt is shown, the others are one click away, and one that has not come is waited for', async ({
  page,
  seed,
}) => {
  const ci = ciRun()
  for (const attempt of [1, 2]) {
    for (const job of ['bake', 'plan'])
      await seed.run({ ...failing(`${job} broke in attempt ${attempt}`), ci: { ...ci, attempt, job } })
  }
  await seed.run({ ci: { ...ci, attempt: 1, job: 'wash' } })
  await page.goto(addressOf(ci))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('attempt 2')
  await expect(cause(page)).toContainText('in attempt 2')
  const attempts = page.getByRole('navigation', { name: 'Attempts of this run' }).getByRole('link')
  await expect(attempts).toHaveText(['Attempt 22 failed of 2', 'Attempt 12 failed of 3'])
  await expect(attempts.nth(0)).toHaveAttribute('aria-current', 'page')
  await attempts.nth(1).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('attempt 1')
  await expect(cause(page)).toContainText('in attempt 1')
  await expect(list(page)).toContainText('1 succeeded')

  await page.goto(addressOf(ci, 3))
  await expect(page.getByRole('heading', { name: 'Waiting for this attempt' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
    'Attempt 2 2 executions, 2 failed',
    'Attempt 1 3 executions, 2 failed',
  ])
  await page.goto(`${addressOf(ci)}/latest`)
  await expect(page.getByText('No attempt “latest”. Showing attempt 2, the latest.')).toBeVisible()
})

test('addresses that nobody would write are read all the same', async ({ page, seed }) => {
  const job = `folder/job/feature%2Fcart-${randomUUID().slice(0, 8)}`
  const id = await seed.run({
    ...failing('odd but real'),
    ci: { provider: 'jenkins', path: job, run: '12', job: 'stage' },
  })
  await page.goto(links.ciRun('jenkins', job, '12'))
  await expect(page).toHaveURL(links.decided(id))
  for (const path of [
    'home-made/%E0%A4%A/7',
    `${'x'.repeat(900)}/a/7`,
    'github/a/b/c/d/e/7',
    'github/%2e%2e%2f..%2f/7',
    'g%22%3E%3Cb%3E/a/7',
  ]) {
    const answer = await page.goto(`${links.ciRoot()}/${path}`)
    expect(answer!.status(), path).toBeLessThan(500)
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
  }
  // The database contains no NUL and refuses to look for one.
  const refused = await page.goto(`${links.ciRoot()}/none%00such/a/7`)
  expect([refused!.status(), (await refused!.json()).detail]).toEqual([
    400,
    'The address contains a NUL character (%00).',
  ])
  await page.goto(`${links.ciRoot()}/github/acme%2Fshop`)
  await expect(page.getByRole('heading', { name: 'Invalid CI run URL' })).toBeVisible()
})

test('what a run says of itself is shown, never obeyed', async ({ page, seed }) => {
  const ci = { ...ciRun(), url: 'javascript:alert(1)', commit: '<b>bold</b>' }
  await seed.run({
    ...failing('<img src=x onerror=alert(1)>'),
    ci: { ...ci, job: '<script>alert(1)</script>\u202e' },
  })
  await seed.run({ ...failing('second'), ci: { ...ci, job: 'plain' } })
  page.on('dialog', () => expect('a script ran').toBe(''))
  await page.goto(addressOf(ci))
  await expect(list(page)).toContainText('<script>alert(1)</script>⟨U+202E⟩')
  await expect(cause(page)).toContainText('<img src=x onerror=alert(1)>')
  await expect(page.getByRole('link', { name: /leaves Inquest/ })).toHaveCount(0)
  await expect(page.locator('[href^="javascript"]')).toHaveCount(0)
})

test('the cause of the open failure is read before any script is asked for', async ({ seed, request }) => {
  const ci = ciRun()
  await seed.run({
    ...failing('read me first'),
    ci: { ...ci, job: 'bake' },
    startedAt: '2026-11-02T08:00:00.000Z',
  })
  await seed.run({ ...failing('then me'), ci: { ...ci, job: 'plan' }, startedAt: '2026-11-02T09:00:00.000Z' })
  const html = await (await request.get(addressOf(ci), { headers: { accept: 'text/html' } })).text()
  const at = html.indexOf('read me first')
  expect(at).toBeGreaterThan(0)
  expect(html.slice(0, at)).not.toMatch(
    /<script(?![^>]*noModule)|<link[^>]*rel="(stylesheet|preload|modulepreload)"/i,
  )
  expect(html.slice(0, at)).not.toContain('then me')
})

test('signed out it leads to the sign-in page and back; who was taken out of the project sees nothing of it', async ({
  page,
  browser,
  seed,
}) => {
  const ci = ciRun()
  await seed.run({ ...failing('nobody else may read this'), ci: { ...ci, job: 'bake' } })
  await seed.run({ ...failing('nor this'), ci: { ...ci, job: 'plan' } })
  const other = await (
    await browser.newContext({ baseURL: server().url, storageState: { cookies: [], origins: [] } })
  ).newPage()
  await other.goto(addressOf(ci, 1))
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(other.getByText('may read this')).toHaveCount(0)
  await signIn(other, admin)
  await expect(other).toHaveURL(new RegExp(`${addressOf(ci, 1)}$`))
  await expect(cause(other)).toContainText('nobody else may read this')
  await other.context().close()

  const viewer: Person = {
    name: 'Vic Viewer',
    email: `vic-${randomUUID().slice(0, 8)}@example.test`,
    password: 'only looking around',
  }
  await page.goto(links.settings('people'))
  await page.getByRole('button', { name: 'Invite person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite person' })
  await dialog.getByLabel('Email').fill(viewer.email)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('status').filter({ hasText: viewer.email }).getByRole('code').innerText()
  const reader = await (
    await browser.newContext({ baseURL: server().url, storageState: { cookies: [], origins: [] } })
  ).newPage()
  await redeemLink(reader, link, viewer)
  await reader.goto(addressOf(ci))
  await expect(cause(reader)).toContainText('nobody else may read this')
  await page
    .getByRole('listitem')
    .filter({ hasText: viewer.email })
    .getByRole('button', { name: 'Remove' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: viewer.email })).toHaveCount(0)
  await reader.goto(addressOf(ci))
  await expect(reader.getByText('may read this')).toHaveCount(0)
  await expect(reader.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await reader.context().close()
})
