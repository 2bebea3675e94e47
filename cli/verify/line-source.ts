import { isBlank, markLength } from '@/lib/bytes/lines'
import { limits } from '@/lib/limits'
import { receiptFrom } from '@/lib/formats/receipt/read-receipt'
import { verifyText } from '@/lib/words/cli/verify'
import type { Source, SourceReceipt } from './source'

/** Receipts one a line, read as they come: memory does not grow with the input. */
export function lineSource(chunks: AsyncIterable<Buffer>, close: () => void): Source {
  let problem: string | null = null
  async function* receipts(): AsyncGenerator<SourceReceipt, void, undefined> {
    let place = 0
    for await (const line of eachLine(chunks)) {
      place++
      if (line === null) {
        problem = verifyText.lineTooLong({ place })
        return
      }
      const bytes = place === 1 ? line.subarray(markLength(line)) : line
      if (!isBlank(bytes, 0, bytes.length)) yield { receipt: receiptFrom(bytes), place }
    }
  }
  return {
    kind: 'lines',
    placeWord: 'line',
    receipts: receipts(),
    turned: new Set(),
    problem: () => problem,
    close,
  }
}

/** Lines without their ends; null for one that is too long, and then no more. */
export async function* eachLine(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number = limits.lineBytesMax,
): AsyncGenerator<Buffer | null, void, undefined> {
  // A long line is put together once, at its end.
  let pieces: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end)
      if (length + last.length > bytesMax) return yield null
      yield pieces.length === 0 ? last : Buffer.concat([...pieces, last])
      pieces = []
      length = 0
      start = end + 1
    }
    const rest = chunk.subarray(start)
    if (rest.length > 0) pieces.push(rest)
    length += rest.length
    if (length > bytesMax) return yield null
  }
  if (length > 0) yield Buffer.concat(pieces)
}
