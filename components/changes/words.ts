import type { ChangeItem } from '@/lib/api/change-schemas'

const FITS: Record<string, string> = {
  fits: 'Matches the file before the change.',
  blanks:
    'Matches the file before the change. The recorder wrote tabs as spaces; tabs are shown as in the file.',
  created: 'New file.',
  'no-original': 'The file before the change was not recorded, so these lines are unverified.',
  'no-lines': 'No lines were recorded.',
  'does-not-fit': 'Inconsistent record: these lines do not match the recorded file.',
  'too-large': 'The record is too large to show here. See the raw record.',
}

/** How far the recorded lines can be trusted. */
export const fitSentence = (fit: string): string => (Object.hasOwn(FITS, fit) ? FITS[fit]! : fit)

/** Whether the lines are known to be wrong, or nothing shows that they are right. */
export const isDoubtful = ({ fit }: Pick<ChangeItem, 'fit'>): boolean =>
  fit === 'no-original' || fit === 'does-not-fit' || fit === 'too-large'

export const whenWords = ({ afterFailure }: Pick<ChangeItem, 'afterFailure'>): string =>
  afterFailure === null
    ? 'no call failed'
    : afterFailure
      ? 'after the first failure'
      : 'before the first failure'
