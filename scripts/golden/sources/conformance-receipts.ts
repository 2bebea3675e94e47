import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openReceipts } from '@/cli/receipts/read-database'
import { canonicalJson } from '@/lib/text/canonical-json'
import { parsePublicKey } from '@/lib/judge/receipts/keys'
import { hookReceiptOf } from '../../conformance/reference/hook-receipt'
import { runReferenceHook } from '@/lib/formats/receipt/hook-frame'
import { receiptFrom, receiptOf } from '@/lib/formats/receipt/read-receipt'
import type { Receipt } from '@/lib/formats/receipt/receipt'
import { digest } from '../codes'
import { noConclusions, type Conclusions } from '../product-rows'
import { addChain } from './add-chain'
import { concludeBodies, type Body } from './ingest'
import { hasShared, sharedFiles, sharedFolder, type Source } from './source'

const FOLDER = 'conformance/receipts'
const textOf = (path: string): string => readFileSync(join(sharedFolder, path), 'utf8')
const casesOf = <Case>(path: string): Case[] =>
  textOf(path)
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Case]))

interface ChainCase {
  id: string
  public_key: string
  options: {
    expected_length?: number
    expected_final_hash?: string
    require_terminal?: boolean
    response_bodies?: Record<string, unknown>
  }
  receipts: unknown[]
}

const chains: Source = {
  name: `${FOLDER}/chains.sample.jsonl`,
  async conclude() {
    const found = noConclusions()
    for (const { id, public_key: key, options, receipts } of casesOf<ChainCase>(this.name)) {
      await addChain(found, id, receipts.map(receiptOf), key, {
        length: options.expected_length,
        finalHash: options.expected_final_hash,
        requireTerminal: options.require_terminal,
        ...(options.response_bodies && { responseBodies: new Map(Object.entries(options.response_bodies)) }),
      })
    }
    return found
  },
}

const isReceipt = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'credentialSubject' in value

/**
 * A document with receipts anywhere in it: lists of them are chains, and one alone is a chain of one. Other
 * values are canonicalised.
 */
const ofDocument = (path: string): Source => ({
  name: path,
  async conclude() {
    const document = JSON.parse(textOf(path)) as { keys?: { publicKey?: string } }
    const found = noConclusions()
    await addReceiptsIn(found, document, '', document.keys?.publicKey ?? null)
    found.answer.push({
      of: 'document',
      operation: 'canonical_json',
      answer: { digest: digest(canonicalJson(document)) },
    })
    return found
  },
})

async function addReceiptsIn(
  found: Conclusions,
  value: unknown,
  at: string,
  key: string | null,
): Promise<void> {
  if (Array.isArray(value) && value.length > 0 && value.every(isReceipt))
    return addChain(found, at, value.map(receiptOf), key)
  if (isReceipt(value)) return addChain(found, at === '' ? '/' : at, [receiptOf(value)], key)
  if (typeof value !== 'object' || value === null) {
    // Key ids are strings.
    const read = typeof value === 'string' && value.startsWith('did:key:') ? parsePublicKey(value) : null
    if (read !== null)
      found.answer.push({ of: at, operation: 'parse_public_key', answer: { code: read.fingerprint } })
    return
  }
  for (const [member, one] of Object.entries(value)) await addReceiptsIn(found, one, `${at}/${member}`, key)
}

interface Expected {
  chains: Record<string, { public_key: string }>
}

/** A database of receipts, read as the importer reads it. */
const ofDatabase = (path: string): Source => ({
  name: path,
  async conclude() {
    const { chains: keys } = JSON.parse(textOf(path.replace(/\.db$/, '.expected.json'))) as Expected
    const database = await openReceipts(join(sharedFolder, path))
    const byChain = new Map<string, Receipt[]>()
    try {
      for (const page of database.pages()) {
        for (const { receiptJson } of page) {
          const receipt = receiptFrom(receiptJson ?? new Uint8Array())
          const id = String(receipt.facts.chain.chainId)
          byChain.set(id, [...(byChain.get(id) ?? []), receipt])
        }
      }
    } finally {
      database.close()
    }
    const found = noConclusions()
    for (const [id, receipts] of byChain) await addChain(found, id, receipts, keys[id]?.public_key ?? null)
    return found
  },
})

interface HookCase {
  id: string
  env: Record<string, string>
  stdin: string
}

/** `@@c*n@@` is the character c, n times. */
const expanded = (text: string): string =>
  text.replace(/@@(.)\*(\d+)@@/gsu, (_, character: string, times: string) => character.repeat(Number(times)))

/** What the reference makes of each frame, and what comes of all of them when they are taken in. */
const hookFrames: Source = {
  name: `${FOLDER}/hook-frames.jsonl`,
  async conclude(db) {
    const cases = casesOf<HookCase>(this.name)
    const bodies = cases.map(
      ({ id, stdin }): Body => ({
        name: id,
        fileName: null,
        kind: 'claude-hook',
        bytes: new TextEncoder().encode(expanded(stdin)),
      }),
    )
    const found = await concludeBodies(db, this.name, bodies)
    for (const { id, env, stdin } of cases) {
      const { stage, frame, errorCut, warnsMissingFilePath } = runReferenceHook(
        expanded(stdin),
        Boolean(env.CLAUDE_SESSION_ID),
      )
      const receipt = frame === null ? null : hookReceiptOf(frame)
      const made = receipt !== null && 'status' in receipt ? receipt : null
      const receiptStatus = made?.status ?? (receipt === null ? null : 'rejected')
      found.hookRun.push({
        of: id,
        stage,
        tool: frame?.tool.name ?? null,
        errorCut,
        warnsMissingFilePath,
        receiptStatus,
        receiptAction: made?.action_type ?? null,
      })
    }
    return found
  },
}

export const receiptSources: readonly Source[] = hasShared
  ? [
      chains,
      hookFrames,
      ...sharedFiles(`${FOLDER}/db`)
        .filter((path) => path.endsWith('.db'))
        .map(ofDatabase),
      ...['vectors', 'test-vectors', 'examples']
        .flatMap((folder) => sharedFiles(`${FOLDER}/${folder}`))
        .filter((path) => basename(path).endsWith('.json'))
        .map(ofDocument),
    ]
  : []
