import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * Every rule of axe that the page breaks as it is now: the rule, the element, and how to repair it.
 *
 * Run in the page itself (`setLegacyMode`): the other mode opens a second page for each check to put together
 * the results of foreign frames, which our pages may not hold. Only violations are described node by node.
 * Both together take a third of the time; the rules are the same.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  const { violations, passes } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  expect(passes.length, 'axe looked at something').toBeGreaterThan(5)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      (node) =>
        `${id}: ${node.target.join(' ')}: ${node.failureSummary?.split('\n').slice(1).join(' ').trim()}`,
    ),
  )
}
