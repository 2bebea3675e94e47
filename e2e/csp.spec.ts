import type { Page } from '@playwright/test'
import { links } from '../lib/links'
import { CART_PATCH, FACTS, propose } from './support/fixes'
import { pagesOf, richExecution } from './support/pages'
import { richChain } from './support/receipts'
import { expect, server, test } from './support/test'

interface Seen {
  problems: string[]
  foreign: string[]
  policies: (string | undefined)[]
}

/** Collects what a browser complains about, and where it asks. */
async function watch(page: Page): Promise<Seen> {
  const seen: Seen = { problems: [], foreign: [], policies: [] }
  page.on(
    'console',
    (message) =>
      ['error', 'warning'].includes(message.type()) &&
      seen.problems.push(`${new URL(page.url()).pathname}: ${message.text()}`),
  )
  page.on('pageerror', (error) => seen.problems.push(`${new URL(page.url()).pathname}: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== server().url) seen.foreign.push(request.url())
  })
  page.on(
    'response',
    (response) =>
      response.request().isNavigationRequest() &&
      seen.policies.push(response.headers()['content-security-policy']),
  )
  await page.exposeFunction('reportViolation', (text: string) => seen.problems.push(text))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      void (window as unknown as { reportViolation: (text: string) => void }).reportViolation(
        `CSP ${event.violatedDirective}: ${event.blockedURI}`,
      )
    })
  })
  return seen
}

// A page that answers with 404 is told to the console by the browser itself.
const isOwn404 = (text: string): boolean =>
  text === '/no/such/page: Failed to load resource: the server responded with a status of 404 (Not Found)'

test('no page breaks its policy, complains to the console or asks a foreign host', async ({
  page,
  seed,
  request,
}) => {
  test.setTimeout(120_000)
  const seen = await watch(page)
  const rich = await richExecution(seed)
  for (const [, path] of pagesOf(rich)) {
    await page.goto(path)
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expect(page.getByText('Live', { exact: true })).toBeAttached()
  }
  // Its worker is a script of its own.
  await page.goto(links.execution((await richChain(request)).id, 'receipts'))
  await expect(page.getByRole('region', { name: 'Verified in this browser' })).toContainText(
    'Broken at receipt 7',
  )
  // The diff is read, and coloured, by workers.
  await page.goto(links.fix((await propose(request, rich.id, CART_PATCH, FACTS)).id))
  await expect(page.locator('.fix-diff [class*=code-keyword]').first()).toBeVisible()
  await page.goto(links.executions())
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.goto(links.bytes(rich.id, (await seed.read(rich.id)).cause!.pointer!))
  await expect(page.getByLabel('Exact bytes').locator('mark')).toBeVisible()

  expect(seen.problems.filter((text) => !isOwn404(text))).toEqual([])
  expect(seen.foreign).toEqual([])
  const nonces = seen.policies.flatMap(
    (policy) => /script-src [^;]*'nonce-([^']+)'/.exec(policy ?? '')?.[1] ?? [],
  )
  expect(nonces).toHaveLength(seen.policies.length)
  expect(new Set(nonces).size, 'a nonce is used once').toBe(nonces.length)
  for (const policy of seen.policies) {
    expect(policy).not.toMatch(/unsafe-eval|\*/)
    expect(policy!.replace(/style-src-attr [^;]*/, '')).not.toContain('unsafe-inline')
    expect(policy).not.toMatch(/https?:/)
  }
})

test('a script that got into a page would not run', async ({ page }) => {
  const seen = await watch(page)
  const planted =
    '<script>window.ran = true</script><img src="/no-picture" onerror="window.ran = true"><img src="https://example.com/pixel.png">'
  await page.route(`**${links.settings('sources')}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('</body>', `${planted}</body>`) })
  })
  await page.goto(links.settings('sources'))
  const blocked = (): string[] =>
    seen.problems
      .filter((text) => text.startsWith('CSP '))
      .map((text) => text.split(' ')[1]!)
      .sort()
  await expect.poll(blocked).toEqual(['img-src:', 'script-src-attr:', 'script-src-elem:'])
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
})
