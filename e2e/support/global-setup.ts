import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type FullConfig } from '@playwright/test'
import { buildCli } from '../../scripts/build-cli.mjs'
import { makeFolder } from './folder'
import { admin, redeemLink } from './people'
import { root, startInquest } from './server'

/** One server for all journeys that need none of their own, with its first admin signed in as a person is: by a link. */
export default async function globalSetup(config: FullConfig): Promise<() => Promise<void>> {
  if (!existsSync(join(root, 'dist/inquest.cjs'))) await buildCli()
  const folder = makeFolder()
  const mirrors = join(folder.path, 'mirrors')
  mkdirSync(mirrors)
  const inquest = await startInquest(folder.path, { INQUEST_MIRRORS: mirrors })
  const storage = join(folder.path, 'admin.json')
  const end = async (): Promise<void> => {
    if (inquest.child.exitCode !== null || inquest.child.signalCode !== null)
      console.error(`the server had ended before the journeys did:\n${inquest.output()}`)
    await inquest.stop()
    folder.remove()
  }
  try {
    const browser = await chromium.launch(config.projects[0]!.use.launchOptions)
    const page = await browser.newPage()
    await redeemLink(page, inquest.link, admin)
    await page.context().storageState({ path: storage })
    await browser.close()
  } catch (error) {
    await end()
    throw error
  }
  Object.assign(process.env, {
    INQUEST_E2E_URL: inquest.url,
    INQUEST_E2E_TOKEN: inquest.token,
    INQUEST_E2E_STATE: inquest.stateDir,
    INQUEST_E2E_STORAGE: storage,
    INQUEST_E2E_MIRRORS: mirrors,
  })
  return end
}
