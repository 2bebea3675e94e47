import type { Witnesses } from '@/lib/judge/receipts/chain-witnesses'
import type { PublicKey } from '@/lib/judge/receipts/keys'
import { countOf } from '@/lib/text/amounts'
import { CliFailure } from '../exit-codes'
import { readCheckpoints } from './read-checkpoints'

export interface WitnessFlags {
  length?: number
  finalHash?: string
  requireTerminal?: boolean
  checkpoints?: string
}

export interface GivenWitnesses {
  witnesses: Witnesses
  /** Checkpoints that witness nothing. */
  unusable: number
  /** Why not all that was given counts. */
  problem: string | null
}

/** @throws CliFailure `usage` for witnesses that cannot be used at all */
export async function readWitnesses(
  { length, finalHash, requireTerminal, checkpoints }: WitnessFlags,
  keys: readonly PublicKey[],
): Promise<GivenWitnesses> {
  if (finalHash !== undefined && !/^sha256:[0-9a-f]{64}$/.test(finalHash)) {
    throw new CliFailure('usage', '--final-hash takes sha256: followed by 64 lowercase hex digits.')
  }
  const witnesses: Witnesses = { length, finalHash, requireTerminal }
  if (checkpoints === undefined) return { witnesses, unusable: 0, problem: null }
  if (keys.length === 0) throw new CliFailure('usage', '--checkpoints needs --key to check the signatures.')
  const { good, unusable } = await readCheckpoints(checkpoints, keys)
  const problem =
    good.length + unusable === 0
      ? 'the file contains no checkpoints'
      : unusable === 0
        ? null
        : `${countOf(unusable, 'checkpoint')} cannot be read or ${unusable === 1 ? 'is' : 'are'} signed by none of the keys, and did not count`
  return { witnesses: { ...witnesses, checkpoints: good }, unusable, problem }
}
