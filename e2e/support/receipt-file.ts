import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Browser, Download, Page } from '@playwright/test'
import { BLOCK_END, blockStart } from '../../lib/judge/receipts/receipt-file'
import type { Folder } from './folder'

export const downloaded = async (download: Download): Promise<string> =>
  readFileSync(await download.path(), 'utf8')

const dataLines = (html: string, name: Parameters<typeof blockStart>[0]): string[] =>
  html
    .split(`${blockStart(name)}\n`)
    .slice(1)
    .flatMap((piece) => piece.slice(0, piece.indexOf(`\n${BLOCK_END}`)).split('\n'))

/** The receipts that are in an exported file, in their order. */
export const receiptsIn = (html: string): string[] =>
  dataLines(html, 'receipts').map((line) => Buffer.from(line, 'base64').toString('utf8'))

/** The file with one receipt changed. */
export function changeReceipt(html: string, index: number, change: (bytes: Buffer) => Buffer): string {
  const line = dataLines(html, 'receipts')[index]!
  return html.replace(line, change(Buffer.from(line, 'base64')).toString('base64'))
}

export interface Opened {
  page: Page
  /** Whatever the file asked for besides itself, dialogs, errors and broken policies. */
  trouble: string[]
  close: () => Promise<void>
}

/** Opens a file from the disk in a browser that has no network and knows nobody. */
export async function openFile(
  browser: Browser,
  folder: Folder,
  html: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Opened> {
  const address = pathToFileURL(folder.put('receipts.html', html)).href
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    baseURL: undefined,
    ...options,
  })
  await context.setOffline(true)
  const page = await context.newPage()
  const trouble: string[] = []
  page.on(
    'request',
    (request) => void (request.url() === address || trouble.push(`asked for ${request.url()}`)),
  )
  page.on('dialog', (dialog) => void (trouble.push(`dialog ${dialog.message()}`), dialog.dismiss()))
  page.on('pageerror', (error) => void trouble.push(`error ${error.message}`))
  page.on(
    'console',
    (message) => void (message.type() === 'error' && trouble.push(`console ${message.text()}`)),
  )
  await page.route(
    (url) => url.href !== address,
    (route) => route.abort(),
  )
  await page.goto(address)
  return { page, trouble, close: () => context.close() }
}
