import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type BrowserContext, chromium, type Page, type TestInfo } from '@playwright/test'
import { links } from '../lib/links'
import { admin, redeemLink, signIn } from './support/people'
import { freePort, type Inquest, postmasterPid } from './support/server'
import { expect, ownTest, seedWith } from './support/test'

/** A browser that reaches the server by plain http under another name: no secure context, as on a company's network. */
const NAME = 'inquest.test'

interface World {
  url: string
  inquest: Inquest
  context: BrowserContext
  /** Another context of the same person. */
  another: () => Promise<BrowserContext>
  /** Opens the list with the one execution of this test. */
  tab: (context?: BrowserContext) => Promise<Page>
  /** Changes that execution and waits until each of the pages shows it. */
  expectHeard: (pages: Page[]) => Promise<void>
  change: () => Promise<string>
  streams: () => Promise<number>
}

const test = ownTest.extend<{ world: World }>({
  world: async ({ own, playwright }, use, info: TestInfo) => {
    const port = await freePort()
    const url = `http://${NAME}:${port}`
    const inquest = await own.start({ PORT: String(port), INQUEST_PUBLIC_URL: url })
    const options = info.project.use.launchOptions ?? {}
    const browser = await chromium.launch({
      ...options,
      args: [...(options.args ?? []), `--host-resolver-rules=MAP ${NAME} 127.0.0.1`],
    })
    const context = await browser.newContext({ baseURL: url })
    const first = await context.newPage()
    await redeemLink(first, inquest.link, admin)
    await first.close()

    const request = await playwright.request.newContext()
    const seed = seedWith(request, inquest)
    const branch = `one-${randomUUID().slice(0, 8)}`
    const transcript = seed.transcript({ branch }).user('Watch me')
    const change = async (): Promise<string> => {
      const words = `broken ${randomUUID().slice(0, 8)}`
      await seed.send(transcript.call('Bash', { command: 'make' }, { fails: `Exit code 1\n${words}` }))
      return words
    }
    await change()
    await use({
      url,
      inquest,
      context,
      another: async () => browser.newContext({ baseURL: url, storageState: await context.storageState() }),
      tab: async (within = context) => {
        const page = await within.newPage()
        await page.goto(links.executions(`q=branch:${branch}`))
        await expect(page.getByText('Live', { exact: true })).toBeAttached()
        return page
      },
      change,
      expectHeard: async (pages) => {
        const words = await change()
        for (const page of pages)
          await expect(page.getByRole('row').filter({ hasText: words })).toHaveCount(1)
      },
      streams: async () => {
        const answer = await request.get(`${inquest.url}/metrics`, {
          headers: { authorization: `Bearer ${inquest.token}` },
        })
        return Number(/^inquest_live_streams (\d+)$/m.exec(await answer.text())?.[1])
      },
    })
    await browser.close()
    await request.dispose()
  },
})

/** Makes a page believe that it is hidden or shown: in a headless browser every tab is visible. */
const show = (page: Page, visible: boolean): Promise<void> =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    visible ? 'visible' : 'hidden',
  )

const crash = async (page: Page): Promise<void> => {
  const crashed = page.waitForEvent('crash')
  const session = await page.context().newCDPSession(page)
  await Promise.race([session.send('Page.crash').catch(() => {}), crashed])
  await crashed
}

test('however many tabs are open, they share one stream, and none of them can take it away from the others', async ({
  world: { url, context, tab, change, expectHeard, streams },
}) => {
  test.setTimeout(300_000)
  const pages: Page[] = []
  await test.step('ten tabs load and hear of a change', async () => {
    for (let n = 0; n < 10; n++) pages.push(await tab())
    expect(await pages[0]!.evaluate(() => [window.isSecureContext, typeof SharedWorker])).toEqual([
      false,
      'function',
    ])
    expect(await streams()).toBe(1)
    await expectHeard(pages)
    expect(await streams()).toBe(1)
  })

  await test.step('hidden tabs hear as long as one is visible', async () => {
    for (const page of pages.slice(0, -1)) await show(page, false)
    await expectHeard(pages)
    expect(await streams()).toBe(1)
  })

  await test.step('no tab is visible: no stream; what is missed is heard on return', async () => {
    await show(pages.at(-1)!, false)
    await expect.poll(streams).toBe(0)
    const words = await change()
    await show(pages[4]!, true)
    for (const page of pages) await expect(page.getByRole('row').filter({ hasText: words })).toHaveCount(1)
    expect(await streams()).toBe(1)
  })

  await test.step('a frozen tab holds up nobody, and hears the rest when it goes on', async () => {
    const frozen = pages[0]!
    await show(frozen, true)
    const session = await context.newCDPSession(frozen)
    await session.send('Page.setWebLifecycleState', { state: 'frozen' })
    await expectHeard(pages.slice(1))
    const words = await change()
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    await expect(frozen.getByRole('row').filter({ hasText: words })).toHaveCount(1)
  })

  await test.step('a tab that crashes takes nothing with it, and does not keep the stream open', async () => {
    for (const page of pages.slice(1)) await show(page, true)
    await crash(pages.shift()!)
    await expectHeard(pages)
    await expect.poll(streams).toBe(1)
    const last = pages.pop()!
    for (const page of pages.splice(0)) await page.close()
    await expectHeard([last])
    await crash(last)
    await expect.poll(streams, { timeout: 60_000 }).toBe(0)
    await last.close()
  })

  await test.step('who signs out is heard no more, and who signs in again is', async () => {
    const [one, two] = [await tab(), await tab()]
    await one.goto(links.settings('keys'))
    await one.getByRole('button', { name: 'Sign out' }).first().click()
    await expect(one.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
    await expect(two.getByRole('status').filter({ hasText: 'Signed out' })).toBeVisible()
    expect(await streams()).toBe(0)
    await signIn(one, admin)
    await expect(one).not.toHaveURL(`${url}${links.signIn()}`)
    await expect(two.getByText('Live', { exact: true })).toBeAttached()
    await expectHeard([two])
    expect(await streams()).toBe(1)
  })
})

test('without shared workers, eight visible tabs have one stream, and another tab takes over when its own goes', async ({
  world: { another, tab, change, expectHeard, streams },
}) => {
  test.setTimeout(300_000)
  const without = await another()
  await without.addInitScript(() => Reflect.deleteProperty(window, 'SharedWorker'))
  // The first one leads.
  const pages: Page[] = []
  for (let n = 0; n < 8; n++) pages.push(await tab(without))
  expect(await pages[0]!.evaluate(() => window.isSecureContext)).toBe(false)

  await test.step('all load and hear of a change', async () => {
    expect(await streams()).toBe(1)
    await expectHeard(pages)
    expect(await streams()).toBe(1)
  })

  await test.step('the tab with the stream is closed', async () => {
    await pages.shift()!.close()
    await expect.poll(streams).toBe(1)
    await expectHeard(pages)
  })

  await test.step('tabs are frozen, and hear the rest when they go on', async () => {
    // Any of the others may lead by now.
    const frozen = pages.slice(0, 6)
    const sessions = await Promise.all(frozen.map((page) => without.newCDPSession(page)))
    for (const session of sessions) await session.send('Page.setWebLifecycleState', { state: 'frozen' })
    await expectHeard(pages.slice(6))
    const words = await change()
    for (const session of sessions) await session.send('Page.setWebLifecycleState', { state: 'active' })
    for (const page of frozen) await expect(page.getByRole('row').filter({ hasText: words })).toHaveCount(1)
    await expect.poll(streams).toBe(1)
  })

  await test.step('tabs crash, the one with the stream among them', async () => {
    for (const page of pages.splice(0, 6)) await crash(page)
    await expectHeard(pages)
    await expect.poll(streams).toBe(1)
  })

  await test.step('no tab is visible: no stream; what is missed is heard on return', async () => {
    for (const page of pages) await show(page, false)
    // A tab that crashed counts as visible until it has been silent for 20 s.
    await expect.poll(streams, { timeout: 60_000 }).toBe(0)
    const words = await change()
    await show(pages[0]!, true)
    for (const page of pages) await expect(page.getByRole('row').filter({ hasText: words })).toHaveCount(1)
    expect(await streams()).toBe(1)
    await without.close()
    await expect.poll(streams).toBe(0)
  })
})

/** Processes of the database: its postmaster and everything it has started. */
function databaseProcesses(dataDir: string): number[] {
  const parent = postmasterPid(dataDir)!
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]) === parent
    } catch {
      return false
    }
  })
  return [parent, ...children.map(Number)]
}

test('a database that stops answering is said on open pages, and they go on by themselves when it is back', async ({
  world: { inquest, tab, expectHeard },
}, info) => {
  test.setTimeout(300_000)
  const page = await tab()
  const stopped = databaseProcesses(inquest.dataDir)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of stopped) process.kill(pid, name)
  }
  const status = page.getByRole('status').filter({ hasText: 'Data may be stale.' })
  const startedAt = performance.now()
  signal('SIGSTOP')
  try {
    await expect(status).toBeVisible({ timeout: 60_000 })
    info.annotations.push({
      type: 'measured',
      description: `${Math.round(performance.now() - startedAt)} ms from the stop to the notice`,
    })
    // Without asking the database, and so at once.
    const answer = await fetch(inquest.url + links.api.live(), {
      headers: { authorization: `Bearer ${inquest.token}` },
      signal: AbortSignal.timeout(5_000),
    })
    expect(answer.status).toBe(503)
  } finally {
    signal('SIGCONT')
  }
  await expect(page.getByText('Live', { exact: true })).toBeAttached({ timeout: 60_000 })
  await expect(status).toHaveCount(0)
  await expectHeard([page])
})
