import { LOCAL_KEY } from '../db/queries/access'
import { changedTables, tableContents } from '../db/testing/table-contents'
import { links } from '../lib/links'
import { settled } from './support/check-page'
import { behindTheBack } from './support/database'
import { pagesOf, richExecution } from './support/pages'
import { admin, redeemLink } from './support/people'
import { expect, ownTest, seedWith } from './support/test'

// The server renews the key of this machine while it runs, whoever reads.
const NOT_THE_HEARTBEAT = { api_keys: `t.config_id <> '${LOCAL_KEY}'` }

ownTest('opening a page writes nothing', async ({ own, page, request }) => {
  ownTest.slow()
  // What is done in the background writes, whether or not somebody reads.
  const inquest = await own.start({ INQUEST_JOBS: 'off' })
  const seed = seedWith(request, inquest)
  const rich = await richExecution(seed)
  const proposed = await request.post(inquest.url + links.api.executionFixes(rich.id, { task: 'one' }), {
    headers: { authorization: `Bearer ${inquest.token}` },
    data: Buffer.from('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new\n'),
  })
  const { fix } = (await proposed.json()) as { fix: { id: string } }
  await redeemLink(page, inquest.link, admin)
  const contents = async (): Promise<Map<string, string>> => {
    let found = new Map<string, string>()
    await behindTheBack(inquest, async (sql) => void (found = await tableContents(sql, NOT_THE_HEARTBEAT)))
    return found
  }
  const pages: [string, string][] = [
    ...pagesOf(rich),
    ['receipts', links.execution(rich.id, 'receipts')],
    ['diagnosis', links.execution(rich.id, 'diagnosis')],
    ['fixes of an execution', links.execution(rich.id, 'fixes')],
    ['fix', links.fix(fix.id)],
    ['chain', links.chain(rich.branch)],
    ['CI run', links.ciRun('github', 'acme/shop', '1')],
  ]
  const written: Record<string, string[]> = {}
  let before = await contents()
  for (const [name, path] of pages) {
    await page.goto(inquest.url + path)
    await settled(page)
    await page.waitForLoadState('load')
    const after = await contents()
    const changed = changedTables(before, after)
    if (changed.length > 0) written[name] = changed
    before = after
  }
  expect(written).toEqual({})
})
