import type { NotChecked } from './fit'

/** Why a reported application was not looked for, beside what stands in the way of every check. */
export const NOT_LOOKED = {
  'commit-missing': 'The mirror doesn’t have the reported commit. It may be out of date.',
  'no-commit': 'The report has no commit, and the mirror has no such branch.',
  'no-promise':
    'The expected files are unknown: the patch did not apply to its base in the mirror, and its index lines have no full blob IDs.',
} as const
export type NotLooked = NotChecked | keyof typeof NOT_LOOKED

/** A touched file that is not in the commit as the patch makes it: mode and blob; null: no file. */
export interface OtherBlob {
  name: string
  promised: string | null
  found: string | null
}

/**
 * Whether a commit of the mirror has every touched file as the patch promises it. It is inferred: another change may have made the same files.
 * Where it was not looked for, `why` says so.
 */
export interface AppliedReading {
  outcome: 'seen' | 'not-seen' | 'not-checked'
  why: NotLooked | null
  /** The whole id of the commit that was looked at. */
  commit: string | null
  repository: string | null
  /** Null: the report names a commit, and that was looked at. */
  branch: string | null
  /** The first ones that are otherwise. */
  others: OtherBlob[]
  othersTotal: number
}
