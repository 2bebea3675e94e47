import type { CauseCorrection, CorrectedCall } from '../model/cause-correction'
import { countOf } from '../text/amounts'
import { cutAtWord, oneLine } from '../text/visible'

const TARGET_CHARS = 80

/** What the first screen, the dialog and the settings say about corrections of causes. */
export const correctionWords = {
  open: 'Not the cause',
  title: 'What is the cause?',
  nothing: 'Nothing here needs attention',
  search: 'Search failed calls',
  reason: 'Reason (optional)',
  chooseFirst: 'Choose a call, or that nothing needs attention',
  sameCall: 'This call is already the cause',
  keeps: 'The judged cause stays. Your correction is shown beside it, with your name.',
  saved: 'Correction saved',
  undone: 'Correction undone',
  noFailedCalls: 'This execution has no failed calls of its own.',
  noMatch: 'No failed call matches.',
  reading: 'Reading the failed calls',
} as const

/** A call by its tool and target; by its id where the execution no longer has it. */
export function correctedCallWords({ id, tool, target, number }: CorrectedCall): string {
  if (tool === null) return `call ${oneLine(id)}, which is no longer recorded`
  const name =
    target === null ? oneLine(tool) : `${oneLine(tool)} ${cutAtWord(oneLine(target), TARGET_CHARS)}`
  return number === null ? name : `${name} (call ${number})`
}

/** What became of the corrected cause since; null: it is still the same. */
export const sinceCorrected = ({
  today,
  judged,
}: Pick<CauseCorrection, 'today' | 'judged'>): string | null =>
  today === 'same'
    ? null
    : today === 'agrees'
      ? 'The current cause agrees.'
      : `The cause at that time: ${cutAtWord(oneLine(judged.text), TARGET_CHARS)}`

/** A count of executions that stops behind its limit. */
export const shownWords = (shown: number, countMax: number): string =>
  shown > countMax ? `${countMax.toLocaleString('en-US')}+` : shown.toLocaleString('en-US')

/** What the settings say about the counts. */
export const judgementWords = {
  lead: 'How often each rule gave the cause of an execution, and how often people corrected it.',
  none: 'No execution has a cause yet.',
  noRule: 'before there were rules',
  noCorrections: 'Nobody has corrected a cause yet.',
  newest: (n: number) => `The newest ${n} corrections.`,
} as const

export const moreCalls = (n: number): string => `Show ${countOf(n, 'more failed call')}`
