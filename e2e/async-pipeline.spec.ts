import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordedAsync, recordedRuns, SAMPLE_SECRET } from '../db/testing/recorded-runs'
import { links } from '../lib/links'
import { runCli } from './support/cli'
import { expect, server, test } from './support/test'

/** The recorded folder with runs of its own: the ids of the recorded ones may be here already. Its files say the same otherwise. */
function ownFolder(to: string): string[] {
  cpSync(recordedAsync, to, { recursive: true })
  const mark = randomUUID().slice(0, 8)
  return recordedRuns().map((run, i) => {
    const own = `${run.slice(0, -8)}${(Number.parseInt(mark, 16) ^ i).toString(16).replace('-', '').padStart(8, '0').slice(-8)}`
    rewrite(join(to, 'runs', run), (text) => text.replaceAll(run, own).replaceAll('"demo"', `"demo ${mark}"`))
    renameSync(join(to, 'runs', run), join(to, 'runs', own))
    return own
  })
}

function rewrite(folder: string, change: (text: string) => string): void {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry)
    if (statSync(path).isDirectory()) rewrite(path, change)
    else if (entry.endsWith('.json')) writeFileSync(path, change(readFileSync(path, 'utf8')))
  }
}

test('an .async folder is imported; a failed run opens on its cause, what reproduces it and its chain, without the secret', async ({
  page,
  folder,
  request,
}) => {
  const source = `pipelines-${randomUUID().slice(0, 8)}`
  const runs = ownFolder(join(folder.path, 'dot-async'))
  const first = await runCli(['import', '--source', source, folder.path], server().stateDir)
  expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^(?!.*not taken)/) })
  expect(first.out).toContain('11 executions, 6 failed')
  const again = await runCli(['import', '--source', source, folder.path], server().stateDir)
  expect(again.out).toContain('nothing new')

  await page.goto(links.anyId(runs[3]!))
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText(
    'Task “test” failed with exit code 3 in all 3 attempts',
  )
  await expect(page.getByRole('region', { name: 'Would a retry help?' })).toContainText(
    '3 attempts failed the same way with the same inputs.',
  )
  const failed = page.getByRole('region', { name: 'How task test failed' })
  await expect(failed).toContainText('async-pipeline run-task test')
  await expect(
    failed
      .getByRole('button', { name: 'Copy the command' })
      .or(failed.getByText('Copy', { exact: true }))
      .first(),
  ).toBeVisible()
  await expect(failed).toContainText('src/a.txt')
  await expect(failed).toContainText('readme.sum')
  await expect(failed.getByLabel('End of the log')).toContainText(
    '[attempt 3] Command failed with exit code 3',
  )
  await expect(page.getByRole('region', { name: 'Tasks of the run' })).toContainText(
    'Only tasks that ended are recorded',
  )

  const id = new URL(page.url()).pathname.split('/').at(-1)!
  await page.goto(links.execution(id, 'calls'))
  const chain = page.getByRole('article', { name: /^Chain demo .* · verify · test$/ })
  await expect(chain).toContainText('inferred: same pipeline, job and task')
  await expect(chain.getByRole('listitem')).toHaveCount(3)
  await expect(chain).toContainText('same inputs')
  await expect(chain).toContainText('inputs changed')

  const items = (await (await request.get(links.api.executions(`q=source:${source}&limit=50`))).json()) as {
    items: { id: string }[]
  }
  expect(items.items).toHaveLength(11)
  for (const one of items.items) {
    for (const path of ['', '/events', '/calls', '/chains', '/raw']) {
      const answer = await request.get(`${links.api.execution(one.id)}${path}`)
      expect([path, answer.ok(), (await answer.text()).includes(SAMPLE_SECRET)]).toEqual([path, true, false])
    }
    const raw = (await (await request.get(`${links.api.execution(one.id)}/raw`)).json()) as {
      items: { received: string }[]
    }
    for (const { received } of raw.items)
      expect((await (await request.get(`/api/v1/received/${received}`)).body()).includes(SAMPLE_SECRET)).toBe(
        false,
      )
  }
  for (const run of [runs[2]!, runs[4]!]) {
    for (const view of ['cause', 'calls', 'timeline', 'raw'] as const) {
      await page.goto(links.anyId(run))
      const own = new URL(page.url()).pathname.split('/').at(-1)!
      await page.goto(links.execution(own, view === 'cause' ? undefined : view))
      await expect(page.locator('html[data-ready]')).toBeAttached()
      expect(await page.content()).not.toContain(SAMPLE_SECRET)
    }
  }
})

test('patches of a run are proposed: from the import to the page of the run, and from there into the review room', async ({
  page,
  folder,
  request,
}) => {
  const runs = ownFolder(join(folder.path, 'dot-async'))
  const patch = `--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,3 @@\n-FAIL\n+ok\n+token = "${SAMPLE_SECRET}"\n rest\n`
  mkdirSync(join(folder.path, 'dot-async/runs', runs[3]!, 'fixes'))
  writeFileSync(join(folder.path, 'dot-async/runs', runs[3]!, 'fixes/test.patch'), patch)
  expect(
    await runCli(
      ['import', '--source', `patches-${randomUUID().slice(0, 8)}`, folder.path],
      server().stateDir,
    ),
  ).toMatchObject({ code: 0 })

  // An output of a task that passed.
  await page.goto(links.anyId(runs[4]!))
  const made = page.getByRole('region', { name: 'Patches found in the run' })
  await expect(made).toContainText('stdout artifact')
  await made.getByRole('link', { name: 'Proposed as Fix 1 of propose' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fix 1 of propose' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Evidence' })).toContainText('not verified by the proposer')
  await expect(page.getByText('In CI, not enabled')).toHaveCount(0)
  await expect(page.locator('.fix-diff').first()).toContainText('ok')
  await expect(page.getByRole('region', { name: 'What failed' })).toContainText(
    'Its run didn’t fail, and the failure it addresses was not recorded.',
  )

  // What answers a failure, in CI, with a secret in it.
  await page.goto(links.anyId(runs[3]!))
  const execution = new URL(page.url()).pathname.split('/').at(-1)!
  await expect(page.getByRole('region', { name: 'A fix is proposed' })).toContainText('in CI, not enabled')
  await page
    .getByRole('region', { name: 'Patches found in the run' })
    .getByRole('link', { name: 'Proposed as Fix 1 of test' })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fix 1 of test' })).toBeVisible()
  await expect(page.getByText('In CI, not enabled. Proposing is off in CI')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Budget' })).toContainText('limit not reported')
  await expect(page.getByText('this line may contain a secret')).toBeVisible()
  expect(await page.content()).not.toContain(SAMPLE_SECRET)
  const fix = new URL(page.url()).pathname.split('/').at(-1)!
  for (const path of [
    `${links.api.execution(execution)}/fixes`,
    `/api/v1/fixes/${fix}`,
    `/api/v1/fixes/${fix}/files`,
    '/api/v1/fixes',
  ]) {
    const answer = await request.get(path)
    expect([path, answer.ok(), (await answer.text()).includes(SAMPLE_SECRET)]).toEqual([path, true, false])
  }
  expect((await (await request.get(links.fixPatch(fix))).body()).toString()).toBe(patch)
})
