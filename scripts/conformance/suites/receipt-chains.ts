import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { ChainRow } from '@/lib/judge/receipts/chain-row'
import type { ChainVerdict } from '@/lib/judge/receipts/chain-verdict'
import { parsePublicKey } from '@/lib/judge/receipts/keys'
import { receiptOf } from '@/lib/formats/receipt/read-receipt'
import { verifyChain } from '@/lib/judge/receipts/verify-chain'
import { differenceOf } from '../difference'
import type { CaseResult, Suite } from '../suite'

interface ChainCase {
  id: string
  public_key: string
  options: {
    expected_length?: number
    expected_final_hash?: string
    require_terminal?: boolean
    response_bodies?: Record<string, unknown>
  }
  expected: Record<string, unknown>
  receipts: unknown[]
}

const BAD_LISTED_MAX = 12

/** Chains, one verification on each line. */
export const receiptChains: Suite = {
  name: 'receipts/chains',
  recognises: (path) => /(^|\/)receipts\/chains[^/]*\.jsonl$/.test(path),
  async *run(path): AsyncIterable<CaseResult> {
    for (const [i, line] of readFileSync(path, 'utf8').split('\n').entries()) {
      if (line.trim() === '') continue
      const one = readCase(line, `${basename(path)}: line ${i + 1} is no JSON`)
      yield { id: one.id, difference: await differenceOf(() => compare(one)) }
    }
  },
}

/** By `JSON.parse`, whose doubles are what counts here, where other suites keep long integers. */
function readCase(line: string, words: string): ChainCase {
  try {
    return JSON.parse(line) as ChainCase
  } catch (error) {
    throw new Error(words, { cause: error })
  }
}

async function compare({
  public_key: key,
  options,
  receipts,
  expected,
}: ChainCase): Promise<{ expected: unknown; got: unknown }> {
  const given = parsePublicKey(key)
  const verdict = await verifyChain(
    receipts.map(receiptOf),
    { registered: given === null ? [] : [given] },
    {
      length: options.expected_length,
      finalHash: options.expected_final_hash,
      requireTerminal: options.require_terminal,
      ...(options.response_bodies && { responseBodies: new Map(Object.entries(options.response_bodies)) }),
    },
  )
  // The text of the library is for information.
  const { sdk_error: _, ...answer } = expected
  return { expected: answer, got: verdictOut(verdict) }
}

function verdictOut(verdict: ChainVerdict): Record<string, unknown> {
  const bad = verdict.rows.filter(({ signature, hashLink, sequence }) => !signature || !hashLink || !sequence)
  return {
    valid: verdict.valid,
    first_bad_index: verdict.firstBadIndex,
    reason: verdict.reason,
    chain_status: verdict.status,
    incomplete_tool_roundtrip: verdict.incompleteToolRoundtrip,
    sequence_issue: verdict.sequenceIssue,
    // The library warns of nothing else.
    warning_count: verdict.warnings.filter(({ code }) => code === 'idempotency_key_repeated').length,
    bad_receipts: bad.slice(0, BAD_LISTED_MAX).map(rowOut),
    ...(bad.length > BAD_LISTED_MAX && { bad_receipts_total: bad.length }),
  }
}

const rowOut = ({ index, signature, hashLink, sequence }: ChainRow): Record<string, unknown> => ({
  index,
  signature,
  hash_link: hashLink,
  sequence,
})
