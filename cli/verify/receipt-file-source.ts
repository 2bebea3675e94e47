import { parsePublicKey, readBase64 } from '@/lib/judge/receipts/keys'
import { readReceipt, receiptFrom } from '@/lib/formats/receipt/read-receipt'
import {
  BLOCK_END,
  blockStart,
  RECEIPT_FILE_BLOCKS,
  type ReceiptFileBlock,
  type ReceiptFileChain,
  type ReceiptFileEnd,
} from '@/lib/judge/receipts/receipt-file'
import type { ChainKeys } from '@/lib/judge/receipts/verify-chain'
import { verifyText } from '@/lib/words/cli/verify'
import { eachLine } from './line-source'
import type { Source, SourceReceipt } from './source'

const starts = new Map(RECEIPT_FILE_BLOCKS.map((name) => [blockStart(name), name]))

/** The receipts of an exported file, as they are in it, with the keys that came with them. Nothing else of it is looked at. */
export function receiptFileSource(chunks: AsyncIterable<Buffer>, close: () => void): Source {
  const keys = new Map<string, ChainKeys>()
  let chains = 0
  let problem: string | null = verifyText.fileTruncated
  async function* receipts(): AsyncGenerator<SourceReceipt, void, undefined> {
    let place = 0
    for await (const { name, line } of blockLines(chunks)) {
      if (name === 'receipts') {
        const bytes = readBase64(line)
        yield { receipt: bytes === null ? readReceipt('') : receiptFrom(bytes), place: ++place }
      } else if (name === 'chain') {
        const chain = readJson(line) as Partial<ReceiptFileChain> | null
        chains++
        if (typeof chain?.id === 'string') keys.set(chain.id, keysOf(chain))
      } else if (name === 'end')
        problem =
          (readJson(line) as Partial<ReceiptFileEnd> | null)?.chains === chains
            ? null
            : verifyText.chainsMissing
    }
  }
  return {
    kind: 'receipt-file',
    placeWord: 'receipt',
    receipts: receipts(),
    turned: new Set(),
    problem: () => problem,
    close,
    keysOf: (chainId) => (chainId === null ? undefined : keys.get(chainId)) ?? { registered: [] },
  }
}

async function* blockLines(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<{ name: ReceiptFileBlock; line: string }> {
  let name: ReceiptFileBlock | undefined
  for await (const bytes of eachLine(chunks)) {
    if (bytes === null) return
    const line = bytes.toString('latin1').trim()
    if (name === undefined) name = starts.get(line)
    else if (line === BLOCK_END) name = undefined
    else if (line !== '') yield { name, line }
  }
}

function keysOf({ keys = [] }: Partial<ReceiptFileChain>): ChainKeys {
  const read = (Array.isArray(keys) ? keys : []).map((key) => ({
    key: parsePublicKey(String(key?.publicKey)),
    isCurrent: key?.isCurrent === true,
  }))
  const current = read.find(({ isCurrent }) => isCurrent)?.key
  return { registered: read.flatMap(({ key }) => (key === null ? [] : [key])), ...(current && { current }) }
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
