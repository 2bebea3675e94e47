import { randomUUID } from 'node:crypto'
import { links } from '../lib/links'
import { RUN_MARKER } from '../lib/sample/recorded-run'
import { brokenContract, retriedWork } from './support/decisions'
import { expect, test } from './support/test'

test('the decision stands on the Cause view in one line, and opens into its inputs, its path and five answers', async ({
  page,
  seed,
}) => {
  const id = await seed.run(brokenContract)
  await page.goto(links.execution(id))
  const decision = page.getByRole('region', { name: 'Decision', exact: true })
  const line = decision.getByRole('button', { name: /^Decision/ })
  await expect(line).toContainText('Contract violation')
  await expect(line).toContainText('no retry')
  await expect(line).toContainText('Recomputed by Inquest')
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  await expect(page.locator('html[data-ready]')).toBeAttached()
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/[?&]decision=open/)

  const answers = decision.getByLabel('Summary')
  await expect(answers).toContainText(
    /Does it match the contract\?\s*No\. 1 of 2 expected patterns found; 1 missing\./,
  )
  await expect(answers).toContainText(/Different before the fix\?\s*Yes\. .*would have been retried/)
  const inputs = decision.getByRole('region', { name: 'Recorded inputs' })
  await expect(inputs.getByRole('listitem').filter({ hasText: 'plan_path' })).toContainText('missing')
  await expect(inputs.getByRole('listitem').filter({ hasText: 'verdict' })).toContainText('found')
  const path = decision.getByRole('region', { name: 'Rule path' })
  await expect(path.getByRole('listitem').filter({ hasText: 'Dead-end guard' })).toContainText(
    'guard:dead_end_terminal:contract_violation',
  )
  await path.getByRole('button', { name: /^Dead-end guard/ }).click()
  await expect(path.getByRole('list', { name: 'Rules of Dead-end guard that did not fire' })).toContainText(
    'guard:dead_end_promoted:absent',
  )

  await page.reload()
  await expect(path).toBeVisible()
  await page.keyboard.press('d')
  await expect(path).toBeHidden()
  await expect(page).not.toHaveURL(/decision=/)
})

test('an input is flipped and the verdict changes at once; the smallest change makes it succeed, and a link shows the same', async ({
  page,
  seed,
}) => {
  const id = await seed.run(brokenContract)
  await page.goto(links.execution(id, 'cause', { decision: 'open' }))
  const whatIf = page.getByRole('region', { name: 'What if…' })
  const path = page.getByRole('region', { name: 'Rule path' })
  await expect(whatIf.getByRole('status')).toHaveText('Unchanged:')
  const blank = whatIf.getByRole('button', { name: 'There is no text' })
  await blank.focus()
  await page.keyboard.press('Enter')
  await expect(blank).toHaveAttribute('aria-pressed', 'true')
  await expect(whatIf.getByRole('status')).toHaveText('With 1 change, new verdict:')
  await expect(whatIf).toContainText('Retriable was Failed')
  await expect(path).toContainText('guard:dead_end_promoted:absent')
  await expect(page).toHaveURL(/[?&]if=text:blank/)
  await page.keyboard.press('z')
  await expect(whatIf.getByRole('status')).toHaveText('Unchanged:')

  const smallest = whatIf.getByRole('listitem').filter({ hasText: 'is found' }).first().getByRole('button')
  await expect(smallest).toHaveText(/^The pattern plan_path.* is found$/)
  await smallest.click()
  await expect(whatIf).toContainText('Succeeded was Failed')
  await expect(path.getByRole('listitem').filter({ hasText: 'Gates' })).toContainText('was failed')
  await whatIf.getByRole('radio', { name: /^before the fix/ }).check()
  await expect(whatIf.getByRole('status')).toHaveText('With 1 change and another policy, new verdict:')

  // The address follows within a moment.
  await expect(page).toHaveURL(/[?&]policy=/)
  await page.goto(page.url())
  await expect(whatIf).toContainText('Succeeded was Failed')
  await expect(whatIf.getByRole('radio', { name: /^before the fix/ })).toBeChecked()
  await whatIf.getByRole('button', { name: 'Reset' }).click()
  await expect(whatIf.getByRole('status')).toHaveText('Unchanged:')
  await expect(page).not.toHaveURL(/[?&](if|policy)=/)
})

test('an address with changes that mean nothing says so, and shows the rest', async ({ page, seed }) => {
  const id = await seed.run(brokenContract)
  await page.goto(links.execution(id, 'cause', { if: 'text:blank,the:moon,', policy: 'of-tomorrow' }))
  const whatIf = page.getByRole('region', { name: 'What if…' })
  await expect(whatIf).toContainText('The URL also names “the:moon”, “of-tomorrow”')
  await expect(whatIf).not.toContainText('“”')
  await expect(whatIf).toContainText('Retriable was Failed')
})

test('of a run that nobody recorded what is missing is listed, and nothing is guessed', async ({
  page,
  seed,
}) => {
  const id = await seed.execution(
    seed.transcript().user('Go').call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' }),
  )
  await page.goto(links.execution(id, 'cause', { decision: 'open' }))
  const decision = page.getByRole('region', { name: 'Decision', exact: true })
  await expect(decision.getByRole('button', { name: /^Decision/ })).toContainText('Content unknown')
  await expect(decision).toContainText('The rules could not be evaluated')
  await expect(decision.getByRole('region', { name: 'Recorded inputs' })).toContainText(/Exit code\s*missing/)
  await expect(decision.getByRole('region', { name: 'What if…' })).toHaveCount(0)
})

test('what a run wrote is shown in its decision, never obeyed', async ({ page, seed }) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const id = await seed.run({
    result: `<img src=x onerror="window.ran = true"> \u001b[31mred \u202etxt.exe\n${RUN_MARKER}`,
    expect: ['<b>\u202e\\s', '('],
    command: ['claude', '-p', '<script>window.ran = true</script>'],
  })
  await page.goto(links.execution(id, 'cause', { decision: 'open' }))
  const decision = page.getByRole('region', { name: 'Decision', exact: true })
  for (const shown of [
    '<img src=x onerror="window.ran = true">',
    '<b>',
    '⟨U+202E⟩',
    '<script>window.ran = true</script>',
    'invalid',
  ])
    await expect(decision).toContainText(shown)
  expect(await decision.innerText()).not.toMatch(/[\u001b\u202e]/)
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  await expect(decision.locator('img')).toHaveCount(0)
  expect(errors).toEqual([])
})

test('the attempts of one work are a strip above the calls, and [ and ] walk them', async ({
  page,
  seed,
}) => {
  const ids = await retriedWork(seed)
  await page.goto(links.execution(ids[1]!, 'calls'))
  const attempts = page.getByRole('region', { name: 'Attempts', exact: true })
  await expect(attempts.getByRole('link', { name: /^Attempt \d/ })).toHaveCount(3)
  await expect(attempts.locator('[aria-current=true]')).toContainText('Attempt 2')
  await expect(attempts).toContainText('2 of 3 attempts failed')
  await expect(attempts.getByText('stopped before its marker').first()).toBeVisible()
  await expect(attempts.getByText("won't help")).toBeVisible()
  await expect(attempts.getByRole('region', { name: /^First failing attempt/ })).toContainText(
    'The agent stopped without printing its completion marker',
  )
  await expect(attempts.getByRole('region', { name: /^Last failing attempt/ })).toContainText(
    'does not match “plan_path',
  )
  await page.keyboard.press(']')
  await expect(page).toHaveURL(new RegExp(`${ids[2]}\\?view=calls`))
  await expect(attempts.locator('[aria-current=true]')).toContainText('Attempt 3')
  await page.keyboard.press('[')
  await page.keyboard.press('[')
  await expect(page).toHaveURL(new RegExp(`${ids[0]}\\?view=calls`))
  await expect(attempts.locator('[aria-current=true]')).toContainText('Attempt 1')
})

test('what a later attempt did again stands with the attempts that did it, and a run says which attempt it is', async ({
  page,
  seed,
}) => {
  const key = `announce ${randomUUID()}`
  const chain = (attempt: number) => ({
    ...brokenContract,
    chain: { key, attempt },
    runs: ['cd /srv/shop && gh pr comment 7 --body "Begun."'],
  })
  const [first, second] = [await seed.run(chain(1)), await seed.run(chain(2))]
  await page.goto(links.execution(second))
  await page.getByRole('link', { name: 'Attempt 2 of 2' }).click()
  const again = page.getByRole('region', { name: /^Repeated by a later attempt/ })
  await expect(again).toContainText('ran gh pr comment')
  await expect(again).toContainText('attempt 2 with the same input')
  await expect(page.getByRole('link', { name: /^Attempt 2/ }).filter({ hasText: '1 again' })).toBeVisible()
  await again.getByRole('link', { name: 'attempt 1' }).click()
  await expect(page).toHaveURL(new RegExp(`${first}\\?view=calls&call=`))
  await expect(page.getByRole('heading', { name: /Bash/ }).first()).toBeVisible()
})

test('a run that was made once has no strip of attempts', async ({ page, seed }) => {
  const id = await seed.run(brokenContract)
  await page.goto(links.execution(id, 'calls'))
  await expect(page.getByText('No tool calls.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Attempts', exact: true })).toHaveCount(0)
})

test('of a run that its source alone tells of, the content states that are left open are named', async ({
  page,
  seed,
}) => {
  const session = randomUUID()
  const entry = {
    session_id: session,
    dir_name: session,
    timestamp: '2026-11-02T08:02:00Z',
    kitchen_id: session,
    skill_command: '/plan',
    success: false,
    subtype: 'empty_result',
    cli_subtype: 'success',
    exit_code: 0,
  }
  const { executions } = await seed.send(`${JSON.stringify(entry)}\n`, 'autoskillit')
  const id = executions[0]!.id
  await page.goto(links.execution(id, 'cause', { decision: 'open' }))
  const decision = page.getByRole('region', { name: 'Decision', exact: true })
  await expect(decision.getByRole('button', { name: /^Decision/ })).toContainText('Absent or session error')
  await expect(decision).toContainText('the source kept its verdict, not the output')
  for (const state of ['absent', 'session_error']) {
    await page.goto(`/executions?q=${encodeURIComponent(`state:${state} ${session}`)}`)
    await expect(page.getByRole('row').filter({ hasText: 'The result was blank' })).toHaveCount(1)
  }
})
