import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { links } from '../lib/links'
import { pageFaults } from './support/check-page'
import { admin, signIn } from './support/people'
import { expect, someoneElse, test } from './support/test'

const RUN = '620356925057663015'
const CHILD = '620356931248455716'
const MAKER = '620356943059615814'

/** Recorded documents as runs of a test's own. */
function documents() {
  const own = String(randomInt(10 ** 9, 10 ** 10))
  const idOf = (id: string): string => `${id.slice(0, 8)}${own}`
  const read = (name: string): string => {
    const text = readFileSync(
      join(import.meta.dirname, '../../shared/samples/noetl/constructed', `${name}.json`),
      'utf8',
    )
    return [RUN, CHILD, MAKER].reduce((all, id) => all.replaceAll(id, idOf(id)), text)
  }
  return { read, idOf }
}

test('an agent that failed in a run that reads COMPLETED leads from the list to its diagnosis, down to one value', async ({
  page,
  seed,
}) => {
  const { read, idOf } = documents()
  const id = (await seed.send(read('parent-green-diagnosis-attached'), 'noetl')).executions[0]!.id
  await seed.send(read('child-failed'), 'noetl')
  await page.goto(links.executions(`q=${encodeURIComponent(`class:agent_failure ${idOf(RUN)}`)}`))
  const found = page.getByRole('row').filter({ hasText: 'The agent of step “trigger_failure” failed' })
  await expect(found).toHaveCount(1)
  await expect(found).toContainText('Failed')
  await page.goto(links.execution(id))
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('in a COMPLETED run')
  const line = page.getByRole('region', { name: 'Diagnosis' })
  await expect(line).toContainText(/Diagnosis\s*infra\s*0\.78\s*The host name .* cannot be resolved\./)
  // What is above about the cause is not said again below its attempt.
  await expect(page.getByRole('main')).not.toContainText('For this call')
  expect(await pageFaults(page)).toEqual([])
  await line.getByRole('link', { name: 'View diagnosis' }).click()
  const diagnosis = page.getByRole('region', { name: 'Diagnosis', exact: true })
  await expect(diagnosis).toContainText('Attached')
  await expect(diagnosis.getByRole('img', { name: '4 of 5 bars' })).toBeVisible()
  for (const words of [
    'infra',
    '0.78',
    'The host name',
    'Correct the address',
    'ollama',
    'Fetched on the first poll after 0.064 s of at most 60.0 s',
    'sub-playbook returned non-success status',
    'PLAYBOOK_FAILED',
    'First failing event',
    'Last failing event',
  ])
    await expect(diagnosis).toContainText(words)
  expect(await pageFaults(page)).toEqual([])

  await diagnosis.getByRole('link', { name: 'root_cause' }).click()
  const value = page.locator('[data-json-pointer="/result/context/error/diagnosis/root_cause"]')
  await expect(value).toHaveAttribute('aria-selected', 'true')
  await expect(value).toBeInViewport()
  await expect(value.locator('[data-json-value]')).toHaveText(
    'The host name this-host-deliberately-does-not-exist.invalid cannot be resolved.',
  )
  const address = page.url()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('about:blank')
  await page.goto(address)
  await expect(value).toHaveAttribute('aria-selected', 'true')
  await expect(value).toBeInViewport()
  expect(await pageFaults(page)).toEqual([])
  await page.goto(`${address}_that_is_not_there`)
  await expect(page.getByText('#/result/context/error/diagnosis/root_cause_that_is_not_there')).toBeVisible()

  await page.goto(links.execution(id, 'diagnosis'))
  await page
    .getByRole('region', { name: 'Agent error' })
    .getByRole('link', { name: idOf(CHILD) })
    .click()
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('Name or service not known')
  await expect(page.getByRole('region', { name: 'Diagnosis' })).toContainText('infra')
})

test('a link that names a value and no view opens it, by the id of the source and through signing in too', async ({
  page,
  browser,
  seed,
}) => {
  const { read, idOf } = documents()
  const id = (await seed.send(read('parent-green-diagnosis-attached'), 'noetl')).executions[0]!.id
  const pointer = '/result/context/error/diagnosis/root_cause'
  const value = (on: Page) => on.locator(`[data-json-pointer="${pointer}"]`)
  for (const address of [links.execution(id), links.anyId(idOf(RUN))]) {
    await page.goto(`${address}#${pointer}`)
    await expect(value(page)).toHaveAttribute('aria-selected', 'true')
    await expect(page).toHaveURL(new RegExp(`/executions/${id}\\?view=diagnosis#${pointer}$`))
    // Back leaves the page, and does not open the value once more.
    await page.goto('about:blank')
  }
  const other = await someoneElse(browser)
  await other.goto(`${links.execution(id, 'diagnosis')}#${pointer}`)
  await signIn(other, admin)
  await expect(value(other)).toHaveAttribute('aria-selected', 'true')
  await other.context().close()
})

test('a diagnosis that was made and stands in no row is named, and called not attached', async ({
  page,
  seed,
}) => {
  const { read, idOf } = documents()
  const id = (await seed.send(read('parent-diagnosis-lost-in-projection'), 'noetl')).executions[0]!.id
  await page.goto(links.execution(id, 'diagnosis'))
  await expect(page.getByRole('region', { name: 'Diagnosis', exact: true })).toContainText('None requested')
  await seed.send(read('diagnosis-run'), 'noetl')
  await page.goto(links.execution(id))
  await expect(page.getByRole('region', { name: 'Diagnosis' })).toContainText(
    `produced by run ${idOf(MAKER)}, but never saved`,
  )
  await page.getByRole('link', { name: 'View diagnosis' }).click()
  const lost = page.getByRole('region', { name: 'Unsaved diagnosis' })
  await expect(lost).toContainText(`Run ${idOf(MAKER)} produced a diagnosis that was never saved here`)
  await expect(lost).toContainText('Inferred from that run')
  await expect(lost).toContainText(
    'The host name this-host-deliberately-does-not-exist.invalid cannot be resolved.',
  )
  expect(await pageFaults(page)).toEqual([])
  await lost.getByRole('link', { name: 'View differences' }).click()
  await expect(page.getByRole('region', { name: 'Parity' })).toBeVisible()
})

test('a diagnosis that is being made, one of which only the start of its run stands there, and one that lacks keys are told as what they are', async ({
  page,
  seed,
}) => {
  const diagnosis = page.getByRole('region', { name: 'Diagnosis', exact: true })
  const open = async (id: string, line: string, ...words: string[]): Promise<void> => {
    await page.goto(links.execution(id))
    await expect(diagnosis).toContainText(line)
    await page.goto(links.execution(id, 'diagnosis'))
    for (const one of words) await expect(diagnosis).toContainText(one)
    await expect(diagnosis.getByRole('region', { name: 'Agent error' })).toContainText(
      'sub-playbook returned non-success status',
    )
    expect(await pageFaults(page)).toEqual([])
  }

  const running = documents()
  const waits = (await seed.send(running.read('parent-diagnosis-lost-in-projection'), 'noetl')).executions[0]!
    .id
  const maker = JSON.parse(
    running.read('diagnosis-run').replaceAll(/"event_id": (\d+)/g, '"event_id": "$1"'),
  ) as { events: { event_type: string }[] }
  const events = maker.events.filter(({ event_type: type }) => type === 'playbook.initialized')
  await seed.send(
    JSON.stringify({
      ...maker,
      status: 'RUNNING',
      end_time: null,
      progress: 0,
      events,
      pagination: {
        page: 1,
        page_size: 500,
        total_events: 1,
        total_pages: 1,
        has_next: false,
        has_prev: false,
      },
    }),
    'noetl',
  )
  await open(waits, 'running', 'Running', 'The diagnosis run has not ended yet')
  await expect(
    diagnosis
      .getByRole('region', { name: 'Diagnosis runs' })
      .getByRole('link', { name: running.idOf(MAKER) }),
  ).toBeVisible()
  // It ends while the page is open.
  await seed.send(running.read('diagnosis-run'), 'noetl')
  await expect(page.getByRole('region', { name: 'Unsaved diagnosis' })).toContainText(
    `Run ${running.idOf(MAKER)} produced a diagnosis`,
  )

  const handle = documents()
  const started = (await seed.send(handle.read('parent-dispatch-handle-in-diagnosis-slot'), 'noetl'))
    .executions[0]!.id
  await open(started, 'run ID only', 'Run ID only', 'Only the ID of the diagnosis run was stored')
  await expect(diagnosis.getByRole('link', { name: handle.idOf(MAKER) }).first()).toBeVisible()
  await expect(diagnosis).not.toContainText('missing')

  const part = documents()
  const lacking = part
    .read('parent-green-diagnosis-attached')
    .replaceAll(/\s*"suggested_action": "[^"]*",/g, '')
  const incomplete = (await seed.send(lacking, 'noetl')).executions[0]!.id
  await open(incomplete, 'incomplete', 'Incomplete', 'The stored value lacks keys of a diagnosis')
  await expect(diagnosis.getByRole('list', { name: 'Invalid values' })).toContainText(
    'Required keys are missing',
  )
  await expect(diagnosis).toContainText('missing')
  await expect(diagnosis).toContainText(
    'The host name this-host-deliberately-does-not-exist.invalid cannot be resolved.',
  )
})

test('hostile text, odd values and long digits are shown as they stand, and do nothing', async ({
  page,
  seed,
}) => {
  const { read } = documents()
  const hostile = '<img src=x onerror=\\"window.hit=1\\">\\u001b[31m\\u202egpj.exe'
  const text = read('parent-green-diagnosis-attached')
    .replaceAll('The host name this-host', `${hostile} this-host`)
    .replaceAll('"confidence": 0.78', '"confidence": 1e400, "later": {"id": 9007199254740993123}')
  const id = (await seed.send(text, 'noetl')).executions[0]!.id
  await page.goto(links.diagnosis(id, '/result/context/error/diagnosis/later/id'))
  const diagnosis = page.getByRole('region', { name: 'Diagnosis', exact: true })
  await expect(diagnosis).toContainText('<img src=x onerror="window.hit=1">')
  await expect(diagnosis).toContainText('outside 0 to 1; shown as is')
  await expect(diagnosis.getByRole('img', { name: /of 5 bars/ })).toHaveCount(0)
  await expect(
    page.locator('[data-json-pointer="/result/context/error/diagnosis/later/id"] [data-json-value]'),
  ).toHaveText('9007199254740993123')
  expect(await diagnosis.innerText()).not.toMatch(/[\u001b\u202e]/)
  expect(await page.evaluate(() => ['hit' in window, document.querySelectorAll('main img').length])).toEqual([
    false,
    0,
  ])
})

test('documents that name different ends are told, each with what it says, and what counts by which rule', async ({
  page,
  seed,
}) => {
  const { read } = documents()
  const id = (await seed.send(read('child-failed'), 'noetl')).executions[0]!.id
  await seed.send(read('status-child-cancelled'), 'noetl')
  await page.goto(links.execution(id))
  const told = page.getByRole('listitem').filter({ hasText: 'status of the run' })
  await expect(told).toHaveText(
    'status of the run: document of the run says “FAILED”, status document says “COMPLETED”, event log says “FAILED (terminal_row)”; used: “failed (terminal_row)”',
  )
})

test('a cancelled child whose envelope says ok reads cancelled', async ({ page, seed }) => {
  const { read, idOf } = documents()
  const child = JSON.parse(read('child-failed')) as { events: Record<string, unknown>[]; status: string }
  for (const row of child.events)
    if (row['event_type'] === 'playbook.failed')
      Object.assign(row, { event_type: 'execution.cancelled', status: 'COMPLETED', error: null })
  const cancelled = (await seed.send(JSON.stringify({ ...child, status: 'COMPLETED' }), 'noetl'))
    .executions[0]!.id
  const parent = read('parent-green-diagnosis-attached')
    .replaceAll('"status": "error"', '"status": "ok"')
    .replaceAll(/"error": \{\s+"kind"[\s\S]*?"hit_deadline": false\s+\}\s+\}\s+\}\s+\}/g, '"error": null')
  const id = (await seed.send(parent, 'noetl')).executions[0]!.id
  await page.goto(links.execution(cancelled))
  await expect(page.getByRole('main').getByText('Cancelled').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText(
    'The run was cancelled; 1 of 1 call failed',
  )
  await page.goto(links.execution(id))
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText(
    '1 sub-agent, 0 failed, 1 cancelled',
  )
  await expect(
    page
      .getByRole('region', { name: 'Facts' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('img', { name: 'Cancelled' }) }),
  ).toHaveCount(1)
  await expect(page.getByRole('main')).toContainText(idOf(RUN))
  // What the envelope says and how that run ended are beside each other, and neither hides the other.
  const cause = page.getByRole('region', { name: 'Cause' })
  await expect(cause).toContainText('No failure in this run, but an agent it called failed.')
  await expect(cause).toContainText(
    new RegExp(
      `reports ok, but ${idOf(CHILD)}, its agent’s own run, was cancelled: hit_non_routable failed: [^]*The run was cancelled;`,
    ),
  )
  await expect(cause).not.toContainText('Nothing failed')
  await page.goto(links.execution(id, 'calls'))
  await expect(page.getByRole('main')).toContainText('Cancelled own run')
  await page.goto(links.execution(id, 'timeline'))
  await expect(page.getByRole('main').getByText('says ok, own run cancelled')).toBeVisible()
})

test('the first screen of a run whose agent failed says what broke in the agent, what helps, and what to do', async ({
  page,
  seed,
}) => {
  const { read, idOf } = documents()
  const id = (await seed.send(read('parent-green-diagnosis-attached'), 'noetl')).executions[0]!.id
  await page.goto(links.execution(id))
  const cause = page.getByRole('region', { name: 'Cause' })
  await expect(cause).toContainText('The agent of step')
  await expect(page.getByRole('region', { name: 'Would a retry help?' })).toContainText('Unclear')
  const child = (await seed.send(read('child-failed'), 'noetl')).executions[0]!
  await page.goto(links.execution(id))
  await expect(cause).toContainText(new RegExp(`In ${idOf(CHILD)}, the agent’s own run: \\S`))
  const retry = page.getByRole('region', { name: 'Would a retry help? From the agent’s own run' })
  const said = await retry.locator('p').allInnerTexts()
  const next = await page.getByRole('region', { name: 'What to do next' }).locator('p').innerText()
  await cause.getByRole('link', { name: idOf(CHILD) }).click()
  await expect(page).toHaveURL(new RegExp(child.id))
  await expect(page.getByRole('region', { name: 'Would a retry help?' }).locator('p')).toHaveText(said)
  await expect(page.getByRole('region', { name: 'What to do next' }).locator('p')).toHaveText(next)
})
