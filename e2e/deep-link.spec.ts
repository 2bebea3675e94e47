import { randomUUID } from 'node:crypto'
import { links } from '../lib/links'
import { expect, server, test } from './support/test'

test('every id an execution is known by leads to its page and keeps what was asked for', async ({
  page,
  seed,
}) => {
  const transcript = seed
    .transcript()
    .user('Go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken here' })
  const id = await seed.execution(transcript)
  const callId = /toolu-[\w-]+/.exec(transcript.text)![0]

  for (const known of [id, transcript.options.sessionId]) {
    await page.goto(`${links.anyId(known)}?view=raw`)
    await expect(page).toHaveURL(new RegExp(`/executions/${id}\\?view=raw`))
  }
  await page.goto(links.anyId(transcript.options.sessionId))
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('broken here')
  await page.goto(links.anyId(callId))
  await expect(page).toHaveURL(new RegExp(`/executions/${id}\\?.*call=${callId}`))
  await expect(page.getByRole('complementary', { name: 'Call 1' })).toContainText('broken here')
})

test('a link to what has not arrived waits, says so, and opens by itself', async ({ page, seed }) => {
  const transcript = seed
    .transcript()
    .user('Go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken later' })
  await page.goto(`${links.anyId(transcript.options.sessionId)}?view=calls`)
  await expect(page.getByRole('heading', { name: 'Waiting for this ID' })).toBeVisible()
  await expect(page.getByText(transcript.options.sessionId)).toBeVisible()
  await expect(page.getByText('Waiting since')).toBeVisible()

  // Another one arrives: this page has nothing to do with it.
  await seed.send(seed.transcript().user('Other').says('Done.'))
  await expect(page.getByRole('heading', { name: 'Waiting for this ID' })).toBeVisible()

  const { executions } = await seed.send(transcript)
  await expect(page).toHaveURL(new RegExp(`/executions/${executions[0]!.id}\\?view=calls`))
  await expect(page.getByRole('heading', { name: 'Retry chains' })).toBeVisible()
})

test('addresses of 0.1.0 that call a call an attempt still lead there', async ({ page, request, seed }) => {
  const id = await seed.execution(
    seed.transcript().user('Go').call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' }),
  )
  await page.goto(`${links.execution(id)}?view=attempts`)
  await expect(page.getByRole('heading', { name: 'Retry chains' })).toBeVisible()
  await expect(page.getByText('No view “')).toHaveCount(0)
  const api = await request.get(links.api.calls(id).replace('/calls', '/attempts?failed=1'), {
    maxRedirects: 0,
  })
  expect([api.status(), api.headers().location]).toEqual([308, `${links.api.calls(id)}?failed=1`])
})

test('a view that nobody knows falls back to Cause and says so', async ({ page, seed }) => {
  const id = await seed.execution(
    seed.transcript().user('Go').call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' }),
  )
  await page.goto(`${links.execution(id)}?view=crystal-ball`)
  await expect(page.getByText('No view “crystal-ball”. Showing Cause.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('broken')
})

test('an id of the right shape that names nothing is told plainly', async ({ page }) => {
  const answer = await page.goto(links.execution(randomUUID()))
  expect(answer!.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto(links.anyId(`wait/${randomUUID()}`))
  await expect(page.getByRole('heading', { name: 'Waiting for this ID' })).toBeVisible()
})

test('the cause is read without a script, and what is pressed before the scripts are there is done when they are', async ({
  browser,
  page,
  seed,
  request,
}) => {
  const id = await seed.execution(
    seed.transcript().user('Go').call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken early' }),
  )
  const html = await (await request.get(links.execution(id), { headers: { accept: 'text/html' } })).text()
  const cause = html.indexOf('broken early')
  expect(cause).toBeGreaterThan(0)
  expect(html.slice(0, cause), 'nothing is asked for before the cause').not.toMatch(
    /<script(?![^>]*noModule)|<link[^>]*rel="(stylesheet|preload|modulepreload)"/i,
  )

  await test.step('without scripts the sentence is on screen', async () => {
    const bare = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    })
    const plain = await bare.newPage()
    await plain.goto(server().url + links.execution(id))
    await expect(plain.getByRole('region', { name: 'Cause' })).toContainText('broken early')
    await bare.close()
  })

  await test.step('a press that comes too early is not lost', async () => {
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/_next/static/chunks/*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(links.execution(id), { waitUntil: 'commit' })
    await expect(page.getByRole('region', { name: 'Cause' })).toContainText('broken early')
    await expect(page.getByRole('region', { name: 'Facts' })).toBeVisible()
    await page.getByRole('button', { name: 'Help' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    letGo()
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  })
})

test('what is ticked before the scripts are there counts', async ({ page, seed }) => {
  const word = `early${randomUUID().slice(0, 8)}`
  await seed.execution(
    seed.transcript().user(`Go ${word}`).call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' }),
  )
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/_next/static/chunks/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(links.executions(), { waitUntil: 'commit' })
  await page.getByRole('checkbox', { name: /^Failed/ }).check()
  letGo()
  await expect(page).toHaveURL(/outcome%3Afailed|outcome:failed/)
  await expect(page.getByRole('checkbox', { name: /^Failed/ })).toBeChecked()
  await page.getByRole('searchbox', { name: 'Filter executions' }).fill(word)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(1)
})

test('what is no id, but stands in a run, is found as words from the waiting page', async ({
  page,
  seed,
}) => {
  await seed.execution(
    seed
      .transcript()
      .user('Go')
      .call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken zebracrossing' }),
  )
  await page.goto(links.anyId('zebracrossing'))
  await page.getByRole('link', { name: 'Executions that contain this text' }).click()
  await expect(page).toHaveURL(/\/executions\?q=zebracrossing$/)
  await expect(page.getByRole('row').filter({ hasText: 'broken zebracrossing' })).toBeVisible()
})
