import { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, expect } from 'vitest'
import { makeSigner, signChain, type Draft } from '@/lib/judge/receipts/testing/signed-chain'
import { createOutput } from '../output'
import type { ChainReport } from '../verify/chain-report'
import { runVerify } from '../verify/run-verify'
import { makeFolder, runCli, type CliRun } from './run-cli'

/** What `inquest verify --json` tells. */
export interface VerifyReport {
  exit: number
  input: { kind: string | null }
  problems: string[]
  error?: string
  checkpoints: { used: number; unusable: number; absentChains: string[] }
  chains: ChainReport[]
}

/** Keys, chains and runs of `inquest verify`, each test in a folder of its own. */
export async function setUpVerify() {
  const [owner, other] = await Promise.all([makeSigner(), makeSigner()])
  const plain = await signChain([{}, {}, {}, { chain: { terminal: true } }], owner)
  const set = { folder: makeFolder() }
  set.folder.remove()
  beforeEach(() => void (set.folder = makeFolder()))
  afterEach(() => set.folder.remove())

  const put = (content: string | Uint8Array, name = 'in'): string => set.folder.put(name, content)
  const verify = (...args: string[]): Promise<CliRun> =>
    runCli(['verify', ...args], { HOME: set.folder.path })
  const reportOf = async (content: string | Uint8Array, ...args: string[]): Promise<VerifyReport> => {
    const run = await verify(put(content), '--json', ...args)
    const document = JSON.parse(run.out) as VerifyReport
    expect(document.exit).toBe(run.code)
    return document
  }
  return {
    owner,
    other,
    plain,
    open: plain.slice(0, 3),
    put,
    verify,
    reportOf,
    folder: () => set.folder.path,
    withKey: (content: string | Uint8Array, ...args: string[]) =>
      reportOf(content, '--key', owner.multibase, ...args),
    named: (id: string, count = 2) =>
      signChain(
        Array.from({ length: count }, (_, i) => ({ id: `urn:${id}:${i}`, chain: { chain_id: id } })),
        owner,
      ),
  }
}

export const drafts = (count: number, more: Draft = {}): Draft[] => Array.from({ length: count }, () => more)
export const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('')
export const list = (texts: readonly string[]): string => `[\n  ${texts.join(',\n  ')}\n]\n`
/** Exit status, and of each chain its name, state, reason and first bad receipt. */
export const short = ({ exit, chains }: VerifyReport): unknown[] => [
  exit,
  ...chains.map(({ chainId, state, reason, firstBadIndex }) => [chainId, state, reason, firstBadIndex]),
]

/** Runs it on standard input, which comes in small pieces, as pipes bring them. */
export async function verifyPiped(content: string | Uint8Array, chain?: string): Promise<CliRun> {
  const written = { out: '', err: '' }
  const to = (name: 'out' | 'err'): Writable =>
    new Writable({ write: (chunk: Buffer, _, done) => ((written[name] += String(chunk)), done()) })
  const bytes = Buffer.from(content as string)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, i) =>
    bytes.subarray(i * 1_000, (i + 1) * 1_000),
  )
  const code = await runVerify(
    '-',
    { chain },
    { stdin: Readable.from(pieces), err: to('err'), signal: new AbortController().signal },
    createOutput(false, to('out'), to('err')),
  )
  return { code, ...written }
}
