import { randomUUID } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { links } from '../lib/links'
import { boxOf } from './support/box'
import { expect, test } from './support/test'

const withinViewport = async (part: Locator): Promise<void> => {
  await expect(part).toBeVisible()
  const box = await boxOf(part)
  expect(box.y).toBeGreaterThanOrEqual(0)
  expect(box.y + box.height).toBeLessThanOrEqual(900)
  expect(box.x + box.width).toBeLessThanOrEqual(1440)
}

test('what broke, whether a retry could help and what to do stand on the first screen, and the sentence leads to its bytes', async ({
  page,
  seed,
  request,
}) => {
  const text = 'Exit code 1\nsrc/cart.ts(14,26): error TS2345: Argument of type "Größe" is not assignable – ✗'
  const id = await seed.execution(
    seed
      .transcript()
      .user('Build the shop, please')
      .says('I will build it.')
      .call(
        'Read',
        { file_path: '/srv/shop/cart.ts' },
        { fails: '<tool_use_error>File does not exist.</tool_use_error>' },
      )
      .call('Bash', { command: 'npm run build' }, { fails: text }),
  )
  await page.goto(links.execution(id))
  const cause = page.getByRole('region', { name: 'Cause' })
  await expect(cause).toContainText('error TS2345')
  await withinViewport(cause)
  const retry = page.getByRole('region', { name: 'Would a retry help?' })
  await withinViewport(retry)
  await expect(retry).toContainText(/Retrying (won't|may) help|A retry helped|Unclear if/)
  const next = page.getByRole('region', { name: 'What to do next' })
  await withinViewport(next)
  expect((await next.innerText()).replace('What to do next', '').trim().length).toBeGreaterThan(10)
  await withinViewport(page.getByRole('region', { name: /^Main failing call/ }).getByRole('strong'))
  expect(await page.evaluate(() => window.scrollY)).toBe(0)

  await cause.getByRole('link', { name: 'View evidence' }).click()
  await expect(page).toHaveURL(/view=raw&at=/)
  const mark = page.getByLabel('Exact bytes').locator('mark')
  await expect(mark).toBeInViewport()
  const at = /at=([0-9a-f]{64})(?:%3A|:)(\d+)-(\d+)/.exec(page.url())!
  const kept = await (await request.get(links.api.received(at[1]!))).body()
  const pointed = kept.subarray(Number(at[2]), Number(at[3])).toString('utf8')
  expect(await mark.textContent()).toBe(pointed)
  expect(pointed).toContain('error TS2345')
  // A program gets the same bytes at the same place.
  const range = await request.get(links.api.received(at[1]!, { start: Number(at[2]), end: Number(at[3]) }))
  expect((await range.body()).toString('utf8')).toBe(pointed)

  await page.goBack()
  await expect(cause).toBeVisible()
})

test('what does not fit into the box of a failing call is told, and leads to its bytes', async ({
  page,
  seed,
}) => {
  const lines = Array.from({ length: 20 }, (_, n) => `  at step ${n} (src/cart.ts:${n})`)
  const fails = `Exit code 1\nError: ${'x'.repeat(400)}\n${lines.join('\n')}`
  const command = `deploy ${Array.from({ length: 40 }, (_, n) => `--part-${n}`).join(' ')}`
  const id = await seed.execution(seed.transcript().user('Go').call('Bash', { command }, { fails }))
  await page.goto(links.execution(id))
  const failing = page.getByRole('region', { name: /failing call/ })
  const box = failing.getByLabel('Error text')
  expect(await box.evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBe(0)
  const more = failing.getByText(/^… \d+ more lines$/)
  await expect(more).toBeVisible()
  const [hidden, shown] = await box.evaluate((pre) => {
    const px = parseFloat(getComputedStyle(pre).lineHeight)
    return [(pre.scrollHeight - pre.clientHeight) / px, (pre.clientHeight - 10) / px]
  })
  // Whole lines, and as many as are said to be left.
  expect(Math.abs(shown! - Math.round(shown!))).toBeLessThan(0.06)
  expect(Math.abs(hidden! - Number(/\d+/.exec((await more.textContent())!)![0]))).toBeLessThan(1)
  await expect(failing).toContainText(/--part-\d+… \d+ more characters in the raw call/)
  await failing.getByRole('link', { name: 'View raw error' }).click()
  await expect(page.getByLabel('Exact bytes').locator('mark')).toContainText('at step 19')
})

test('a run in which nothing failed shows no failure', async ({ page, seed }) => {
  const id = await seed.execution(
    seed.transcript().user('Hello').call('Bash', { command: 'true' }).says('Done.'),
  )
  await page.goto(links.execution(id))
  await expect(page.getByRole('region', { name: 'Cause' })).toContainText('Nothing failed')
  await expect(page.getByRole('link', { name: /View (evidence|raw error)/ })).toHaveCount(0)
  await expect(page.getByRole('region', { name: /failing call/i })).toHaveCount(0)
})

test('what an agent wrote is shown, never obeyed', async ({ page, seed }) => {
  const dialogs: string[] = []
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.message())
    await dialog.dismiss()
  })
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  const hostile =
    'Exit code 1\n<img src=x onerror="alert(1)"><script>window.ran = true</script> \u001b[31mred\u001b[0m \u202etxt.exe\u202c nul:\u0000 end'
  const id = await seed.execution(
    seed
      .transcript({ branch: '<b>bold</b>' })
      .user('<h1 id=injected>Title</h1>')
      .call('Bash', { command: '"><script>window.ran = true</script>' }, { fails: hostile }),
  )
  for (const view of ['cause', 'calls', 'timeline', 'raw'] as const) {
    await page.goto(links.execution(id, view))
    await expect(page.getByRole('heading', { level: 1 })).toContainText('<h1 id=injected>Title</h1>')
    await expect(page.locator('#injected')).toHaveCount(0)
    await expect(page.locator('main img')).toHaveCount(0)
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    expect(await page.locator('main').innerText()).not.toMatch(/[\u0000\u001b\u202e\u202c]/)
  }
  await page.goto(links.execution(id))
  const error = page.getByLabel('Error text')
  for (const shown of [
    '<img src=x onerror="alert(1)">',
    '<script>window.ran = true</script>',
    '␛[31m',
    '⟨U+202E⟩',
    '␀',
  ])
    await expect(error).toContainText(shown)
  await page.goto(links.executions(`q=${encodeURIComponent('branch:"<b>bold</b>"')}`))
  await expect(page.getByRole('row').filter({ hasText: '<b>bold</b>' }).first()).toBeVisible()
  expect(await page.locator('main').innerText()).not.toMatch(/[\u0000\u001b\u202e]/)
  expect(dialogs).toEqual([])
  expect(errors).toEqual([])
})

test('Calls draws the chain of attempts, and a call opens beside it', async ({ page, seed }) => {
  const id = await seed.execution(
    seed
      .transcript()
      .user('Test it')
      .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\n2 failed' })
      .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\n1 failed' })
      .call('Bash', { command: 'npm test' }, { ok: 'all passed' })
      .says('All tests pass.'),
  )
  await page.goto(links.execution(id))
  await page.getByRole('link', { name: /^Calls/ }).click()
  const chain = page
    .getByRole('region', { name: 'Retry chains' })
    .getByRole('listitem')
    .filter({ hasText: 'Chain 1' })
  await expect(chain).toContainText('then success')
  await expect(chain.getByRole('button')).toHaveCount(3)
  await expect(chain).toContainText('same input')
  await expect(chain).toContainText('inferred')
  await chain.getByRole('button', { name: /Call 2/ }).click()
  const call = page.getByRole('complementary', { name: 'Call 2' })
  await expect(call).toContainText('1 failed')
  await expect(page).toHaveURL(/call=/)
  await page.reload()
  await expect(call).toContainText('1 failed')
  await page.keyboard.press('[')
  await expect(page.getByRole('complementary', { name: 'Call 1' })).toContainText('2 failed')
})

test('Timeline draws every call in its order', async ({ page, seed }) => {
  const transcript = seed.transcript().user('Go')
  for (let n = 1; n <= 5; n++)
    transcript.call('Bash', { command: `step-${n}` }, n === 3 ? { fails: 'Exit code 1\nno' } : { ok: 'ok' })
  const id = await seed.execution(transcript.says('Done.'))
  await page.goto(links.execution(id, 'timeline'))
  const rows = page.getByRole('row').filter({ hasText: /step-\d/ })
  await expect(rows).toHaveCount(5)
  expect((await rows.allInnerTexts()).map((text) => /step-\d/.exec(text)![0])).toEqual([
    'step-1',
    'step-2',
    'step-3',
    'step-4',
    'step-5',
  ])
  await expect(rows.nth(2).getByRole('img', { name: 'Failed', exact: true })).toBeVisible()
})

test('the labels of the time axis stand apart, also beside an open panel', async ({ page, seed }) => {
  const transcript = seed.transcript().user('Go')
  for (const seconds of [3_000, 40, 5_000, 900])
    transcript.call('Bash', { command: `wait ${seconds}` }, { ok: 'ok' }, seconds)
  const id = await seed.execution(transcript)
  await page.goto(links.execution(id, 'timeline'))
  const labels = page.getByText(/^(\d\d:\d\d:\d\d UTC|\+\d+ (h|min) .*)$/).filter({ visible: true })
  const gaps = async (): Promise<number[]> => {
    const boxes = (await Promise.all((await labels.all()).map(boxOf))).sort((a, b) => a.x - b.x)
    return boxes.slice(1).map((box, i) => box.x - boxes[i]!.x - boxes[i]!.width)
  }
  await expect(labels.first()).toBeVisible()
  expect(Math.min(...(await gaps()))).toBeGreaterThan(4)
  await page.getByRole('row', { name: /wait 40/ }).click()
  await expect(page.getByRole('complementary', { name: 'Call 2' })).toBeVisible()
  for (const width of [1440, 1200, 1100, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const found = await gaps()
    expect(found.length, `${width}`).toBeGreaterThan(0)
    expect(Math.min(...found), `${width}`).toBeGreaterThan(4)
  }
})

test('a JSON pointer in the fragment opens the path and highlights it', async ({ page, seed }) => {
  const id = await seed.execution(
    seed.transcript().user('Go').call('Bash', { command: 'make' }, { fails: 'Exit code 1\nbroken' }),
  )
  const detail = await seed.read(id)
  const pointer = detail.cause!.pointer!
  await page.goto(`${links.bytes(id, { ...pointer, jsonPointer: undefined })}#/message/content/0/is_error`)
  const item = page.getByRole('row', { selected: true })
  await expect(item).toContainText('is_error')
  await expect(item).toContainText('true')
  await expect(item).toBeInViewport()
})

test('a link to a call far down in the timeline shows its row', async ({ page, seed }) => {
  const transcript = seed.transcript().user('Go')
  for (let i = 0; i < 80; i++)
    transcript.call(
      'Bash',
      { command: `step ${i}` },
      i === 60 ? { fails: 'Exit code 1\nbroken' } : { ok: 'ok' },
    )
  const id = await seed.execution(transcript)
  const callId = transcript.lines.flatMap((line) => /"id":"(toolu[^"]*)"/.exec(line)?.[1] ?? []).at(60)!
  await page.goto(`${links.execution(id, 'timeline')}&call=${encodeURIComponent(callId)}`)
  await expect(page.getByRole('complementary', { name: 'Call 61' })).toBeVisible()
  await expect(page.getByRole('row', { name: /step 60\b/ })).toBeInViewport({ ratio: 1 })
})

test('a line with torn UTF-8 is told on Cause and in the list, and leads to its bytes', async ({
  page,
  seed,
}) => {
  const branch = `torn-${randomUUID().slice(0, 8)}`
  const transcript = seed.transcript({ branch }).user('Go').says('The caf\u00e9 is open.').says('Done.')
  const bytes = Buffer.from(transcript.text)
  // The second byte of the letter is lost.
  bytes[bytes.indexOf('caf\u00e9') + 4] = 0x20
  const { executions } = await seed.send(bytes)
  await page.goto(links.executions(`q=branch:${branch}`))
  const row = page.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(row).toContainText('1 record could not be read, or not wholly')
  // The mark has words of its own and opens the row as any other place in it does.
  await row.getByTitle('1 record could not be read, or not wholly').click()
  await expect(page).toHaveURL(new RegExp(`${links.execution(executions[0]!.id)}$`))
  await expect(page.getByText('1 record could not be fully parsed. The originals are in Raw.')).toBeVisible()
  await page.getByRole('link', { name: 'Show it' }).click()
  await expect(page.getByText('not UTF-8').first()).toBeVisible()
})
