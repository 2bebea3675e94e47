import type { Witnesses } from '@/lib/judge/receipts/chain-witnesses'
import type { PublicKey } from '@/lib/judge/receipts/keys'
import { verifyText } from '@/lib/words/cli/verify'
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
    throw new CliFailure('usage', verifyText.finalHashForm)
  }
  const witnesses: Witnesses = { length, finalHash, requireTerminal }
  if (checkpoints === undefined) return { witnesses, unusable: 0, problem: null }
  if (keys.length === 0) throw new CliFailure('usage', verifyText.checkpointsNeedKey)
  const { good, unusable } = await readCheckpoints(checkpoints, keys)
  const problem =
    good.length + unusable === 0
      ? verifyText.noCheckpoints
      : unusable === 0
        ? null
        : verifyText.checkpointsUnusable({ unusable })
  return { witnesses: { ...witnesses, checkpoints: good }, unusable, problem }
}
