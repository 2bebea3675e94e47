import type { Page } from '@playwright/test'
import { SPY } from './payloads'

/** What a browser reports of a page while it is open. */
export interface Watch {
  /** Hands over what was seen since the last time, and forgets it. */
  take: () => string[]
}

// The browser itself writes to the console of a page that answers with 404.
const isOwn404 = (text: string): boolean => /the server responded with a status of 404/.test(text)

/** Watches a page for everything by which a text would have become more than text. @param origin what it may ask */
export async function watchPage(page: Page, origin: string): Promise<Watch> {
  let seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOwn404(message.text()))
      seen.push(`console: ${message.text().slice(0, 200)}`)
  })
  page.on('pageerror', (error) => seen.push(`an error: ${error.message.slice(0, 200)}`))
  page.on('popup', () => seen.push('a window was opened'))
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (/^(https?|wss?):$/.test(asked.protocol) && asked.origin !== origin)
      seen.push(`asked for ${request.url().slice(0, 100)}`)
  })
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() && /^https?:/.test(frame.url()) && !frame.url().startsWith(origin))
      seen.push(`went to ${frame.url().slice(0, 100)}`)
  })
  await page.exposeFunction('hostileSeen', (what: string) => seen.push(what))
  // As text: what the loader of TypeScript adds to functions is not there in a page.
  await page.addInitScript(`
    Object.defineProperty(window, '${SPY}', { set: () => window.hostileSeen('a script ran') })
    document.addEventListener('securitypolicyviolation', (event) =>
      window.hostileSeen('CSP ' + event.violatedDirective + ': ' + event.blockedURI))`)
  return {
    take: () => {
      const taken = seen
      seen = []
      return taken
    },
  }
}
