import { randomUUID } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
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

test('an .async folder is imported; a failed run opens on its cause, what reproduces it and its chain, without the secret', async ({ page, folder, request }) => {
  const source = `pipelines-${randomUUID().slice(0, 8)}`
  const runs = ownFolder(join(folder.path, 'dot-async'))
  const first = await runCli(['import', '--source', source, folder.path], server().stateDir)
  expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^(?!.*not taken)/) })
  expect(first.out).toContain('11 executions, 6 failed')
  const again = await runCli(['import', '--source', source, folder.path], server().stateDir)
  expect(again.out).toContain('nothing new')

  await page.goto(links.anyId(runs[3]!))
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('Task “test” failed with exit code 3 in each of 3 attempts')
  await expect(page.getByRole('region', { name: 'Could a retry have helped?' })).toContainText('3 attempts of the run gave the same answer, with the same inputs.')
  const failed = page.getByRole('region', { name: 'How task test failed' })
  await expect(failed).toContainText('async-pipeline run-task test')
  await expect(failed.getByRole('button', { name: 'Copy the command' }).or(failed.getByText('Copy', { exact: true })).first()).toBeVisible()
  await expect(failed).toContainText('src/a.txt')
  await expect(failed).toContainText('readme.sum')
  await expect(failed.getByLabel('End of the log')).toContainText('[attempt 3] Command failed with exit code 3')
  await expect(page.getByRole('region', { name: 'Tasks of the run' })).toContainText('Tasks that did not end are not recorded')

  const id = new URL(page.url()).pathname.split('/').at(-1)!
  await page.goto(links.execution(id, 'attempts'))
  const chain = page.getByRole('article', { name: /^Chain demo .* · verify · test$/ })
  await expect(chain).toContainText('inferred: same pipeline, job and task')
  await expect(chain.getByRole('listitem')).toHaveCount(3)
  await expect(chain).toContainText('same inputs')
  await expect(chain).toContainText('inputs changed')

  const items = (await (await request.get(links.api.executions(`q=source:${source}&limit=50`))).json()) as { items: { id: string }[] }
  expect(items.items).toHaveLength(11)
  for (const one of items.items) {
    for (const path of ['', '/events', '/attempts', '/chains', '/raw']) {
      const answer = await request.get(`${links.api.execution(one.id)}${path}`)
      expect([path, answer.ok(), (await answer.text()).includes(SAMPLE_SECRET)]).toEqual([path, true, false])
    }
    const raw = (await (await request.get(`${links.api.execution(one.id)}/raw`)).json()) as { items: { received: string }[] }
    for (const { received } of raw.items) expect((await (await request.get(`/api/v1/received/${received}`)).body()).includes(SAMPLE_SECRET)).toBe(false)
  }
  for (const run of [runs[2]!, runs[4]!]) {
    for (const view of ['cause', 'attempts', 'timeline', 'raw'] as const) {
      await page.goto(links.anyId(run))
      const own = new URL(page.url()).pathname.split('/').at(-1)!
      await page.goto(links.execution(own, view === 'cause' ? undefined : view))
      await expect(page.locator('html[data-ready]')).toBeAttached()
      expect(await page.content()).not.toContain(SAMPLE_SECRET)
    }
  }
})
