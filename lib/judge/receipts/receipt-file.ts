import type { ChainVerdictDocument, ReceiptKey } from '../../model/receipt-chain'

/**
 * A file of receipts that verifies itself: one HTML page with the receipts as they were received, the keys, what the server said, and the
 * program that checks them. Whatever came from outside is in data blocks, receipts in base64 and all else in JSON without `<`: nothing in
 * them can end a block, and no way that a file travels changes a byte of them.
 *
 * @see docs/sources/receipts.md#receipt-file
 */
export const RECEIPT_FILE_FORMAT = 'inquest-receipts/1'

export interface ReceiptFileAbout {
  format: typeof RECEIPT_FILE_FORMAT
  exportedAt: string
  /** Where it was made. */
  server: string
  /** Of all chains of an execution; null: of one chain that was asked for. */
  executionId: string | null
}

export interface ReceiptFileChain {
  id: string
  project: string
  /** Keys that were registered for it. */
  keys: Omit<ReceiptKey, 'id'>[]
}

/** What the server found in the bytes that are before it, and how many receipts these were. */
export interface ReceiptFileSaid {
  at: string
  receipts: number
  verdict: ChainVerdictDocument
}

export interface ReceiptFileEnd {
  chains: number
}

/** What is between two lines of their own; of `receipts` each line is one, all others are one line of JSON. */
export const RECEIPT_FILE_BLOCKS = ['about', 'chain', 'receipts', 'said', 'end'] as const
export type ReceiptFileBlock = (typeof RECEIPT_FILE_BLOCKS)[number]

/** The attribute that names a block. */
export const BLOCK_ATTRIBUTE = 'data-inquest'
export const blockStart = (name: ReceiptFileBlock): string =>
  `<script type="text/plain" ${BLOCK_ATTRIBUTE}="${name}">`
export const BLOCK_END = '</script>'

/** The program and the styles of the file, each with its `sha256-…`. */
export interface ReceiptFileParts {
  script: string
  scriptHash: string
  style: string
  styleHash: string
}

/** Until the program has run; all that is seen where it cannot. */
const WAITING = `<main id="page"><h1>Receipts</h1><p>This file checks its receipts itself, in this browser, and asks nobody. When these words stay, its program did not run: scripts
are switched off here, or the file was changed or cut off. <code>inquest verify FILE.html</code> checks it, too.</p></main>`

/**
 * Everything before the first chain.
 *
 * @throws TypeError when program or styles could end their element
 */
export function receiptFileHead(
  { script, scriptHash, style, styleHash }: ReceiptFileParts,
  about: ReceiptFileAbout,
): string {
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new TypeError('the parts of a receipt file would end their element')
  const policy = [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>Receipts</title>
<style>${style}</style>
<script>${script}</script>
</head>
<body>
${WAITING}
${receiptFileBlock('about', about)}`
}

type Blocks = { about: ReceiptFileAbout; chain: ReceiptFileChain; said: ReceiptFileSaid; end: ReceiptFileEnd }

export const receiptFileBlock = <B extends keyof Blocks>(name: B, value: Blocks[B]): string =>
  `${blockStart(name)}\n${plainJson(value)}\n${BLOCK_END}\n`

/** @param lines receipts in base64, in the order of their chain */
export const receiptLines = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${blockStart('receipts')}\n${lines.join('\n')}\n${BLOCK_END}\n`

export const RECEIPT_FILE_FOOT = '</body>\n</html>\n'

/** JSON in which nothing can be taken for markup or for the end of a line. */
const plainJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A name that every file system takes: of an id its letters and digits. */
export const receiptFileName = (id: string): string =>
  `receipts-${
    id
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 80) || 'chain'
  }.html`
