import type { FitTroubleKind, NotChecked } from '../../model/fits'

/** Whether a patch applies to a tree of a mirror, by git's own verdict. */
export const FIT_OUTCOMES = [
  'fits',
  'does-not-fit',
  'already-applied',
  'base-unknown',
  'base-missing',
  'branch-unknown',
  'not-checked',
] as const
export type FitOutcome = (typeof FIT_OUTCOMES)[number]

export interface FitTrouble {
  kind: FitTroubleKind
  /** Place of the file in the patch, from 0; null: git names none that is in it. */
  file: number | null
  name: string | null
  /** Counts the hunks of the file, from 1. */
  hunk: number | null
  /** Where its first changed line stands. */
  place: { side: 'old' | 'new'; line: number } | null
  /** What git says. */
  words: string
}

/** A hunk that fits elsewhere than it says. */
export interface MovedHunk {
  file: number
  hunk: number
  lines: number
}

export interface FitSide {
  /** The whole id of the commit or tree that was looked at. */
  commit: string | null
  outcome: FitOutcome
  why: NotChecked | null
  /** What git says where it could not do it. */
  words: string | null
  troubles: FitTrouble[]
  /** More than are listed where git had more to say. */
  troublesTotal: number
  moved: MovedHunk[]
}

/** What came of one check. */
export interface FitReading {
  sha256: string
  gitVersion: string | null
  mirrorId: string | null
  repository: string | null
  branch: string | null
  base: FitSide
  head: FitSide
}

export const sideWithout = (
  outcome: FitOutcome,
  why: NotChecked | null = null,
  words: string | null = null,
): FitSide => ({ commit: null, outcome, why, words, troubles: [], troublesTotal: 0, moved: [] })

export const notChecked = (why: NotChecked, words: string | null = null): FitSide =>
  sideWithout('not-checked', why, words)

const isVerdict = ({ outcome }: FitSide): boolean =>
  outcome === 'fits' || outcome === 'does-not-fit' || outcome === 'already-applied'

/** The one word for both: what is true of the branch now says more than what was true of the base. */
export const fitOutcome = ({ base, head }: Pick<FitReading, 'base' | 'head'>): FitOutcome =>
  isVerdict(head) || !isVerdict(base) ? head.outcome : base.outcome

/** What is in the way of a check before git is asked, as far as the fix itself says. */
export function whyNotGiven(reading: {
  verdict: string
  safe: boolean
  warnings: readonly string[]
}): NotChecked | null {
  if (reading.verdict === 'error') return 'refused'
  if (!reading.safe) return 'unsafe'
  return reading.warnings.includes('binary-expansion') ? 'grows' : null
}

/** Whether a name can be a branch, by the rules of `git check-ref-format`. It is only ever asked for below `refs/heads/`. */
export const isBranchName = (name: string): boolean =>
  name !== '' &&
  name.length <= 200 &&
  !name.startsWith('-') &&
  !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^\.|\/\.|\.lock(?:\/|$)/.test(name) &&
  name !== '@'
