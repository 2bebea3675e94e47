import type { FixVerification } from '../../model/fix'

/** What the commands that the proposer ran come to. Only the first counts as verified, and only by the proposer. */
export const EVIDENCE_VERDICTS = [
  'reproduced-and-fixed',
  'fixed-not-reproduced',
  'still-failing',
  'not-run',
] as const
export type EvidenceVerdict = (typeof EVIDENCE_VERDICTS)[number]

const command = (one: FixVerification): string => JSON.stringify(one.argv)

/**
 * One word for all evidence. A failure counts as reproduced when a command failed before the patch and the same command passed behind it; a
 * command without an exit status proves nothing.
 */
export function evidenceVerdict(verification: readonly FixVerification[]): EvidenceVerdict {
  const after = verification.filter(({ phase, exitCode }) => phase === 'after-patch' && exitCode !== null)
  if (after.length === 0) return 'not-run'
  if (after.some(({ exitCode }) => exitCode !== 0)) return 'still-failing'
  const passed = new Set(after.map(command))
  const reproduced = verification.some(
    (one) =>
      one.phase === 'reproduce-before' &&
      one.exitCode !== null &&
      one.exitCode !== 0 &&
      passed.has(command(one)),
  )
  return reproduced ? 'reproduced-and-fixed' : 'fixed-not-reproduced'
}
