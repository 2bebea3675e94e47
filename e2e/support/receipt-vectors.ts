import { canonicalJson, NotCanonical } from '../../lib/text/canonical-json'
import { runReferenceHook } from '../../lib/formats/receipt/hook-frame'
import { hookReceiptOf } from '../../scripts/conformance/reference/hook-receipt'
import { readRotation } from '../../lib/judge/receipts/key-rotation'
import { didKeyOf, parsePublicKey, type PublicKey } from '../../lib/judge/receipts/keys'
import { receiptFrom, receiptOf } from '../../lib/formats/receipt/read-receipt'
import type { Receipt } from '../../lib/formats/receipt/receipt'
import { receiptHash, valueHash } from '../../lib/formats/receipt/receipt-hash'
import { verifySignature } from '../../lib/judge/receipts/signature'
import { verifyChain, type ChainOptions } from '../../lib/judge/receipts/verify-chain'

/** A file of vectors, or a database of receipts as the bytes of each (base64). */
export type VectorFile =
  | { name: string; text: string }
  | { name: string; chains: { id: string; key: string; receipts: string[] }[] }

export type Answer = [id: string, json: string]

/**
 * Everything that `lib/judge/receipts` says of recorded vectors: of each value in them its form and hash, of each text that is a key the key, of each
 * receipt its reading, hash and signature under every key of its file, of each chain the whole verdict. Runs the same in Node and in a browser.
 */
export async function answersOf(files: readonly VectorFile[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const file of files) {
    if ('chains' in file)
      for (const one of file.chains)
        await answerChain(
          answers,
          `${file.name} ${one.id}`,
          one.receipts.map((text) => receiptFrom(bytesOf(text))),
          [one.key],
          {},
        )
    else if (/hook-frames/.test(file.name))
      for (const [i, line] of linesOf(file.text))
        answers.push([`${file.name}:${i}`, hookAnswer(JSON.parse(line) as HookLine)])
    else if (file.name.endsWith('.jsonl'))
      for (const [i, line] of linesOf(file.text))
        await answerDocument(answers, `${file.name}:${i}`, JSON.parse(line))
    else await answerDocument(answers, file.name, JSON.parse(file.text))
  }
  return answers
}

const linesOf = (text: string): [number, string][] =>
  text.split('\n').flatMap((line, i): [number, string][] => (line.trim() === '' ? [] : [[i + 1, line]]))
const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))
const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

async function answerDocument(answers: Answer[], name: string, document: unknown): Promise<void> {
  const keys: string[] = []
  const nodes: [string, unknown][] = []
  walk(document, '', (at, value) => {
    if (typeof value === 'object' && value !== null) nodes.push([at, value])
    const key = typeof value === 'string' ? parsePublicKey(value) : null
    if (key === null) return
    answers.push([`${name}#${at} key`, JSON.stringify([hex(key.raw), key.fingerprint, didKeyOf(key)])])
    keys.push(value as string)
  })
  for (const [at, value] of nodes) {
    answers.push([`${name}#${at} form`, JSON.stringify([formOf(value), valueHash(value)])])
    if (isReceipt(value)) await answerReceipt(answers, `${name}#${at}`, receiptOf(value), keys)
    if (Array.isArray(value) && value.length > 0 && value.every(isReceipt))
      await answerChain(answers, `${name}#${at}`, value.map(receiptOf), keys, witnessesOf(document))
  }
}

function walk(value: unknown, at: string, visit: (at: string, value: unknown) => void): void {
  visit(at, value)
  if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) walk(one, `${at}/${key}`, visit)
}

const isReceipt = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'credentialSubject' in value

async function answerReceipt(
  answers: Answer[],
  id: string,
  receipt: Receipt,
  keys: readonly string[],
): Promise<void> {
  answers.push([`${id} receipt`, JSON.stringify([receipt, receiptHash(receipt)])])
  for (const [i, key] of [...keys, SOME_KEY].entries()) {
    answers.push([
      `${id} signature ${i}`,
      JSON.stringify(await verifySignature(receipt, parsePublicKey(key)!)),
    ])
    answers.push([
      `${id} rotation ${i}`,
      JSON.stringify(readRotation(receipt.facts.keyRotation, parsePublicKey(key)!)),
    ])
  }
}

async function answerChain(
  answers: Answer[],
  id: string,
  receipts: readonly Receipt[],
  keys: readonly string[],
  options: ChainOptions,
): Promise<void> {
  const read = (text: string): PublicKey => parsePublicKey(text)!
  const all = keys.map(read)
  // No key, each of them, all of them, and the last as the current one.
  for (const [i, registered] of [[], ...all.map((key) => [key]), all].entries())
    answers.push([`${id} chain ${i}`, JSON.stringify(await verifyChain(receipts, { registered }, options))])
  if (all.length > 0)
    answers.push([
      `${id} chain current`,
      JSON.stringify(
        await verifyChain(
          receipts,
          { registered: all, current: all.at(-1)! },
          { ...options, requireTerminal: true },
        ),
      ),
    ])
}

/** The first public key of RFC 8032 §7.1. */
const SOME_KEY = 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw'

function formOf(value: unknown): string {
  try {
    return canonicalJson(value)
  } catch (error) {
    if (error instanceof NotCanonical) return `none: ${error.why}`
    throw error
  }
}

interface Options {
  expected_length?: number
  expected_final_hash?: string
  require_terminal?: boolean
  response_bodies?: Record<string, unknown>
}

function witnessesOf(document: unknown): ChainOptions {
  const { options } = document as { options?: Options }
  if (options === undefined) return {}
  return {
    length: options.expected_length,
    finalHash: options.expected_final_hash,
    requireTerminal: options.require_terminal,
    ...(options.response_bodies && { responseBodies: new Map(Object.entries(options.response_bodies)) }),
  }
}

interface HookLine {
  env: Record<string, string>
  stdin: string
}

function hookAnswer({ env, stdin }: HookLine): string {
  const run = runReferenceHook(
    stdin.replace(/@@(.)\*(\d+)@@/gsu, (_, character: string, times: string) =>
      character.repeat(Number(times)),
    ),
    Boolean(env.CLAUDE_SESSION_ID),
  )
  return JSON.stringify([run, run.frame && hookReceiptOf(run.frame)])
}

/** Answers of one side that the other does not give, by their ids. */
export function disagreements(one: readonly Answer[], other: readonly Answer[]): string[] {
  const said = new Map(other)
  const found = one
    .filter(([id, json]) => said.get(id) !== json)
    .map(([id, json]) => `${id}: ${json.slice(0, 200)} against ${said.get(id)?.slice(0, 200) ?? 'nothing'}`)
  return one.length === other.length ? found : [...found, `${one.length} answers against ${other.length}`]
}
