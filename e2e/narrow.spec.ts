import { links } from '../lib/links'
import { boxOf } from './support/box'
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
  const rows = await page.getByRole('treegrid').getByRole('row').filter({ has: page.getByRole('gridcell') }).all()
  const boxes = await Promise.all(rows.map(boxOf))
  for (const [i, box] of boxes.entries()) if (i > 0) expect(box.y).toBeGreaterThanOrEqual(boxes[i - 1]!.y + boxes[i - 1]!.height - 1)
})

test('records are found in a box that takes the width of a telephone', async ({ page, seed }) => {
  const { id } = await richExecution(seed)
  await page.goto(links.execution(id, 'raw'))
  expect((await boxOf(page.getByLabel('Find in records'))).width).toBeGreaterThan(300)
})

test('what stands on the edge of a chain is whole on a telephone', async ({ page, seed }) => {
  const { id } = await richExecution(seed)
  await page.goto(links.execution(id, 'attempts'))
  const edges = page.getByRole('region', { name: 'Retry chains' }).getByText('inferred: same tool, same target')
  await expect(edges).toHaveCount(2)
  for (const edge of await edges.all()) {
    const { x, width } = await boxOf(edge)
    expect(x).toBeGreaterThanOrEqual(16)
    expect(x + width).toBeLessThanOrEqual(374)
  }
})

test('an odd record says in the timeline that it was not understood, even when it is empty', async ({ page, seed }) => {
  const transcript = seed.transcript().user('Go').says('Done.')
  const id = await seed.execution(transcript)
  await seed.send(Buffer.concat([Buffer.from(transcript.text), Buffer.from('\t\u0001\u0002\n{"torn": \n')]))
  await page.goto(links.execution(id, 'timeline'))
  const odd = page.getByRole('treegrid').getByRole('row').filter({ hasText: 'not JSON' })
  await expect(odd.first()).toBeVisible()
  for (const row of await page.getByRole('treegrid').getByRole('row').all()) expect((await row.innerText()).trim()).not.toBe('')
})
