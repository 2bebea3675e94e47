import { statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { makeFolder } from '../e2e/support/folder'
import { admin, redeemLink } from '../e2e/support/people'
import { root, startInquest } from '../e2e/support/server'
import { links } from '../lib/links'
import { ensureBrowser } from './ensure-browser'

/** Takes the picture of the README: the first screen of a failure of the sample, on a server and a database of its own. */

const FILE = join(root, 'docs/images/failure.png')
const TITLE = /^The cart total is one cent off/

const executablePath = ensureBrowser()
if (executablePath === null) process.exit(1)
const folder = makeFolder()
const inquest = await startInquest(folder.path)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
  await redeemLink(page, inquest.link, admin)
  const loaded = await page.request.post(inquest.url + links.api.sample(), {
    headers: { authorization: `Bearer ${inquest.token}` },
  })
  if (!loaded.ok()) throw new Error(`the sample was not loaded: ${loaded.status()} ${await loaded.text()}`)
  const listed = await page.request.get(inquest.url + links.api.executions())
  const { items } = (await listed.json()) as { items: { id: string; title: string | null }[] }
  const execution = items.find(({ title }) => TITLE.test(title ?? ''))
  if (execution === undefined) throw new Error(`no execution of the sample is titled ${TITLE}`)
  await page.goto(inquest.url + links.execution(execution.id))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor()
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: FILE })
  console.log(`${FILE}: ${Math.ceil(statSync(FILE).size / 1024)} KiB`)
} finally {
  await browser.close()
  await inquest.stop()
  folder.remove()
}
