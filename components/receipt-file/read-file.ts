import { readBase64 } from '@/lib/judge/receipts/keys'
import {
  BLOCK_ATTRIBUTE,
  RECEIPT_FILE_FORMAT,
  type ReceiptFileAbout,
  type ReceiptFileBlock,
  type ReceiptFileChain,
  type ReceiptFileSaid,
} from '@/lib/judge/receipts/receipt-file'

/** A chain as it is in the file. */
export interface FileChain extends ReceiptFileChain {
  /** What the server said; null when the file is cut off before it. */
  said: ReceiptFileSaid | null
  /** How many receipts are here. */
  receipts: number
  /** The bytes of one; null for what is no base64. */
  bytesAt: (index: number) => Uint8Array | null
}

export interface ReadFile {
  about: ReceiptFileAbout
  chains: FileChain[]
  /** Why it is not all of what was exported; null when it is. */
  problem: string | null
}

/** @throws Error for a file of another format */
export function readFile(root: ParentNode): ReadFile {
  const blocks = [...root.querySelectorAll(`script[${BLOCK_ATTRIBUTE}]`)].map((block) => ({
    name: block.getAttribute(BLOCK_ATTRIBUTE) as ReceiptFileBlock,
    text: (block.textContent ?? '').trim(),
  }))
  const about = blocks.find(({ name }) => name === 'about')
  const read = about === undefined ? null : (JSON.parse(about.text) as ReceiptFileAbout)
  if (read?.format !== RECEIPT_FILE_FORMAT) throw new Error('Not a known receipt file')
  const chains: (ReceiptFileChain & { pieces: string[][]; said: ReceiptFileSaid | null })[] = []
  let problem: string | null = 'The file is truncated.'
  for (const { name, text } of blocks) {
    if (name === 'chain') chains.push({ ...(JSON.parse(text) as ReceiptFileChain), pieces: [], said: null })
    const chain = chains.at(-1)
    if (chain && name === 'receipts') chain.pieces.push(text.split(/\s+/))
    if (chain && name === 'said') chain.said = JSON.parse(text) as ReceiptFileSaid
    if (name === 'end')
      problem =
        (JSON.parse(text) as { chains: number }).chains === chains.length
          ? null
          : 'The file is missing some of its chains.'
  }
  return { about: read, chains: chains.map(chainOf), problem }
}

function chainOf({
  pieces,
  ...chain
}: ReceiptFileChain & { pieces: string[][]; said: ReceiptFileSaid | null }): FileChain {
  const lines = pieces.flat()
  return { ...chain, receipts: lines.length, bytesAt: (index) => readBase64(lines[index] ?? '-') }
}
