import { CheckCheck, CircleCheck, CircleDashed, CircleHelp, type LucideIcon, OctagonX } from 'lucide-react'
import type { FixFit } from '@/lib/api/fit-schemas'
import type { FitOutcome, FitSide, FitTrouble } from '@/lib/judge/fixes/fit'
import { FIT_TROUBLE_WORDS, NOT_CHECKED_WORDS, NOT_LOOKED_WORDS } from '@/lib/words/fixes'
import { plural } from '../shared/format'

/** Each outcome as a word and a sign, so that colour alone does not carry it. */
export const OUTCOMES: Record<FitOutcome, { word: string; icon: LucideIcon; tone: string }> = {
  fits: { word: 'fits', icon: CircleCheck, tone: 'text-good' },
  'does-not-fit': { word: 'does not fit', icon: OctagonX, tone: 'text-bad' },
  'already-applied': { word: 'already applied', icon: CheckCheck, tone: 'text-ink-2' },
  'base-unknown': { word: 'base unknown', icon: CircleHelp, tone: 'text-none' },
  'base-missing': { word: 'base not in the mirror', icon: CircleHelp, tone: 'text-none' },
  'branch-unknown': { word: 'branch unknown', icon: CircleHelp, tone: 'text-none' },
  'not-checked': { word: 'not checked', icon: CircleDashed, tone: 'text-none' },
}

const SENTENCES: Record<Exclude<FitOutcome, 'fits' | 'does-not-fit' | 'not-checked'>, string> = {
  'already-applied': 'Already applied: the patch applies in reverse.',
  'base-unknown': 'The fix has no base commit or tree.',
  'base-missing':
    'The mirror doesn’t have the base commit. It may be out of date, or the commit was removed.',
  'branch-unknown': 'The mirror has no such branch.',
}

/** What is said of one side, with what git says where it could not be asked. */
export function sideSentence({ outcome, why, moved, troublesTotal }: FitSide): string {
  if (outcome === 'fits')
    return `The patch applies.${moved.length === 0 ? '' : ` ${plural(moved.length, 'hunk')} would apply at different lines than the patch says.`}`
  if (outcome === 'does-not-fit')
    return `The patch does not apply: ${troublesTotal === 0 ? 'no reason given by git' : `${plural(troublesTotal, 'place')} ${troublesTotal === 1 ? 'does' : 'do'} not fit`}.`
  if (outcome === 'not-checked') return why === null ? 'Unknown.' : NOT_CHECKED_WORDS[why]
  return SENTENCES[outcome]
}

export const troubleSentence = ({ kind }: FitTrouble): string => FIT_TROUBLE_WORDS[kind]

/** What a place that does not fit is called. */
export const troublePlace = ({ name, file, hunk }: FitTrouble): string =>
  `${name ?? (file === null ? 'the patch' : `file ${file + 1}`)}${hunk === null ? '' : `, hunk ${hunk}`}`

/** Why a check says nothing of now; null when it does. */
export function staleSentence({ stale, branch, headNow }: FixFit): string | null {
  switch (stale) {
    case null:
      return null
    case 'head-moved':
      return `The branch ${branch ?? ''} has moved since${headNow === null ? '' : `, to ${headNow.slice(0, 12)}`}.`
    case 'branch-gone':
      return `The branch ${branch ?? ''} was deleted since.`
    case 'mirror-changed':
      return 'The mirror or its branch has changed since.'
    case 'mirror-gone':
      return 'The mirror is unavailable, so it is unknown if the branch has moved.'
  }
}

/** What is known of a reported application beside the report itself. */
export function appliedSentence(
  { outcome, why, commit, branch, othersTotal }: NonNullable<FixFit['applied']>,
  by: string,
): string {
  const where = `${commit?.slice(0, 12) ?? 'a commit'}${branch === null ? '' : `, the head of ${branch}`}`
  if (outcome === 'seen')
    return `Applied, as reported by ${by}, and seen in ${where}: every file has the patched content (inferred from the mirror).`
  if (outcome === 'not-seen')
    return `Reported as applied by ${by}, not seen in ${where}: ${plural(othersTotal, 'file')} ${othersTotal === 1 ? 'differs' : 'differ'} from the patched content.`
  const reason = why === null ? 'result unknown' : NOT_LOOKED_WORDS[why]
  return `Reported as applied by ${by}; not checked: ${reason}`
}

/** What a check that is on its way is doing; null when none is. */
export const progressWords = ({ standing }: FixFit): string | null =>
  standing === 'waiting'
    ? 'Waiting for the background worker…'
    : standing === 'running'
      ? 'Checking with git…'
      : null
