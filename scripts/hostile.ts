import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { NARROW, WIDE } from '@/e2e/support/check-page'
import { makeFolder } from '@/e2e/support/folder'
import { killDatabase, startInquest } from '@/e2e/support/server'
import { ensureBrowser } from './ensure-browser'
import { signInBy } from './fuzz/prepare'
import { PAYLOADS } from './hostile/payloads'
import { isClean, tableOf } from './hostile/report'
import { runHostile } from './hostile/run'

/**
 * `npm run hostile`: plants hostile text in every field that a page shows and opens every page with it in Chromium.
 * `--only` a part of the names of the payloads. The exit status is 1 when a script ran, a dialog came, another host
 * was asked, the policy was broken, a link runs a script, a page cannot be used, or the planted text is not seen.
 *
 * @see docs/reliability.md
 */
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const executablePath = ensureBrowser()
if (executablePath === null) throw new Error('there is no Chromium')
const folder = makeFolder()
const inquest = await startInquest(folder.path)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const results = await runHostile(
    browser,
    { url: inquest.url, token: inquest.token, cookie: await signInBy(inquest) },
    {
      payloads: Object.fromEntries(Object.entries(PAYLOADS).filter(([name]) => name.includes(values.only))),
      sizes: [WIDE, NARROW],
      withPatches: true,
      say: console.log,
    },
  )
  console.log(`\n${tableOf(results)}`)
  if (!isClean(results)) process.exitCode = 1
} finally {
  await browser.close()
  await inquest.stop()
  await killDatabase(inquest.dataDir)
  folder.remove()
}
