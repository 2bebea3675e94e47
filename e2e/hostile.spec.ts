import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { COMBINED, FOREIGN, MARKER, PAYLOADS } from '../scripts/hostile/payloads'
import { isClean, tableOf } from '../scripts/hostile/report'
import { runHostile } from '../scripts/hostile/run'
import { visit } from '../scripts/hostile/visit'
import { watchPage } from '../scripts/hostile/watch'
import { NARROW } from './support/check-page'
import { expect, server, test } from './support/test'

test('hostile text in every field that a page shows stays text, and the pages stay usable', async ({
  browser,
}) => {
  test.setTimeout(300_000)
  const { url, token, storage } = server()
  const { cookies } = JSON.parse(readFileSync(storage, 'utf8')) as {
    cookies: { name: string; value: string }[]
  }
  const lines: string[] = []
  const results = await runHostile(
    browser,
    { url, token, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
    // The recorded patches have a journey of their own (hostile-patches.spec.ts).
    { payloads: COMBINED, sizes: [NARROW], withPatches: false, say: (line) => lines.push(line) },
  )
  expect(isClean(results), `${lines.join('\n')}\n${tableOf(results)}`).toBe(true)
})

test('a page that takes the text for more than text is reported', async ({ browser }) => {
  const planted = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<html data-ready><header><a href="/">Home</a></header><main>${MARKER} ${PAYLOADS.markup}<img src="http://${FOREIGN}/a.png"><a href="${PAYLOADS.address}">x</a><script>alert(1)</script>\u202e<p style="width:5000px">wide</p></main>`,
      ),
  )
  await new Promise<void>((resolve) => planted.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(planted.address() as AddressInfo).port}`
  const page = await browser.newPage()
  try {
    const watch = await watchPage(page, origin)
    const { troubles, shown } = await visit(page, watch, origin, { name: 'planted', path: '/', must: true })
    expect(shown).toBe(true)
    const all = troubles.join('\n')
    for (const trouble of [
      'a script ran',
      'a dialog: 1',
      `asked for http://${FOREIGN}`,
      'address javascript:',
      'handler onerror',
      'a hidden character 202e',
      'px wide',
    ])
      expect(all).toContain(trouble)
  } finally {
    await page.close()
    planted.close()
  }
})
