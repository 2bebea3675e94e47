import type { Interdiff } from '@/lib/views/fixes/interdiff'
import { sameBase } from '@/lib/views/fixes/since-version'
import { formatCount } from '../shared/format'
import type { Since } from './use-since-version'
import type { Version } from './use-versions'
import { secretLines, type MaskedLines } from './words'
import type { FixDetail } from '@/lib/model/fix'

const SINCE_WORDS = { same: 'as in', changed: 'changed since', new: 'not in', gone: 'only in' }

const isCut = ({ fix, files }: Version): boolean => files.length < fix.reading.files

/** What became of a file since an earlier version; null while that is not known. */
export function sinceWords(since: Since | null, ordinal: number): string | null {
  const what = since?.pairs.find(({ now }) => now?.ordinal === ordinal)?.what
  if (since === null || what === undefined || (what === 'new' && isCut(since.before))) return null
  return `${SINCE_WORDS[what]} version ${since.before.fix.ordinal}`
}

/** Names of files that are no longer in the patch. */
export const goneFiles = ({ now, pairs }: Since): string[] =>
  isCut(now) ? [] : pairs.flatMap(({ what, before }) => (what === 'gone' && before ? [before.name] : []))

/** That not all files of both versions are compared; null where they are. */
export function cutWords({ now, before }: Since): string | null {
  const cut = [before, now]
    .filter(isCut)
    .map(
      ({ fix, files }) =>
        `the first ${formatCount(files.length)} of ${formatCount(fix.reading.files)} files of version ${fix.ordinal}`,
    )
  return cut.length === 0 ? null : `Only ${cut.join(' and ')} are compared.`
}

/** That lines may have moved between two versions; null where both were made for one base. */
export function baseWords({ now, before }: Since): string | null {
  const same = sameBase(now.fix.base, before.fix.base)
  if (same === true) return null
  return same === false
    ? `Version ${before.fix.ordinal} has a different base, so moved lines show as changed.`
    : `Whether version ${before.fix.ordinal} has the same base is unknown, so moved lines may show as changed.`
}

/** Rows that hold what looks like a secret, in the words of either version. */
export function secretRows(
  { origins }: Pick<Interdiff, 'origins'>,
  earlier: Secrets,
  later: Secrets,
): MaskedLines {
  const [old, fresh] = [secretLines(earlier), secretLines(later)]
  return {
    hidden: old.hidden || fresh.hidden,
    has: (row) => {
      const one = origins.get(row)
      return (
        one !== undefined &&
        ((one.earlier !== null && old.has(one.earlier)) || (one.later !== null && fresh.has(one.later)))
      )
    },
  }
}

type Secrets = Pick<FixDetail, 'secretLines' | 'secretsHidden'>
