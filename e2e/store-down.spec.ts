import { links } from '../lib/links'
import { admin, redeemLink } from './support/people'
import { freezeDatabase, killDatabase } from './support/server'
import { expect, ownTest as test, seedWith } from './support/test'

test('a database that does not answer is told, never drawn as an empty list, and all is there when it is back', async ({
  page,
  playwright,
  own,
}) => {
  test.setTimeout(180_000)
  const inquest = await own.start()
  await redeemLink(page, inquest.link, admin)
  const request = await playwright.request.newContext()
  const seed = seedWith(request, inquest)
  const id = await seed.execution(
    seed
      .transcript()
      .user('Go')
      .call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken before the outage' }),
  )
  const failed = page.getByRole('row').filter({ hasText: 'broken before the outage' })
  await page.goto(inquest.url + links.executions())
  await expect(failed).toHaveCount(1)
  const openPage = await page.context().newPage()
  await openPage.goto(inquest.url + links.execution(id))

  const thaw = await freezeDatabase(inquest.dataDir)
  await test.step('a page that was open says that it may be out of date', async () => {
    await expect(openPage.getByRole('status').filter({ hasText: 'Data may be stale.' })).toBeVisible({
      timeout: 30_000,
    })
  })

  await test.step('pages say that they could not look', async () => {
    for (const path of [
      links.executions(),
      links.execution(id),
      links.anyId('whatever'),
      links.settings('keys'),
      links.home(),
    ]) {
      const answer = await page.goto(inquest.url + path)
      expect([answer?.status(), answer?.headers()['retry-after']], path).toEqual([503, '5'])
      const notice = page.getByRole('alert').filter({ hasText: 'Database unavailable' })
      await expect(notice, path).toBeVisible()
      await expect(notice).toContainText(/Request [\w-]{8,}/)
      await expect(notice.getByRole('button', { name: 'Try again' })).toBeVisible()
      await expect(page.getByRole('navigation', { name: 'Pages' }), 'the way on stays').toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: 'Data may be stale.' })).toBeVisible()
      for (const empty of ['No data yet', 'No matching executions', 'No failed executions', 'Sign in'])
        await expect(page.getByText(empty, { exact: false })).toHaveCount(0)
    }
  })

  await test.step('the API says so too, with the id that stands in the log', async () => {
    const headers = { authorization: `Bearer ${inquest.token}` }
    for (const path of [links.api.executions(), links.api.execution(id), links.api.facets()]) {
      const answer = await request.get(inquest.url + path, { headers })
      expect(answer.status()).toBe(503)
      const body = await answer.json()
      expect(body).toMatchObject({
        type: '/problems/store-down',
        requestId: answer.headers()['x-request-id'],
      })
      expect(inquest.output()).toContain(body.requestId)
    }
    const sent = await request.post(inquest.url + links.api.ingest('claude-transcript'), {
      headers,
      data: Buffer.from(seed.transcript().user('x').text),
    })
    expect(sent.status()).toBe(503)
    expect((await request.get(`${inquest.url}/healthz`)).status()).toBe(200)
    const ready = await request.get(`${inquest.url}/readyz`)
    expect([ready.status(), await ready.json()]).toEqual([503, { status: 'database-down' }])
  })

  await test.step('a page that was open keeps what it shows', async () => {
    await expect(openPage.getByRole('region', { name: 'Cause' })).toContainText('broken before the outage')
  })

  const isBack = () =>
    expect
      .poll(async () => (await request.get(`${inquest.url}/readyz`)).json(), { timeout: 60_000 })
      .toEqual({ status: 'ready' })
  await test.step('when it goes on, everything is there without a restart', async () => {
    thaw()
    await isBack()
    // The page that could not be made asks again by itself.
    await expect(page.getByRole('alert').filter({ hasText: 'Database unavailable' })).toHaveCount(0, {
      timeout: 60_000,
    })
    await page.goto(inquest.url + links.executions())
    await expect(failed).toHaveCount(1)
  })

  await test.step('a page asks again too when the database is back before the page is connected', async () => {
    const thawAgain = await freezeDatabase(inquest.dataDir)
    const context = await page
      .context()
      .browser()!
      .newContext({ storageState: await page.context().storageState() })
    const early = await context.newPage()
    let letScriptsGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letScriptsGo = resolve))
    await early.route('**/_next/static/**/*.js', async (route) => {
      await held
      await route.continue()
    })
    const answer = await early.goto(inquest.url + links.executions(), { waitUntil: 'commit' })
    expect(answer?.status()).toBe(503)
    thawAgain()
    await isBack()
    letScriptsGo()
    await expect(early.getByRole('row').filter({ hasText: 'broken before the outage' })).toHaveCount(1, {
      timeout: 30_000,
    })
    await context.close()
  })

  await test.step('a database that is killed is started again, and takes records in', async () => {
    await killDatabase(inquest.dataDir)
    await isBack()
    expect((await seedWith(request, inquest).read(id)).counts).toMatchObject({ calls: 1, failedCalls: 1 })
    await seed.execution(
      seed.transcript().user('Again').call('Bash', { command: 'x' }, { fails: 'broken again' }),
    )
  })

  await test.step('a frozen database and an open stream hold up no end', async () => {
    await freezeDatabase(inquest.dataDir)
    const began = Date.now()
    expect(await inquest.stop()).toBe(0)
    expect(Date.now() - began).toBeLessThan(8_000)
  })
  await request.dispose()
})
