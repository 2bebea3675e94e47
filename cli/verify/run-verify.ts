import type { Readable } from 'node:stream'
import type { ChainKeys } from '@/lib/judge/receipts/verify-chain'
import { verifyChain } from '@/lib/judge/receipts/verify-chain'
import { countOf } from '@/lib/text/amounts'
import { verifyText } from '@/lib/words/cli/verify'
import { CliFailure } from '../exit-codes'
import type { Output } from '../output'
import { reportSteps } from '../record/tell-steps'
import { tallyCalls } from './call-tally'
import { exitOf, reportChain, type ChainReport } from './chain-report'
import { inputName, openSource, problemOf } from './open-source'
import { readKey } from './read-keys'
import { readWitnesses, type GivenWitnesses, type WitnessFlags } from './read-witnesses'
import { chainLines, shown, summaryLine } from './report-words'
import type { Source } from './source'
import { verifyChains, type VerifiedChain, type VerifyChains } from './verify-chains'

export interface VerifyFlags extends WitnessFlags {
  key?: string[]
  current?: string
  chain?: string
  fileKeys?: boolean
  rows?: boolean
}

export interface VerifyIo {
  stdin: Readable
  err: NodeJS.WritableStream & { isTTY?: boolean }
  signal: AbortSignal
}

/**
 * `inquest verify`: checks the chains of a file of receipts, without a server.
 *
 * @returns its exit status
 * @throws CliFailure for keys, witnesses and inputs that cannot be used
 */
export async function runVerify(
  path: string,
  flags: VerifyFlags,
  io: VerifyIo,
  output: Output,
): Promise<number> {
  const keys = await readKeys(flags)
  if (flags.fileKeys === true && keys.registered.length > 0)
    throw new CliFailure('usage', verifyText.keysFromOnePlace)
  const given = await readWitnesses(flags, keys.registered)
  const terminal = io.err.isTTY === true && !output.json
  const reporter = reportSteps((text) => void (terminal && io.err.write(text)), terminal)
  let source: Source | null = null
  try {
    const options: VerifyChains = {
      keys,
      withFileKeys: flags.fileKeys,
      witnesses: given.witnesses,
      only: flags.chain ?? null,
      signal: io.signal,
      onReceipts: (count) => reporter.step(`verifying: ${countOf(count, 'receipt')}`),
    }
    source = await openSource(path, {
      stdin: io.stdin,
      signal: io.signal,
      onRows: (rows) => reporter.step(`reading: ${countOf(rows, 'row')}`),
    })
    const found = source === null ? [] : await verifyChains(source, options)
    const verified = found.length > 0 ? found : [await noChain(options)]
    const chains = verified.map((chain) => reportChain(chain, source, flags.rows === true))
    const problems = [source?.problem(), given.problem].filter((problem) => typeof problem === 'string')
    reporter.stop()
    const exit = exitOf(chains, problems.length === 0)
    tell(
      {
        path,
        source,
        chains,
        problems,
        exit,
        keys,
        given,
        isFiltered: flags.chain !== undefined,
        withFileKeys: flags.fileKeys === true,
      },
      output,
    )
    return exit
  } catch (error) {
    throw problemOf(inputName(path), error)
  } finally {
    reporter.stop()
    await source?.close()
  }
}

async function readKeys(flags: VerifyFlags): Promise<ChainKeys> {
  const registered = await Promise.all((flags.key ?? []).map((given) => readKey(given, '--key')))
  if (flags.current === undefined) return { registered }
  const current = await readKey(flags.current, '--current')
  // A chain that was begun after the last rotation begins with it.
  return { registered: [...registered, current], current }
}

/** Witnesses speak also of a chain of which nothing is there. */
const noChain = async ({ keys, witnesses, only }: VerifyChains): Promise<VerifiedChain> => ({
  chainId: only,
  verdict: await verifyChain([], keys, witnesses),
  counts: tallyCalls(new Set()).counts(),
  places: [],
  numbers: [],
  disagreements: [],
})

interface VerifyReport {
  path: string
  source: Source | null
  chains: ChainReport[]
  problems: string[]
  exit: number
  keys: ChainKeys
  given: GivenWitnesses
  /** Only one chain was asked for. */
  isFiltered: boolean
  withFileKeys: boolean
}

function absentWords(chainIds: readonly string[]): string {
  const named = chainIds.slice(0, 5).map(shown).join(', ')
  return verifyText.checkpointsForOtherChains({ chains: chainIds.length, named })
}

function tell(
  { path, source, chains, problems, exit, keys, given, isFiltered, withFileKeys }: VerifyReport,
  output: Output,
): void {
  const fileKeys = [
    ...new Set(
      chains.flatMap(
        ({ chainId }) => source?.keysOf?.(chainId).registered.map(({ fingerprint }) => fingerprint) ?? [],
      ),
    ),
  ]
  const isThere = (chainId: string): boolean => chains.some((chain) => chain.chainId === chainId)
  const absent = isFiltered
    ? []
    : [...new Set(given.witnesses.checkpoints?.map(({ chainId }) => chainId))].filter(
        (chainId) => !isThere(chainId),
      )
  const notes = [
    ...problems,
    ...(absent.length > 0 ? [absentWords(absent)] : []),
    ...(withFileKeys && fileKeys.length > 0 ? [verifyText.keysCameWithFile({ fileKeys })] : []),
    ...(keys.registered.length === 0 && !withFileKeys ? [verifyText.signaturesProveLittle] : []),
  ]
  for (const [i, chain] of chains.entries()) {
    if (i > 0) output.line('')
    if (chain.state === 'no_receipts' && chain.chainId === null)
      output.line(`${inputName(path)}: no receipts`)
    else for (const line of chainLines(chain, source?.placeWord ?? 'place')) output.line(line)
  }
  if (chains.length > 1) output.line(`\n${summaryLine(chains)}`)
  for (const note of notes) output.note(`inquest: ${note}.`)
  output.record({
    exit,
    input: { name: path, kind: source?.kind ?? null, place: source?.placeWord ?? null },
    problems,
    keys: withFileKeys ? fileKeys : keys.registered.map(({ fingerprint }) => fingerprint),
    current: keys.current?.fingerprint ?? null,
    checkpoints: {
      used: given.witnesses.checkpoints?.length ?? 0,
      unusable: given.unusable,
      absentChains: absent,
    },
    chains,
  })
}
