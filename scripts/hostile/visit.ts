import type { Page } from '@playwright/test'
import { EXECUTION_VIEWS, links } from '@/lib/links'
import { settled } from '@/e2e/support/check-page'
import { inspectPage } from './inspect'
import { MARKER } from './payloads'
import type { Seeded } from './seed'
import type { Watch } from './watch'

export interface Visit {
  page: string
  troubles: string[]
  /** The one of them that says that the page could not be used, as a page is that does not get ready in time. */
  late: string | null
  /** The planted text was really drawn, in a text or a value. */
  shown: boolean
}

/** Every page with what was seeded on it; `must`: the text has to be seen there. */
export function hostilePages({
  executions,
  fixes,
  chainId,
  ci,
}: Seeded): { name: string; path: string; must: boolean }[] {
  const [first] = executions as [string]
  const page = (name: string, path: string, must = true) => ({ name, path, must })
  return [
    page('start', links.home()),
    page('list', links.executions()),
    page('list with a peek', links.executions(`peek=${first}`)),
    page('list filtered by it', links.executions(`q=${encodeURIComponent(`"${MARKER}"`)}`)),
    ...EXECUTION_VIEWS.map((view) =>
      page(
        `execution, ${view}`,
        links.execution(first, view),
        !['receipts', 'diagnosis', 'parity'].includes(view),
      ),
    ),
    ...executions.slice(1).map((id, i) => page(`execution ${i + 2}`, links.execution(id), false)),
    ...executions
      .slice(-9)
      .map((id, i) => page(`diagnosis ${i + 1}`, links.execution(id, 'diagnosis'), false)),
    page('fixes', links.fixes()),
    ...fixes.map((id, i) => page(`fix ${i + 1}`, links.fix(id), i === 0)),
    page('chain of receipts', links.chain(chainId), false),
    page('CI run', links.ciRun(ci.provider, ci.path, ci.run)),
    page('policies', links.policies(), false),
    page('parity', links.parity(), false),
    page('sources', links.settings('sources')),
    page('keys', links.settings('keys')),
    page('people', links.settings('people')),
    page('an id that nobody knows', links.anyId(`${MARKER}"><script>`), false),
  ]
}

/** Opens a page and says what is wrong with it. */
export async function visit(
  page: Page,
  watch: Watch,
  origin: string,
  { name, path, must }: { name: string; path: string; must: boolean },
): Promise<Visit> {
  const troubles: string[] = []
  let shown = false
  let late: string | null = null
  try {
    await page.goto(origin + path)
    await settled(page)
    troubles.push(...(await inspectPage(page)))
    shown = await page.evaluate(
      (marker) =>
        document.querySelector('main')!.innerText.includes(marker) ||
        [...document.querySelectorAll('input, textarea')].some((field) =>
          (field as HTMLInputElement).value.includes(marker),
        ),
      MARKER,
    )
    if (must && !shown) troubles.push('the planted text is not shown')
  } catch (error) {
    late = `it could not be used: ${(error as Error).message.split('\n')[0]!.slice(0, 200)}`
    troubles.push(late)
  }
  troubles.push(...watch.take())
  return { page: name, troubles: [...new Set(troubles)], late, shown }
}
