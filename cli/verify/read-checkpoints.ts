import { verifyCheckpoint, type Checkpoint } from '@/lib/judge/receipts/checkpoint'
import type { PublicKey } from '@/lib/judge/receipts/keys'
import { verifyText } from '@/lib/words/cli/verify'
import { CliFailure } from '../exit-codes'
import { readSmallFile } from './read-small-file'

export interface GivenCheckpoints {
  good: Checkpoint[]
  /** No checkpoints, or signed by none of the keys: they witness nothing. */
  unusable: number
}

/**
 * The log of checkpoints that a daemon keeps beside its chains: one a line, or a list.
 *
 * @param keys any of which may have signed one
 * @throws CliFailure `usage` when the file cannot be read
 * @see docs/sources/receipts.md
 */
export async function readCheckpoints(path: string, keys: readonly PublicKey[]): Promise<GivenCheckpoints> {
  const text = await readSmallFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliFailure(
      'usage',
      verifyText.checkpointsUnreadable({ path, code: error.code, reason: error.message }),
      { cause: error },
    )
  })
  const found: GivenCheckpoints = { good: [], unusable: 0 }
  for (const value of valuesOf(text.replace(/^\ufeff/, ''))) {
    const checkpoint = await firstSigned(value, keys)
    if (checkpoint === null) found.unusable++
    else found.good.push(checkpoint)
  }
  return found
}

async function firstSigned(value: unknown, keys: readonly PublicKey[]): Promise<Checkpoint | null> {
  for (const key of keys) {
    const checkpoint = await verifyCheckpoint(value, key)
    if (checkpoint !== null) return checkpoint
  }
  return null
}

function valuesOf(text: string): unknown[] {
  const whole = parse(text)
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole]
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parse)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
