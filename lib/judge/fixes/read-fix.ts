import { byteFacts } from '../patches/byte-facts'
import { FLAGS, weightOf, type PatchFlag } from '../../model/flags'
import { faultMessage } from '../patches/fault-message'
import type { ByteRange, Patch } from '../patches/patch'
import { FLAG_RULES, isSafe, readFlags, sortFlags } from '../patches/read-flags'
import { readAsMade } from '../patches/read-as-made'
import type { FailureFacts } from '../patches/signals'
import { createSha256 } from '../../bytes/sha256'
import { fileList } from './file-list'
import { findSecrets, SECRET_RULES } from './find-secrets'
import type { SecretRun } from './secret-runs'
import type { FixByteFacts, FixFile, FoundFlag, FoundReading } from '../../model/fix'

/** Everything that is derived from a patch without a person: what git makes of it and what rules find in it. */
export interface FixReading {
  summary: FoundReading
  /** Null: nobody has looked. */
  facts: FixByteFacts | null
  files: FixFile[]
  flags: FoundFlag[]
  /** Every line that is masked where the patch is shown, whatever is listed of the flags; null: not known, so all of it is. */
  secrets: SecretRun[] | null
}

/** Flags that are kept of one patch, the weightiest ones; the summary counts by code whatever is kept. */
const FLAGS_KEPT = 5_000

/** Version of all rules: what was read by another one is read again. */
export const READING_RULES = `${FLAG_RULES}.${SECRET_RULES}`

/**
 * Reads a patch by git's rules and looks at it by ours. Never throws, whatever the bytes are.
 *
 * @param secrets ranges of the bytes that no rule knows to be secret, and somebody else does
 */
export async function readFix(
  bytes: Uint8Array,
  failure: FailureFacts,
  secrets: readonly ByteRange[] = [],
): Promise<FixReading> {
  const patch = readAsMade(bytes)
  const files = fileList(bytes, patch, digestOf)
  const { flags, runs } = await findSecrets(bytes, patch, secrets)
  const found = sortFlags([...readFlags(bytes, patch, { failure }), ...flags])
  return {
    summary: summaryOf(patch, files, found),
    facts: byteFacts(bytes),
    files,
    flags: found.slice(0, FLAGS_KEPT).map(toFlag),
    secrets: runs,
  }
}

function summaryOf(patch: Patch, files: readonly FixFile[], flags: readonly PatchFlag[]): FoundReading {
  const sum = (of: (file: FixFile) => number | null): number =>
    files.reduce((total, file) => total + (of(file) ?? 0), 0)
  const codes = (weight: string): string[] => [
    ...new Set(
      flags
        .filter((flag) => FLAGS[flag.code].family === 'safety' && weightOf(flag) === weight)
        .map(({ code }) => code),
    ),
  ]
  const signals = new Map(
    flags
      .filter(({ code }) => FLAGS[code].family === 'signal')
      .toReversed()
      .map((flag) => [flag.code, weightOf(flag)]),
  )
  return {
    verdict: patch.verdict,
    problem: patch.problem && faultMessage(patch.problem.why),
    files: files.length,
    additions: sum((file) => file.additions),
    deletions: sum((file) => file.deletions),
    hunks: sum((file) => file.hunks),
    safe: isSafe(flags),
    blocking: codes('blocking'),
    warnings: codes('warning'),
    // From the weightiest: one code may have several weights.
    signals: [...signals].toReversed().map(([code, weight]) => ({ code, weight })),
    rules: READING_RULES,
  }
}

const toFlag = (flag: PatchFlag): FoundFlag => ({
  family: FLAGS[flag.code].family,
  code: flag.code,
  weight: weightOf(flag),
  detail: flag.detail,
  file: flag.file,
  lines: flag.lines,
})

function digestOf(part: Uint8Array): string {
  const hash = createSha256()
  hash.update(part)
  return hash.hex()
}
