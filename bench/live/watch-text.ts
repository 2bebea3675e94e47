import type { Page } from '@playwright/test'

const SEEN_MS = 60_000

declare global {
  interface Window {
    benchSeenAt?: Promise<number>
  }
}

/** Runs in the page: the time of the first frame after the one in which the element showed the text. */
function lookFor([selector, text]: readonly [string, string]): void {
  window.benchSeenAt = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const element = document.querySelector(selector)
      if (!element?.textContent.includes(text) || element.getBoundingClientRect().top >= innerHeight) return
      observer.disconnect()
      // The second frame begins when the first, with the text, has been handed to the screen.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(Date.now())))
    })
    observer.observe(document, { subtree: true, childList: true, characterData: true })
  })
}

/**
 * Begins to look for a text that is to come, without asking again and again, which would slow the page down.
 * @returns waits for it: `Date.now()` of the page, which is on the clock of this machine
 */
export async function watchText(page: Page, selector: string, text: string): Promise<() => Promise<number>> {
  await page.evaluate(lookFor, [selector, text] as const)
  return async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`"${text}" did not show at ${page.url()}`)), SEEN_MS)
    })
    return Promise.race([page.evaluate(() => window.benchSeenAt!), late]).finally(() => clearTimeout(timer))
  }
}
