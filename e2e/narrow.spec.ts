import { links } from '../lib/links'
import { boxOf } from './support/box'
import { ciRun } from './support/ci-pages'
import { richExecution } from './support/pages'
import { expect, test } from './support/test'

test.use({ viewport: { width: 390, height: 844 } })

test('the timeline has its bars on a telephone', async ({ page, seed }) => {
  const { id } = await richExecution(seed)
  await page.goto(links.execution(id, 'timeline'))
  const bars = page.getByRole('treegrid').getByRole('img', { name: /^(Succeeded|Failed), / })
  await expect(bars).toHaveCount(6)
  for (const bar of await bars.all()) await expect(bar).toBeInViewport()
  // The longest takes its share of the width, and rows do not lie over each other.
  expect((await boxOf(bars.nth(3))).width).toBeGreaterThan(80)
  const rows = await page
    .getByRole('treegrid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })
    .all()
  const boxes = await Promise.all(rows.map(boxOf))
  for (const [i, box] of boxes.entries())
    if (i > 0) expect(box.y).toBeGreaterThanOrEqual(boxes[i - 1]!.y + boxes[i - 1]!.height - 1)
})

test('records are found in a box that takes the width of a telephone', async ({ page, seed }) => {
  const { id } = await richExecution(seed)
  await page.goto(links.execution(id, 'raw'))
  expect((await boxOf(page.getByLabel('Find in records'))).width).toBeGreaterThan(300)
})

test('what stands on the edge of a chain is whole on a telephone', async ({ page, seed }) => {
  const { id } = await richExecution(seed)
  await page.goto(links.execution(id, 'calls'))
  const edges = page
    .getByRole('region', { name: 'Retry chains' })
    .getByText('inferred: same tool, same target')
  await expect(edges).toHaveCount(2)
  for (const edge of await edges.all()) {
    const { x, width } = await boxOf(edge)
    expect(x).toBeGreaterThanOrEqual(16)
    expect(x + width).toBeLessThanOrEqual(374)
  }
})

test('an odd record says in the timeline that it was not understood, even when it is empty', async ({
  page,
  seed,
}) => {
  const transcript = seed.transcript().user('Go').says('Done.')
  const id = await seed.execution(transcript)
  await seed.send(Buffer.concat([Buffer.from(transcript.text), Buffer.from('\t\u0001\u0002\n{"torn": \n')]))
  await page.goto(links.execution(id, 'timeline'))
  const odd = page.getByRole('treegrid').getByRole('row').filter({ hasText: 'not JSON' })
  await expect(odd.first()).toBeVisible()
  for (const row of await page.getByRole('treegrid').getByRole('row').all())
    expect((await row.innerText()).trim()).not.toBe('')
})

/** How many parts of it end in dots. */
const cutIn = (part: Element): number =>
  [part, ...part.querySelectorAll('*')].filter(
    (one) =>
      one.scrollWidth > one.clientWidth &&
      getComputedStyle(one).overflow === 'hidden' &&
      !one.matches('.sr-only'),
  ).length

test('the title, the run, the id and the facts are whole on a telephone, however long', async ({
  page,
  seed,
}) => {
  const unbroken = 'words_and_no_blank_'.repeat(8)
  const ci = { ...ciRun(), path: `acme/${unbroken}`, branch: unbroken }
  const run = {
    command: ['claude', '-p', `Plan ${unbroken}`],
    result: null,
    exitCode: 3,
    stderr: 'the oven is cold\n',
  }
  const id = await seed.run({ ...run, ci: { ...ci, job: unbroken } })
  await seed.run({ ...run, ci: { ...ci, job: 'bake' } })
  for (const address of [
    links.ciRun(ci.provider, ci.path, ci.run, null, { open: id }),
    links.execution(id),
  ]) {
    await page.goto(address)
    const facts = page.getByRole('region', { name: 'Facts' })
    await expect(facts).toContainText(unbroken)
    const fact = facts.getByRole('definition')
    const parts = [
      page.getByRole('heading', { level: 1 }),
      fact.filter({ hasText: 'UTC' }),
      fact.filter({ hasText: unbroken }),
    ]
    if (address === links.execution(id))
      parts.push(page.getByTitle('ID in the source'), page.getByRole('link', { name: /^CI run/ }))
    else
      for (const place of [
        page.getByRole('region', { name: 'Opened execution' }),
        page.getByRole('complementary'),
      ])
        parts.push(place.getByTitle(unbroken, { exact: true }))
    for (const part of parts)
      expect(await part.first().evaluate(cutIn), await part.first().innerText()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
})
