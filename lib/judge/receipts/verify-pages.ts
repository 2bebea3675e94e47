import type { ChainVerdict } from './chain-verdict'
import { callFacts, joinBriefs, type CallFacts } from './join-briefs'
import { parsePublicKey } from './keys'
import { readReceipt } from '../../formats/receipt/read-receipt'
import type { Receipt } from '../../formats/receipt/receipt'
import { briefOf, type ReceiptBrief } from './receipt-brief'
import { verdictDocument, type TriedKey } from './verdict-document'
import { verifyChain } from './verify-chain'
import type { ChainVerdictDocument, ReceiptItem, ReceiptKey } from '../../model/receipt-chain'
import type { Page } from '../../model/page'

/** Whether signatures can be checked here. `no_webcrypto`: the page did not come over a safe connection. */
export type SignatureSupport = 'checked' | 'no_ed25519' | 'no_webcrypto'

/** A chain with what was found at each of its receipts. */
export interface VerifiedChain
  extends Pick<ChainVerdict, 'rows' | 'hints' | 'warnings' | 'startsAbove' | 'responsesNotGiven'> {
  /** Why signatures were looked at, or were not. */
  signatures: SignatureSupport | 'no_key'
  /** Null where signatures cannot be checked: links and numbers alone are no verdict. */
  verdict: ChainVerdictDocument | null
  briefs: ReceiptBrief[]
}

export type ListedKey = Pick<ReceiptKey, 'publicKey' | 'isCurrent'> & TriedKey

export interface VerifyListedOptions {
  keys: readonly ListedKey[]
  support: SignatureSupport
  signal?: AbortSignal
  onProgress?: (done: number) => void
}

export interface VerifyPagesOptions extends VerifyListedOptions {
  readPage: (cursor: string | null) => Promise<Page<ReceiptItem>>
}

/** A receipt with what is known of it besides. */
export interface ListedReceipt {
  item: Omit<ReceiptItem, 'text'>
  receipt: Receipt
}

/**
 * Verifies a chain that comes page by page; of the texts nothing is kept.
 *
 * @throws what `readPage` throws
 */
export function verifyPages({ readPage, ...options }: VerifyPagesOptions): Promise<VerifiedChain> {
  async function* readAll(): AsyncGenerator<ListedReceipt> {
    let page: Page<ReceiptItem> | null = await readPage(null)
    while (page !== null) {
      const next: Promise<Page<ReceiptItem>> | null =
        page.nextCursor === null ? null : readPage(page.nextCursor)
      // Awaited once this page is done; until then its failure must not count as unheard.
      next?.catch(() => {})
      for (const item of page.items) yield { item, receipt: readReceipt(item.text) }
      page = await next
    }
  }
  return verifyListed(readAll(), options)
}

/**
 * Verifies a chain whose receipts come one by one.
 *
 * @throws what the receipts and `signal` throw
 */
export async function verifyListed(
  listed: Iterable<ListedReceipt> | AsyncIterable<ListedReceipt>,
  options: VerifyListedOptions,
): Promise<VerifiedChain> {
  const { keys, support, signal, onProgress } = options
  const registered =
    support === 'checked'
      ? keys.map(({ publicKey }) => parsePublicKey(publicKey)).filter((key) => key !== null)
      : []
  const current = keys.find(({ isCurrent }) => isCurrent)
  const currentKey = support === 'checked' && current ? parsePublicKey(current.publicKey) : null
  const briefs: ReceiptBrief[] = []
  const facts: CallFacts[] = []

  async function* receipts(): AsyncGenerator<Receipt> {
    for await (const { item, receipt } of listed) {
      briefs.push(briefOf(item, receipt))
      facts.push(callFacts(receipt.facts))
      yield receipt
    }
  }

  const found = await verifyChain(
    receipts(),
    { registered, ...(currentKey && { current: currentKey }) },
    { signal, onProgress },
  )
  joinBriefs(briefs, facts)
  const { rows, hints, warnings, startsAbove, responsesNotGiven } = found
  return {
    rows,
    hints,
    warnings,
    startsAbove,
    responsesNotGiven,
    briefs,
    signatures: support === 'checked' && keys.length === 0 ? 'no_key' : support,
    verdict: support === 'checked' ? verdictDocument(found, keys) : null,
  }
}

/** A key that is known to be good (RFC 8032, 7.1, test 1): whether it can be taken in says whether Ed25519 is there. */
const KNOWN_KEY = 'u11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'

export async function signatureSupport(
  crypto: Crypto | undefined = globalThis.crypto,
): Promise<SignatureSupport> {
  if (crypto?.subtle === undefined) return 'no_webcrypto'
  try {
    await crypto.subtle.importKey('raw', parsePublicKey(KNOWN_KEY)!.raw, 'Ed25519', false, ['verify'])
    return 'checked'
  } catch {
    return 'no_ed25519'
  }
}
