import { DECIDED_FAILURES } from '../db/seed/decided-failures'
import { links } from '../lib/links'
import { expect, test } from './support/test'

/** What has to be on the first screen of each, besides the words of the sentence (db/writes/derive/decided-failures.test.ts). */
const TOLD: Record<keyof typeof DECIDED_FAILURES, RegExp> = {
  'contract violation': /does not match “plan_path/,
  'marker missing, channel A saw the end': /The result lacks the completion marker “%%ORDER_UP::1a2b3c4d%%”/,
  'marker missing, no channel': /The agent stopped without printing its completion marker/,
  'failure signal with a reason': /3 migrations behind/,
  'failure signal without a reason': /without giving a reason/,
  'time was up': /after 15 min 00 s/,
  killed: /Killed by SIGKILL after 9 seconds/,
  'went silent': /went silent and was stopped after 21 min 00 s/,
  'exit code without output': /Exited with code 3\. It printed nothing/,
  'exit code with a last word': /the oven is cold/,
  'command that is not there': /could not be started \(exit code 127\)/,
  'blank result': /The result is blank/,
  crashed: /a token counter is no number/,
  'command without its marker': /Exited with code 3: cannot find config\.yaml/,
  'command without its patterns': /Exited with code 4: error: no plan/,
  'command whose error is on stdout': /Exited with code 2: src\/a\.ts:3:5: error TS2345/,
  'command that ended without its marker': /The command ended without printing its completion marker “DONE”/,
}

for (const [name, viewport] of [
  ['a desk', { width: 1440, height: 900 }],
  ['a telephone', { width: 390, height: 844 }],
] as const)
  test(`the first screen of ${name} holds what broke, whether a retry could have helped and what to do, for every kind of decided failure`, async ({
    page,
    seed,
  }) => {
    await page.setViewportSize(viewport)
    for (const [kind, run] of Object.entries(DECIDED_FAILURES)) {
      const id = await seed.run(run)
      await page.goto(links.execution(id))
      await expect(page.getByRole('region', { name: 'Cause' }), kind).toContainText(
        TOLD[kind as keyof typeof TOLD],
      )
      await expect(page.locator('html[data-ready]')).toBeAttached()
      const bar = await page.getByRole('navigation').last().boundingBox()
      const bottom = bar !== null && bar.y > viewport.height / 2 ? bar.y : viewport.height
      for (const region of ['Cause', 'Would a retry help?', 'What to do next']) {
        const box = (await page.getByRole('region', { name: region }).boundingBox())!
        expect(box.y, `${kind}: ${region}`).toBeGreaterThanOrEqual(0)
        expect(Math.round(box.y + box.height), `${kind}: ${region}`).toBeLessThanOrEqual(bottom)
      }
    }
  })

test('breaches of the failure block are hints with the way to the block, and what the recorder judged otherwise stands in the decision', async ({
  page,
  seed,
}) => {
  const id = await seed.run(DECIDED_FAILURES['failure signal without a reason'])
  await page.goto(links.execution(id))
  await expect(page.locator('html[data-ready]')).toBeAttached()
  const hints = page
    .getByRole('region', { name: 'Cause' })
    .getByRole('list', { name: /^Hints on the failure block/ })
  // That it gives no reason is what the sentence says.
  await expect(hints.getByRole('listitem')).toHaveText(/^Hint: The failure block is in a code fence/)
  await page.keyboard.press('d')
  const all = page
    .getByRole('region', { name: 'Decision', exact: true })
    .getByRole('list', { name: /^Hints on the failure block/ })
    .getByRole('listitem')
  await expect(all).toHaveText([
    /^Hint: The failure block is in a code fence/,
    /^Hint: The failure block gives no reason\./,
  ])
  await hints.getByRole('link', { name: 'View raw block' }).click()
  await expect(page).toHaveURL(/view=raw/)
  await expect(page.locator('mark')).toContainText('<octopus-task-failed/>')

  const green = await seed.run({
    ...DECIDED_FAILURES['contract violation'],
    verdict: { failed: false, kind: 'none', reason: null, text: null, failedOn: null },
  })
  await page.goto(links.execution(green, 'cause', { decision: 'open' }))
  const recorder = page.getByRole('region', { name: 'The recorder reached another verdict' })
  await expect(recorder).toContainText('Did not fail')
  await expect(recorder).toContainText('--fail-on contract')

  const red = await seed.run({
    ...DECIDED_FAILURES['contract violation'],
    verdict: {
      failed: true,
      kind: 'contract',
      reason: null,
      text: 'It lacks plan_path',
      failedOn: 'contract',
    },
  })
  await page.goto(links.execution(red, 'cause', { decision: 'open' }))
  await expect(page.getByRole('region', { name: 'Rule path' })).toBeVisible()
  await expect(page.getByText('The recorder reached another verdict')).toHaveCount(0)
})
