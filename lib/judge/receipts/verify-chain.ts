import type { ChainStatus } from './chain-findings'
import { namesChain, placeOf, type ChainRow, type Predecessor } from './chain-row'
import { concludeChain, type ChainVerdict } from './chain-verdict'
import { tallyChain } from './chain-warnings'
import { watchWitnesses, type Witnesses } from './chain-witnesses'
import { readRotation } from './key-rotation'
import type { PublicKey } from './keys'
import type { Receipt, ReceiptFacts } from '../../formats/receipt/receipt'
import { receiptHash } from '../../formats/receipt/receipt-hash'
import { checkWithWebCrypto, verifySignature, type CheckEd25519 } from './signature'

export interface ChainKeys {
  /** Keys that the chain may begin with; the first that fits the first receipt does. None: no key could be read. */
  registered: readonly PublicKey[]
  /** Where the last rotation of the chain must end; not asked for when left out. */
  current?: PublicKey
}

export interface ChainOptions extends Witnesses {
  check?: CheckEd25519
  signal?: AbortSignal
  /** Called now and then, and at the end, with the number of receipts done. */
  onProgress?: (done: number) => void
}

/** Signatures under way at once: enough to keep every core of the platform's own threads busy, and few bytes. */
const UNDER_WAY_MAX = 128

/**
 * Verifies a chain in the order in which it is given: an order that was received is never sorted, since that it was changed is evidence. Only
 * rows are kept of the receipts, which may come one by one.
 *
 * @throws what `signal` was aborted with, and what the given receipts throw; nothing for any content of receipts or keys
 * @see docs/sources/receipts.md
 */
export async function verifyChain(
  receipts: Iterable<Receipt> | AsyncIterable<Receipt>,
  keys: ChainKeys,
  options: ChainOptions = {},
): Promise<ChainVerdict> {
  const { check = checkWithWebCrypto, signal, onProgress } = options
  const rows: ChainRow[] = []
  const tally = tallyChain()
  const witness = watchWitnesses(options)
  const underWay: Promise<void>[] = []
  let active: PublicKey | null = null
  let before: Predecessor | null = null
  let first: ReceiptFacts['chain'] | null = null
  let chainId: unknown
  let chainIsNamed = false
  let afterTerminalAt = -1
  let endedBefore = false
  let status: ChainStatus = 'unknown'
  let lastRotationAt = -1

  for await (const receipt of receipts) {
    const index = rows.length
    signal?.throwIfAborted()
    if (!chainIsNamed && namesChain(receipt)) [chainId, chainIsNamed] = [receipt.facts.chain.chainId, true]
    const row = placeOf(receipt, index, before, chainId)
    rows.push(row)
    if (endedBefore && afterTerminalAt === -1) afterTerminalAt = index
    endedBefore ||= receipt.facts.chain.terminal
    status = statusOf(receipt)
    first ??= receipt.facts.chain
    tally.add(receipt.facts, index)
    witness.add(receipt, index)
    if (index === 0) active = await startingKey(receipt, keys.registered, check)
    const signature = checkRow(row, receipt, active, check)
    if (row.isRotation && active !== null) {
      const read = readRotation(receipt.facts.keyRotation, active)
      if ('fault' in read) row.rotationFault = read.fault
      await signature
      // Only what the old key has signed may name the next one.
      if ('next' in read && row.signature) [active, lastRotationAt] = [read.next, index]
    } else {
      // Awaited below; until then a failure of the platform must not count as unheard.
      signature.catch(() => {})
      underWay.push(signature)
    }
    before = { hash: receiptHash(receipt), sequence: receipt.facts.chain.sequence }
    if (underWay.length >= UNDER_WAY_MAX) {
      await Promise.all(underWay.splice(0, UNDER_WAY_MAX / 2))
      onProgress?.(rows.length - underWay.length)
    }
  }
  await Promise.all(underWay)
  signal?.throwIfAborted()
  onProgress?.(rows.length)

  return concludeChain({
    rows,
    status,
    afterTerminalAt,
    lastRotationAt,
    witness,
    witnesses: options,
    warnings: tally.warnings(),
    headHash: before?.hash ?? null,
    activeKey: active,
    currentKey: keys.current ?? null,
    keyUnusable: keys.registered.length === 0,
    first,
  })
}

async function startingKey(
  first: Receipt,
  registered: readonly PublicKey[],
  check: CheckEd25519,
): Promise<PublicKey | null> {
  if (registered.length < 2) return registered[0] ?? null
  for (const key of registered) if ((await verifySignature(first, key, check)).valid) return key
  return registered[0]!
}

async function checkRow(
  row: ChainRow,
  receipt: Receipt,
  key: PublicKey | null,
  check: CheckEd25519,
): Promise<void> {
  if (key === null) return
  const verdict = await verifySignature(receipt, key, check)
  row.signature = verdict.valid
  if (verdict.valid) row.nullsDropped = verdict.over === 'nulls_dropped'
  else row.signatureFault = verdict.fault
}

function statusOf({ facts: { chain } }: Receipt): ChainStatus {
  if (!chain.terminal) return 'unknown'
  return chain.status === 'interrupted' ? 'interrupted' : 'complete'
}
