import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'

export const WIDE = { width: 1440, height: 900 }
export const NARROW = { width: 390, height: 844 }

/** The rules of axe that are on by default and look at colours: another theme can break no other. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Options = { within?: string; rules?: string[] }

/** Every rule of axe that the page breaks as it is now: the rule, the element, and how to repair it. */
export async function axeViolations(page: Page, { within, rules }: Options = {}): Promise<string[]> {
  // Its half a megabyte is read once for each page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE_SOURCE)
  const { violations, looked } = await page.evaluate(
    async ([context, only]) => {
      const runner = (window as unknown as { axe: typeof axe }).axe
      const results = await runner.run(context ?? document, {
        // Only what is wrong is described node by node.
        resultTypes: ['violations'],
        ...(only === undefined ? {} : { runOnly: { type: 'rule' as const, values: only } }),
      })
      return {
        looked: results.passes.length,
        violations: results.violations.flatMap(({ id, nodes }) =>
          nodes.map(
            (node) =>
              `${id}: ${node.target.join(' ')}: ${node.failureSummary?.split('\n').slice(1).join(' ').trim()}`,
          ),
        ),
      }
    },
    [within, rules] as const,
  )
  if (rules === undefined)
    expect(looked, 'axe looked at something').toBeGreaterThan(within === undefined ? 5 : 0)
  return violations
}

/** Waits until the page stands: it answers, what is read after the first paint has come, and nothing fades any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('html[data-ready]')).toBeAttached()
  await expect(page.locator('main').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(async () => {
    await document.fonts.ready
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)))
  })
}

/** Everything about the page that a rule of axe may look at, colours aside. */
const shape = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body, body *')]
      .map((element) => {
        const { display, visibility, opacity, fontSize, fontWeight, textDecorationLine } =
          getComputedStyle(element)
        const attributes = [...element.attributes].map(({ name, value }) => `${name}=${value}`)
        return [
          element.tagName,
          attributes,
          display,
          visibility,
          opacity,
          fontSize,
          fontWeight,
          textDecorationLine,
        ].join(' ')
      })
      .join('\n'),
  )

/**
 * What is wrong with the page as it is now, in the light and the dark theme and at each size: rules of axe that it
 * breaks, and whether it scrolls sideways. It leaves the page as it found it.
 *
 * The page is loaded once. Where the dark page is the light one in other colours, which is looked at each time, only
 * the rules about colours are tried a second time.
 */
export async function pageFaults(
  page: Page,
  { sizes, within }: { sizes?: { width: number; height: number }[]; within?: string } = {},
): Promise<string[]> {
  const found: string[] = []
  const before = page.viewportSize()!
  for (const size of sizes ?? [before]) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: 'light' })
    await settled(page)
    const light = await shape(page)
    found.push(...(await axeViolations(page, { within })).map((what) => `${size.width} light: ${what}`))
    await page.emulateMedia({ colorScheme: 'dark' })
    await settled(page)
    const rules = (await shape(page)) === light ? COLOUR_RULES : undefined
    found.push(...(await axeViolations(page, { within, rules })).map((what) => `${size.width} dark: ${what}`))
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    if (wide > size.width) found.push(`${size.width}: scrolls sideways, ${wide} px`)
  }
  await page.setViewportSize(before)
  await page.emulateMedia({ colorScheme: null })
  return found
}
