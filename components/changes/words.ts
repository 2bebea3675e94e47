import type { ChangeItem } from '@/lib/api/change-schemas'

const FITS: Record<string, string> = {
  fits: 'Its lines are those of the file before it.',
  blanks:
    'Its lines are those of the file before it; the recorder wrote tabs as blanks, and the tabs are shown as the file has them.',
  created: 'A new file.',
  'no-original': 'The file before it is not recorded: nothing shows that these lines are its lines.',
  'no-lines': 'No line is recorded.',
  'does-not-fit':
    'What is recorded does not hold together: these lines are not those of the file that is recorded beside them.',
  'too-large': 'Its record is too large to be read here; its bytes hold it.',
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
