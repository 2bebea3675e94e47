import { chromium, type BrowserContextOptions, type Page } from '@playwright/test'

export interface Opened {
  /** Milliseconds from the start of the navigation until the sentence was in a painted frame. */
  visibleMs: number
  firstPaintMs: number
  responseStartMs: number
  /** Compressed bytes of scripts asked for before the first paint, and of all that were loaded until the page was quiet. */
  scriptBytesBeforePaint: number
  scriptBytes: number
  styleBytes: number
  fontBytes: number
  documentBytes: number
}

const SEEN_MS = 60_000

declare global {
  interface Window {
    benchVisibleMs?: number
  }
}

/** Runs in the page before anything of its own: looks at every frame for a paragraph with the sentence in sight. */
function watchFor(sentence: string): void {
  const inSight = (element: Element): boolean => {
    const box = element.getBoundingClientRect()
    return (
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      box.height > 0 &&
      box.top < innerHeight
    )
  }
  const look = (): void => {
    for (const element of document.querySelectorAll('p, h1, h2, blockquote')) {
      if (!element.textContent!.startsWith(sentence) || !inSight(element)) continue
      // The next frame begins when the one with the sentence has been handed to the screen.
      requestAnimationFrame(() => (window.benchVisibleMs = performance.now()))
      return
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Asks seldom, so that asking does not slow the page down. */
async function waitUntilSeen(page: Page): Promise<void> {
  for (const until = Date.now() + SEEN_MS; ; ) {
    if (await page.evaluate(() => window.benchVisibleMs !== undefined).catch(() => false)) return
    if (Date.now() > until)
      throw new Error(
        `the sentence did not show at ${page.url()}: ${(await page.locator('body').innerText()).slice(0, 500)}`,
      )
    await page.waitForTimeout(100)
  }
}

async function readFigures(page: Page): Promise<Opened> {
  return page.evaluate(() => {
    const navigation = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming
    const firstPaintMs = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const sum = (wanted: (entry: PerformanceResourceTiming) => boolean): number =>
      resources.filter(wanted).reduce((total, entry) => total + entry.encodedBodySize, 0)
    const isScript = (entry: PerformanceResourceTiming): boolean =>
      new URL(entry.name).pathname.endsWith('.js')
    return {
      visibleMs: window.benchVisibleMs!,
      firstPaintMs,
      responseStartMs: navigation.responseStart,
      documentBytes: navigation.encodedBodySize,
      scriptBytesBeforePaint: sum((entry) => isScript(entry) && entry.startTime <= firstPaintMs),
      scriptBytes: sum(isScript),
      styleBytes: sum((entry) => new URL(entry.name).pathname.endsWith('.css')),
      fontBytes: sum((entry) => /\.woff2?$/.test(new URL(entry.name).pathname)),
    }
  })
}

/** Opens an address in a browser that was started for it: a new process, a new profile, nothing cached. */
export async function openCold(
  executablePath: string,
  url: string,
  sentence: string,
  cookies: { name: string; value: string; url: string }[],
): Promise<Opened> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const options: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }
    const context = await browser.newContext(options)
    await context.addCookies(cookies)
    const page = await context.newPage()
    // The loader that runs this file wraps named functions in a helper of its own, which a page does not have.
    await page.addInitScript('globalThis.__name = (value) => value')
    await page.addInitScript(watchFor, sentence)
    await page.goto(url, { waitUntil: 'commit' })
    await waitUntilSeen(page)
    await page.waitForLoadState('load')
    // Scripts that are asked for after the load still count towards the whole.
    await page.waitForTimeout(300)
    return await readFigures(page)
  } finally {
    await browser.close()
  }
}

/** The text of a page, as a reader sees it. */
export async function readPageText(
  executablePath: string,
  urls: readonly string[],
  cookies: { name: string; value: string; url: string }[],
): Promise<string[]> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addCookies(cookies)
    const page = await context.newPage()
    const texts: string[] = []
    for (const url of urls) {
      await page.goto(url, { waitUntil: 'load' })
      texts.push(await page.locator('body').innerText())
    }
    return texts
  } finally {
    await browser.close()
  }
}
