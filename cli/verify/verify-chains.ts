import type { ChainVerdict } from '@/lib/judge/receipts/chain-verdict'
import type { Witnesses } from '@/lib/judge/receipts/chain-witnesses'
import type { Receipt } from '@/lib/formats/receipt/receipt'
import { receiptHash } from '@/lib/formats/receipt/receipt-hash'
import { verifyChain, type ChainKeys } from '@/lib/judge/receipts/verify-chain'
import { verifyText } from '@/lib/words/cli/verify'
import { CliFailure } from '../exit-codes'
import { tallyCalls, type Answered, type CallTally, type ChainCounts } from './call-tally'
import { createFeed, type Feed } from './feed'
import type { Source, SourceReceipt } from './source'

export interface VerifyChains {
  keys: ChainKeys
  /** Each chain is verified with the keys that came with it instead. */
  withFileKeys?: boolean
  witnesses: Witnesses
  /** Only this chain; null: all. */
  only: string | null
  signal: AbortSignal
  /** Called now and then with the number of receipts read. */
  onReceipts: (count: number) => void
}

export interface VerifiedChain {
  /** Null when no receipt says it. */
  chainId: string | null
  verdict: ChainVerdict
  counts: ChainCounts
  /** Place in the input of each receipt. */
  places: number[]
  /** The number that each receipt says; null where it says none. */
  numbers: (number | null)[]
  disagreements: { index: number; columns: string[] }[]
}

/** Chains are read side by side, as they are in the input: now and then the work on them gets its turn. */
const turnEvery = 256

/**
 * Verifies each chain of an input by itself. A receipt belongs to the chain that it names, with two exceptions: one that cannot say it belongs to
 * the chain of the one before it, and so does one that follows on the one before it by its hash and yet names a chain that was not seen till then.
 *
 * @throws what the source and the signal throw; CliFailure when witnesses of one chain meet several
 */
export async function verifyChains(source: Source, options: VerifyChains): Promise<VerifiedChain[]> {
  const { only, signal, onReceipts } = options
  const chains: Chain[] = []
  const byId = new Map<string, Chain>()
  const answered: Answered = new Set()
  let last: { chain: Chain; receipt: Receipt } | null = null
  let count = 0
  let wanted = 0

  const begin = (chainId: string | null, named: boolean): Chain => {
    const keys = (options.withFileKeys === true ? source.keysOf?.(chainId) : undefined) ?? options.keys
    const chain = beginChain(chainId, named, only === null || !named || chainId === only, answered, {
      ...options,
      keys,
    })
    chains.push(chain)
    if (chain.feed !== null && ++wanted > 1) refuseWitnesses(options.witnesses)
    return chain
  }

  for await (const item of source.receipts) {
    signal.throwIfAborted()
    const id = chainIdOf(item)
    let chain: Chain
    if (id === undefined) chain = last?.chain ?? begin(null, false)
    else {
      const known = byId.get(id.key)
      if (known !== undefined) chain = known
      else if (last !== null && !last.chain.named) {
        // Whatever is before the first receipt that says its chain is of that chain.
        chain = last.chain
        Object.assign(chain, { chainId: id.name, named: true })
        byId.set(id.key, chain)
      } else if (last !== null && followsOn(item.receipt, last.receipt)) chain = last.chain
      else byId.set(id.key, (chain = begin(id.name, true)))
    }
    last = { chain, receipt: item.receipt }
    await chain.add(item)
    if (++count % turnEvery === 0) {
      onReceipts(count)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  for (const { feed } of chains) feed?.end()
  const verified = await Promise.all(
    chains.map(async ({ verdict, tally, chainId, places, numbers, disagreements }) =>
      verdict === null
        ? null
        : { chainId, verdict: await verdict, counts: tally.counts(), places, numbers, disagreements },
    ),
  )
  return verified.filter((chain) => chain !== null).filter(({ chainId }) => only === null || chainId === only)
}

interface Chain {
  chainId: string | null
  /** Whether some receipt has said which chain it is. */
  named: boolean
  /** Null when it is not asked for. */
  feed: Feed | null
  verdict: Promise<ChainVerdict> | null
  tally: CallTally
  places: number[]
  numbers: VerifiedChain['numbers']
  disagreements: VerifiedChain['disagreements']
  add(item: SourceReceipt): Promise<void>
}

function beginChain(
  chainId: string | null,
  named: boolean,
  isWanted: boolean,
  answered: Answered,
  { keys, witnesses, signal }: VerifyChains,
): Chain {
  const feed = isWanted ? createFeed() : null
  const checkpoints = witnesses.checkpoints?.filter((one) => !named || one.chainId === chainId)
  const verdict =
    feed === null ? null : verifyChain(feed.receipts, keys, { ...witnesses, checkpoints, signal })
  // Awaited at the end; until then a failure must not count as unheard.
  verdict?.catch(() => {})
  const chain: Chain = {
    chainId,
    named,
    feed,
    verdict,
    tally: tallyCalls(answered),
    places: [],
    numbers: [],
    disagreements: [],
    async add({ receipt, place, disagreeing = [] }) {
      // Also of a chain that is not asked for: it may hold the answer to a call of the one that is.
      chain.tally.add(receipt)
      if (feed === null) return
      if (disagreeing.length > 0)
        chain.disagreements.push({ index: chain.places.length, columns: disagreeing })
      chain.places.push(place)
      const { sequence } = receipt.facts.chain
      chain.numbers.push(Number.isSafeInteger(sequence) ? (sequence as number) : null)
      const full = feed.push(receipt)
      // One who fails takes no more.
      if (full !== undefined) await Promise.race([full, verdict])
    },
  }
  return chain
}

const followsOn = (receipt: Receipt, before: Receipt): boolean =>
  typeof receipt.facts.chain.previousHash === 'string' &&
  receipt.facts.chain.previousHash === receiptHash(before)

/** What is said of a chain; undefined where nothing says it. Only a text is a name; of other values each kind is a chain of its own. */
function chainIdOf({
  receipt: { facts, malformed },
  chainHint,
}: SourceReceipt): { key: string; name: string | null } | undefined {
  const { chainId } = facts.chain
  if (typeof chainId === 'string') return { key: `named ${chainId}`, name: chainId }
  if (chainId === undefined && malformed !== null)
    return chainHint === undefined ? undefined : { key: `named ${chainHint}`, name: chainHint }
  return { key: typeof chainId, name: null }
}

function refuseWitnesses({ length, finalHash }: Witnesses): void {
  if (length === undefined && finalHash === undefined) return
  throw new CliFailure('usage', verifyText.severalChains)
}
