import type { NotLooked } from '../../model/fits'

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
