import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { links } from '../lib/links'
import { admin, redeemLink } from './support/people'
import { expect, ownTest, seedWith, test } from './support/test'

const rowsOf = (page: Page): Locator => page.getByRole('row').filter({ has: page.getByRole('cell') })
const unique = (what: string): string => `${what}-${randomUUID().slice(0, 8)}`

test('facets, words and the written query are the same filter, and the address holds it', async ({
  page,
  seed,
}) => {
  const branch = unique('find')
  const word = unique('parcel')
  await seed.send(
    seed
      .transcript({ branch })
      .user(`Weigh the ${word}`)
      .call('Bash', { command: 'weigh' }, { fails: 'Exit code 2\nno scale found' }),
  )
  await seed.send(
    seed
      .transcript({ branch })
      .user('Read the list')
      .call(
        'Read',
        { file_path: '/srv/list' },
        { fails: '<tool_use_error>File does not exist.</tool_use_error>' },
      ),
  )
  await seed.send(seed.transcript({ branch }).user('All is well').says('Yes.'))

  await page.goto(links.executions(`q=branch:${branch}`))
  const rows = rowsOf(page)
  await expect(rows).toHaveCount(3)
  await expect(page.getByText('3 match')).toBeVisible()

  await page.getByRole('checkbox', { name: /^Failed/ }).check()
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/outcome%3Afailed|outcome:failed/)

  const query = page.getByRole('searchbox', { name: 'Filter executions' })
  await expect(query).toHaveValue(`outcome:failed branch:${branch}`)
  await query.fill(`outcome:failed branch:${branch} ${word}`)
  await query.press('Enter')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('no scale found')

  await page.reload()
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('checkbox', { name: /^Failed/ })).toBeChecked()
  await page.goBack()
  await expect(rows).toHaveCount(2)
  await expect(query).toHaveValue(`outcome:failed branch:${branch}`)
  await page.goBack()
  await expect(rows).toHaveCount(3)
  await expect(page.getByRole('checkbox', { name: /^Failed/ })).not.toBeChecked()

  await page.goForward()
  await page.getByRole('button', { name: 'Remove Outcome: failed' }).click()
  await expect(rows).toHaveCount(3)
})

test('executions are found by what was decided about them, as far as anything was', async ({
  page,
  seed,
}) => {
  const branch = unique('decided')
  await seed.send(seed.transcript({ branch }).user('All is well').says('Yes.'))
  const refused = seed
    .transcript({ branch })
    .user('Read the list')
    .call(
      'Read',
      { file_path: '/srv/list' },
      { fails: '<tool_use_error>File does not exist.</tool_use_error>' },
    )
  const { advice } = await seed.read(await seed.execution(refused))
  const words = { 'could-help': 'May help', 'cannot-help': "Won't help", unknown: 'Unclear' }[
    advice!.retry as string
  ]!

  await page.goto(links.executions(`q=branch:${branch}`))
  const decision = page.getByRole('region', { name: 'Decision' })
  await expect(decision.getByRole('checkbox', { name: /^Inference/ })).toBeVisible()
  await expect(decision.getByRole('group')).toHaveCount(2)
  await decision
    .getByRole('group', { name: 'Would a retry help' })
    .getByRole('checkbox', { name: `${words} 1` })
    .check()
  const rows = rowsOf(page)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('File does not exist')
  await expect(page.getByRole('searchbox', { name: 'Filter executions' })).toHaveValue(
    `help:${advice!.retry} branch:${branch}`,
  )
  await decision.getByRole('checkbox', { name: /^Inference/ }).check()
  await expect(page.getByText('1 match')).toBeVisible()
  await page.getByRole('button', { name: `Remove Would a retry help: ${words}` }).click()
  await expect(rows).toHaveCount(2)

  await page.goto(links.executions(`q=${encodeURIComponent(`branch:${branch} attempts:>3 state:absent`)}`))
  await expect(page.getByRole('heading', { name: 'No matching executions' })).toBeVisible()
  for (const term of ['Attempts: 4', 'Attempts: 5 or more', 'Content state: Absent'])
    await expect(page.getByRole('button', { name: `Remove ${term}` })).toBeVisible()
  await expect(decision.getByRole('checkbox', { name: /^5 or more/ })).toBeChecked()
})

test('a filter that matches nothing names the term to drop', async ({ page, seed }) => {
  const branch = unique('nothing')
  await seed.send(seed.transcript({ branch }).user('All is well').says('Yes.'))
  await page.goto(links.executions(`q=${encodeURIComponent(`branch:${branch} "no such words"`)}`))
  await expect(page.getByRole('heading', { name: 'No matching executions' })).toBeVisible()
  const drop = page.getByRole('button', { name: /without "no such words"/ })
  await expect(drop).toContainText('1 match')
  await drop.click()
  await expect(rowsOf(page)).toHaveCount(1)
})

test('a field that nobody knows is told and searched for as words, also when it was typed', async ({
  page,
}) => {
  await page.goto(links.executions('q=colour:red'))
  await expect(page.getByText('“colour” is not a field', { exact: false })).toBeVisible()
  const query = page.getByRole('searchbox', { name: 'Filter executions' })
  await query.fill('-outcome:failed')
  await query.press('Enter')
  await expect(page.getByText('“-outcome” is not a field', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove contains: -outcome:failed' })).toBeVisible()

  await query.press('Tab')
  await expect(page.getByRole('button', { name: 'Fields of the filter' })).toBeFocused()
  await page.keyboard.press('Enter')
  const help = page.getByRole('dialog', { name: 'Fields of the filter' })
  for (const example of [
    'outcome:failed',
    'source:',
    'class:exit_code',
    'state:',
    'help:',
    'attempts:>1',
    'repository:',
    'branch:',
  ])
    await expect(help).toContainText(example)
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
})

test('a search of signs alone says that nothing was searched, and with which conditions the list is made', async ({
  page,
  seed,
}) => {
  const branch = unique('signs')
  await seed.execution(seed.transcript({ branch }).user('Go').says('Done.'))
  await page.goto(links.executions('q=(('))
  await expect(
    page.getByText('“((” has no letters or digits and was ignored. Showing all executions.'),
  ).toBeVisible()
  await expect(rowsOf(page).first()).toBeVisible()
  await page.goto(links.executions(`q=${encodeURIComponent(`(( branch:${branch}`)}`))
  await expect(page.getByText('“((” has no letters or digits and was ignored.')).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove not searched: ((' }).click()
  await expect(page.getByText('no letters or digits')).toHaveCount(0)
})

test('what is asked for before the scripts of the page have come is searched for', async ({ page }) => {
  let typed = (): void => undefined
  const wait = new Promise<void>((resolve) => (typed = resolve))
  await page.route('**/_next/static/**/*.js', async (route) => {
    await wait
    await route.continue()
  })
  await page.goto(links.executions(), { waitUntil: 'commit' })
  const query = page.getByRole('searchbox', { name: 'Filter executions' })
  await query.fill('zebra')
  await query.press('Enter')
  typed()
  await expect(page.getByRole('button', { name: 'Remove contains: zebra' })).toBeVisible()
  await expect(page).toHaveURL(/q=zebra/)
})

test('a value that no execution can have is told', async ({ page }) => {
  await page.goto(links.executions('q=outcome:bogus'))
  await expect(
    page.getByText('“bogus” is not a known outcome (running, succeeded,', { exact: false }),
  ).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No matching executions' })).toBeVisible()
})

test('an id of words alone is offered before the search for its words', async ({ page, seed }) => {
  const letters = randomUUID().replace(/[\d-]/g, (c) => (c === '-' ? '' : 'ghijklmnop'[Number(c)]!))
  const sessionId = `nightly-${letters}`
  await seed.send(
    seed
      .transcript({ sessionId: `${sessionId}-again` })
      .user('Another one')
      .says('Done.'),
  )
  const id = await seed.execution(seed.transcript({ sessionId }).user('The very one').says('Done.'))
  await page.goto(links.executions())
  await page.getByRole('button', { name: 'Go to an ID, URL or page' }).click()
  await page.getByRole('combobox').fill(sessionId)
  const options = page.getByRole('option')
  await expect(options.first()).toContainText('The very one')
  await expect(options.nth(1)).toContainText('Search executions for')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(links.execution(id))
})

test('a word of the list that is the id of a call is offered to be opened', async ({ page, seed }) => {
  const transcript = seed
    .transcript()
    .user('Go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' })
  await seed.execution(transcript)
  const callId = /"id":"(toolu[^"]*)"/.exec(transcript.text)![1]!
  await page.goto(links.executions())
  const query = page.getByRole('searchbox', { name: 'Filter executions' })
  await query.fill(`no-such-id-1 ${callId}`)
  await query.press('Enter')
  const offers = page.getByRole('list', { name: 'Found by ID' }).getByRole('listitem')
  await expect(offers).toHaveCount(1)
  await offers.getByRole('link', { name: `Open ${callId} (call)` }).click()
  await expect(page).toHaveURL(/view=calls&call=toolu/)
  await expect(page.getByRole('complementary', { name: 'Call 1' })).toContainText('broken')
})

test('the id of a record opens its bytes', async ({ page, seed }) => {
  const transcript = seed
    .transcript()
    .user('Go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' })
    .says('It is broken.')
  await seed.execution(transcript)
  const record = JSON.parse(transcript.lines.at(-1)!) as { uuid: string }
  await page.goto(links.anyId(record.uuid))
  await expect(page).toHaveURL(/view=raw&at=/)
  await expect(page.getByLabel('Exact bytes')).toContainText(record.uuid)
  await expect(page.getByRole('option', { selected: true })).toContainText('It is broken.')
})

test('an address that leads nowhere says so, why that may be, and leads on', async ({ page, seed }) => {
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('/no/such/page')
  const transcript = seed.transcript().user('Found after all').says('Done.')
  const id = await seed.execution(transcript)
  const { sessionId } = transcript.options
  // The source's id in the place of ours: easily done, and one step from the right page.
  await page.goto(links.execution(sessionId))
  await expect(page.getByRole('heading', { name: 'Execution not found' })).toBeVisible()
  await expect(page.getByLabel('Find by ID')).toHaveValue(sessionId)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await expect(page).toHaveURL(links.execution(id))
})

test('the page of a problem leads on', async ({ page }) => {
  await page.goto(links.problem('too-large'))
  await expect(page.getByRole('heading', { name: 'What to do' })).toBeVisible()
  const ways = page.getByRole('navigation', { name: 'Go to' })
  await expect(ways.getByLabel('Find by ID')).toBeVisible()
  await ways.getByRole('link', { name: 'All executions' }).click()
  await expect(page).toHaveURL(links.executions())
})

test('scrolling reaches the last of 250 executions without a gap or a repetition', async ({ page, seed }) => {
  test.setTimeout(120_000)
  const branch = unique('many')
  const names = Array.from({ length: 250 }, (_, n) => `${branch} number ${String(n).padStart(3, '0')}`)
  const waiting = [...names.entries()]
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        // Some share their moment: the order of those must hold across pages all the same.
        const startedAt = new Date(Date.UTC(2026, 9, 1, 0, Math.floor(next[0] / 3))).toISOString()
        await seed.send(seed.transcript({ branch, startedAt }).user(next[1]).says('Done.'))
      }
    }),
  )
  await page.goto(links.executions(`q=branch:${branch}`))
  await expect(page.getByText('250 match')).toBeVisible()
  const seen: string[] = []
  const readRows = async (): Promise<void> => {
    const now = await rowsOf(page).evaluateAll(
      (rows, prefix) =>
        rows.map(
          (row) =>
            [
              Number(row.getAttribute('aria-rowindex')),
              new RegExp(`${prefix} number \\d+`).exec(row.textContent ?? '')?.[0] ?? '',
            ] as const,
        ),
      branch,
    )
    for (const [index, name] of now) {
      if (seen[index - 2] !== undefined) expect(name).toBe(seen[index - 2])
      seen[index - 2] = name
    }
  }
  await expect(async () => {
    await readRows()
    await page.mouse.wheel(0, 500)
    await expect(page.getByText('End of list')).toBeInViewport({ timeout: 50 })
  }).toPass({ intervals: [0], timeout: 60_000 })
  await readRows()
  expect([...seen].sort()).toEqual(names)
})

test('the list and its executions are walked by keys', async ({ page, seed, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const branch = unique('keys')
  for (const n of [1, 2, 3]) {
    await seed.send(
      seed
        .transcript({ branch, startedAt: `2026-11-0${n}T08:00:00.000Z` })
        .user(`Task ${n}`)
        .call('Bash', { command: 'make' }, { fails: `Exit code ${n}\nbroken ${n}` }),
    )
  }
  await page.goto(links.executions(`q=branch:${branch}`))
  const rows = rowsOf(page)
  await expect(rows).toHaveCount(3)
  const active = page.locator('[role=row][aria-selected=true]')
  await page.keyboard.press('j')
  await expect(active).toContainText('broken 3')
  await page.keyboard.press('j')
  await expect(active).toContainText('broken 2')
  await page.keyboard.press('k')
  await expect(active).toContainText('broken 3')
  await page.keyboard.press('Space')
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('broken 3')
  await page.keyboard.press('j')
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('broken 2')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary', { name: 'Preview' })).toBeHidden()

  await page.keyboard.press('/')
  const query = page.getByRole('searchbox', { name: 'Filter executions' })
  await expect(query).toBeFocused()
  await page.keyboard.press('j')
  await expect(query).toHaveValue(/j$/)
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  await expect(query).not.toBeFocused()

  // As fast as keys come from a person in a hurry: the closed panel is not in the link, though the address is written late.
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/peek=/)
  await page.evaluate(() => {
    for (const key of ['Escape', 'y'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  })
  await expect(page.getByText('Link copied')).toBeAttached()
  await expect(page).not.toHaveURL(/peek=/)
  // The list names its project in the link, for readers who have several.
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${page.url()}&project=default`)

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.keyboard.press('Enter')
  const cause = page.getByRole('region', { name: 'Cause' })
  await expect(cause).toContainText('broken 2')
  const place = page.getByRole('group', { name: 'Position in the list' })
  await expect(place).toContainText('No. 2 in the list')
  await expect(place.getByRole('link', { name: 'Next execution in the list (>)' })).toBeVisible()
  await page.keyboard.press('<')
  await expect(cause).toContainText('broken 3')
  await page.keyboard.press('<')
  await expect(page.getByText('This is the first execution in the list')).toBeAttached()
  await page.keyboard.press('>')
  await expect(cause).toContainText('broken 2')
  await page.keyboard.press('>')
  await expect(cause).toContainText('broken 1')
  await page.keyboard.press('2')
  await expect(page.getByRole('heading', { name: 'Retry chains' })).toBeVisible()
  await expect(page).toHaveURL(/view=calls/)
})

test('what is typed right after the key of the palette stands in it, and moves nothing on the page', async ({
  page,
  seed,
}) => {
  await seed.execution(seed.transcript().user('Go').says('Done.'))
  await page.goto(links.executions())
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('jkg zebra')
  const input = page.getByRole('combobox', { name: /^Go to an ID/ })
  await expect(input).toHaveValue('jkg zebra')
  // The key once more, while it is open, takes nothing away.
  await page.keyboard.press('Control+k')
  await page.keyboard.type(' crossing')
  await expect(input).toHaveValue('jkg zebra crossing')
  await expect(page).toHaveURL(/\/executions$/)
})

test('what is shown is what the address says, also after two quick steps back behind a reload', async ({
  page,
  seed,
}) => {
  const id = await seed.execution(
    seed.transcript().user('Go').call('Bash', { command: 'false' }, { fails: 'Exit code 1' }),
  )
  await page.goto(links.execution(id))
  const tab = (view: RegExp) => page.locator('main').getByRole('link', { name: view })
  for (const view of [/^Calls/, /^Timeline/]) {
    await tab(view).click()
    await expect(tab(view)).toHaveAttribute('aria-current', 'page')
  }
  await page.reload()
  await expect(page.locator('html[data-ready]')).toBeAttached()
  await page.evaluate(() => {
    history.back()
    setTimeout(() => history.back(), 100)
  })
  await expect(page).toHaveURL(new RegExp(`/executions/${id}$`))
  await expect(tab(/^Cause/)).toHaveAttribute('aria-current', 'page')
})

// On a server of its own: others take executions in that were cancelled.
ownTest(
  'an outcome that no execution has beside others that failed is no reason to say that none did',
  async ({ page, own, playwright }) => {
    const inquest = await own.start()
    await redeemLink(page, inquest.link, admin)
    const seed = seedWith(await playwright.request.newContext(), inquest)
    await seed.execution(
      seed.transcript().user('Go').call('Bash', { command: 'false' }, { fails: 'Exit code 1' }),
    )
    await page.goto(inquest.url + links.executions('q=outcome:cancelled'))
    await expect(page.getByRole('heading', { name: 'No matching executions' })).toBeVisible()
  },
)
