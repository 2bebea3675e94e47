import { documentSpans, elementSpans, type ByteSpan } from '@/lib/bytes/json-spans'
import { isBlank, markLength } from '@/lib/bytes/lines'
import { factsOf } from '@/lib/formats/receipt/receipt-facts'
import { receiptFrom } from '@/lib/formats/receipt/read-receipt'
import { verifyText } from '@/lib/words/cli/verify'
import { membersOf } from './members'
import type { Source, SourceReceipt } from './source'

/**
 * The receipts of one JSON document by the bytes of each: a list, `{receipts: [ … ]}`, or objects that are spread over lines.
 *
 * @returns null when it is no such document
 */
export function documentSource(bytes: Buffer): Source | null {
  const found = spansOf(bytes)
  if (found === null) return null
  const { order, turned } =
    found.kind === 'list' ? newestFirst(bytes, found.spans) : { order: null, turned: new Set<string>() }
  function* receipts(): Generator<SourceReceipt, void, undefined> {
    for (let i = 0; i < found!.spans.length; i++) {
      const at = order?.[i] ?? i
      const { start, end } = found!.spans[at]!
      yield { receipt: receiptFrom(bytes.subarray(start, end)), place: at + 1 }
    }
  }
  return {
    kind: found.kind,
    placeWord: 'element',
    receipts: receipts(),
    turned,
    problem: () => found.problem,
    close: () => {},
  }
}

interface Found {
  kind: 'list' | 'document'
  spans: ByteSpan[]
  problem: string | null
}

const openArray = 0x5b
const openObject = 0x7b
const blanks = [32, 9, 10, 13]

function spansOf(bytes: Buffer): Found | null {
  let open = markLength(bytes)
  while (blanks.includes(bytes[open]!)) open++
  if (bytes[open] === openArray) return listFrom(bytes, open, 'list', bytes.length)
  if (bytes[open] !== openObject) return null
  const { members, end } = membersOf(bytes, open, ['receipts', 'credentialSubject'])
  const list = members.get('receipts')
  if (list !== undefined && bytes[list] === openArray && !members.has('credentialSubject'))
    return listFrom(bytes, list, 'document', end)
  const objects = documentSpans(bytes)
  if (objects !== null)
    return { kind: 'document', spans: torn(objects.spans, objects.tornAt, bytes), problem: null }
  const isOneLine = isBlank(bytes, end, bytes.length) && !bytes.subarray(open, end).includes(10)
  return isOneLine ? { kind: 'document', spans: [{ start: open, end }], problem: null } : null
}

/** @param end of the document, behind which nothing may be */
function listFrom(bytes: Buffer, open: number, kind: Found['kind'], end: number): Found | null {
  const list = elementSpans(bytes, open)
  if (list === null) return null
  if (list.end === -1) {
    const isBetween =
      isBlank(bytes, list.tornAt, bytes.length) ||
      (bytes[list.tornAt] === 0x2c && isBlank(bytes, list.tornAt + 1, bytes.length))
    // A receipt that is cut off is shown as one that is not whole; a list that is cut off between two says nothing of itself.
    return {
      kind,
      spans: torn(list.spans, isBetween ? null : list.tornAt, bytes),
      problem: isBetween ? verifyText.listNotClosed : null,
    }
  }
  const rest = kind === 'list' ? list.end : end
  return {
    kind,
    spans: list.spans,
    problem: isBlank(bytes, rest, bytes.length) ? null : verifyText.extraData,
  }
}

const torn = (spans: ByteSpan[], tornAt: number | null, bytes: Buffer): ByteSpan[] =>
  tornAt === null ? spans : [...spans, { start: tornAt, end: bytes.length }]

interface Order {
  /** Which span is in each place; null: as they are. */
  order: number[] | null
  turned: ReadonlySet<string>
}

/**
 * The command line of the source prints lists newest first. A chain of a list is turned round only when its numbers fall from each receipt to
 * the next: any other order is evidence and stays.
 *
 * @see docs/sources/receipts.md
 */
function newestFirst(bytes: Buffer, spans: readonly ByteSpan[]): Order {
  const chains = new Map<string, { at: number[]; last: number; falls: boolean }>()
  spans.forEach(({ start, end }, i) => {
    const { chainId, sequence } = chainOf(bytes.subarray(start, end))
    if (typeof chainId !== 'string') return
    const chain = chains.get(chainId) ?? { at: [], last: Infinity, falls: true }
    chains.set(chainId, chain)
    chain.at.push(i)
    chain.falls &&= Number.isSafeInteger(sequence) && (sequence as number) < chain.last
    chain.last = sequence as number
  })
  const order = spans.map((_, i) => i)
  const turned = new Set<string>()
  for (const [chainId, { at, falls }] of chains) {
    if (!falls || at.length < 2) continue
    turned.add(chainId)
    for (const [i, place] of at.entries()) order[place] = at[at.length - 1 - i]!
  }
  return { order: turned.size === 0 ? null : order, turned }
}

function chainOf(bytes: Buffer): { chainId: unknown; sequence: unknown } {
  try {
    return factsOf(JSON.parse(bytes.toString('utf8'))).chain
  } catch {
    return { chainId: undefined, sequence: undefined }
  }
}
