import { chromium } from '@playwright/test'
import type { Cookie } from '../support/sign-in'

export interface Drawn {
  /** Milliseconds from the start of the navigation until lines of a hunk were in a painted frame, and until the page had been quiet for half a second. */
  hunkMs: number
  settledMs: number
  /** Milliseconds of the frames while the page was scrolled to its end, and of how many of them no line of the patch was in sight. */
  frames: number[]
  emptyFrames: number
  elements: number
  heapMb: number
  /** Compressed bytes of all scripts, those of workers as well. */
  scriptBytes: number
}

declare global {
  interface Window {
    benchHunkMs?: number
    benchLastChange: number
  }
}

/** Runs in the page before anything of its own: looks at every frame for a line of code in sight, and notes when something last changed. */
function watchHunks(): void {
  const look = (): void => {
    for (const cell of document.querySelectorAll('td.diff-code')) {
      const { top, bottom, height } = cell.getBoundingClientRect()
      if (height === 0 || bottom < 0 || top > innerHeight || !cell.checkVisibility()) continue
      // The next frame begins when the one with the line has been handed to the screen.
      requestAnimationFrame(() => (window.benchHunkMs = performance.now()))
      return
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  window.benchLastChange = 0
  new MutationObserver(() => (window.benchLastChange = performance.now())).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
  })
}

/** Scrolls as a wheel does that is turned on and on: so many pixels in each frame, to the end of the page. */
async function scrollThrough({
  px,
  framesMax,
}: {
  px: number
  framesMax: number
}): Promise<{ frames: number[]; empty: number }> {
  const frames: number[] = []
  let empty = 0
  let last = await new Promise<number>((done) => requestAnimationFrame(done))
  for (let n = 0; n < framesMax; n++) {
    window.scrollBy(0, px)
    const now = await new Promise<number>((done) => requestAnimationFrame(done))
    frames.push(now - last)
    last = now
    const seen = [0.35, 0.5, 0.65, 0.8].some((share) =>
      [0.45, 0.8].some(
        (x) =>
          document
            .elementFromPoint(innerWidth * x, innerHeight * share)
            ?.closest('td.diff-code, td.diff-gutter') != null,
      ),
    )
    if (!seen) empty += 1
    if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2) break
  }
  return { frames, empty }
}

const SEEN_MS = 120_000
const SCROLL_PX = 120
const FRAMES_MAX = 400

/** Opens a diff in a browser that was started for it, and scrolls through it. */
export async function drawCold(executablePath: string, url: string, cookies: Cookie[]): Promise<Drawn> {
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addCookies(cookies)
    const page = await context.newPage()
    let scriptBytes = 0
    const sized: Promise<void>[] = []
    page.on('requestfinished', (request) => {
      if (!new URL(request.url()).pathname.endsWith('.js')) return
      sized.push(
        request.sizes().then(
          ({ responseBodySize }) => void (scriptBytes += responseBodySize),
          () => undefined,
        ),
      )
    })
    // The loader that runs this file wraps named functions in a helper of its own, which a page does not have.
    await page.addInitScript('globalThis.__name = (value) => value')
    await page.addInitScript(watchHunks)
    await page.goto(url, { waitUntil: 'commit' })
    for (const until = Date.now() + SEEN_MS; ; await page.waitForTimeout(100)) {
      const settled = await page
        .evaluate(() => window.benchHunkMs !== undefined && performance.now() - window.benchLastChange > 500)
        .catch(() => false)
      if (settled) break
      if (Date.now() > until)
        throw new Error(
          `no hunk showed at ${page.url()}: ${(await page.locator('body').innerText()).slice(0, 500)}`,
        )
    }
    const [hunkMs, settledMs] = await page.evaluate(
      () => [window.benchHunkMs!, window.benchLastChange] as const,
    )
    const { frames, empty } = await page.evaluate(scrollThrough, { px: SCROLL_PX, framesMax: FRAMES_MAX })
    const { elements, heap } = await page.evaluate(() => {
      ;(globalThis as { gc?: () => void }).gc?.()
      return {
        elements: document.querySelectorAll('*').length,
        heap: (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
      }
    })
    await Promise.all(sized)
    return {
      hunkMs,
      settledMs,
      frames,
      emptyFrames: empty,
      elements,
      heapMb: heap / 1024 / 1024,
      scriptBytes,
    }
  } finally {
    await browser.close()
  }
}
