import type { FixDetail, FixFlag, FixItem } from '@/lib/model/fix'

/** What is shown for a value of a closed list; one that only a newer server knows is shown as itself. */
const wordIn = (words: Record<string, string>, value: string): string =>
  Object.hasOwn(words, value) ? words[value]! : value

const STATES: Record<string, string> = {
  proposed: 'Proposed',
  changes_requested: 'Changes requested',
  approved: 'Approved',
  applied: 'Applied',
  rejected: 'Rejected',
  superseded: 'Superseded',
  expired: 'Expired',
}
export const fixStateWord = (state: string): string => wordIn(STATES, state)

const ORIGINS: Record<string, string> = {
  'fixes-dir': 'run folder',
  'stdout-artifact': 'stdout artifact',
  upload: 'upload',
  transcript: 'transcript',
  suggestion: 'suggestion',
}
export const originWord = (origin: string): string => wordIn(ORIGINS, origin)

const VERDICTS: Record<string, string> = {
  'reproduced-and-fixed': 'reproduced and fixed',
  'fixed-not-reproduced': 'fixed, not reproduced',
  'still-failing': 'still failing',
  'not-run': 'not run',
}
export const verdictWord = (verdict: string): string => wordIn(VERDICTS, verdict)

const VERDICT_SENTENCES: Record<string, string> = {
  'reproduced-and-fixed': 'The proposer’s check failed without the patch and passed with it.',
  'fixed-not-reproduced':
    'The proposer’s check passed with the patch, but was not seen failing without it. It may not prove anything.',
  'still-failing': 'The proposer’s check still fails with the patch.',
  'not-run': 'The proposer did not check that the patch helps.',
}
export const verdictSentence = (verdict: string): string => wordIn(VERDICT_SENTENCES, verdict)

const SAFETY: Record<string, string> = { blocked: 'blocked', warned: 'warnings', clear: 'no flags' }

export const FACET_NAMES: Record<string, string> = {
  state: 'State',
  origin: 'Origin',
  safety: 'Safety',
  evidence: 'Evidence',
  signal: 'Signals',
  project: 'Project',
}

export const facetValueWord = (facet: string, value: string): string =>
  facet === 'state'
    ? fixStateWord(value)
    : facet === 'origin'
      ? originWord(value)
      : facet === 'evidence'
        ? verdictWord(value)
        : facet === 'safety'
          ? wordIn(SAFETY, value)
          : value.replaceAll('-', ' ')

const WEIGHTS = ['blocking', 'high', 'medium', 'warning', 'low']
const rank = (weight: string): number => (WEIGHTS.includes(weight) ? WEIGHTS.indexOf(weight) : WEIGHTS.length)

/** Blocking ones first, then by weight; those of one weight in the order of the patch. */
export const byWeight = (flags: readonly FixFlag[]): FixFlag[] =>
  flags.toSorted((a, b) => rank(a.weight) - rank(b.weight))

/** Signals that an approval has to name as looked at. */
export const signalsToAcknowledge = ({ reading }: Pick<FixItem, 'reading'>): string[] => [
  ...new Set(reading.signals.filter(({ weight }) => weight === 'high').map(({ code }) => code)),
]

/** What is in the place of a cause that is not there. */
export const noCauseSentence = ({ executionOutcome }: Pick<FixItem, 'executionOutcome'>): string =>
  executionOutcome === 'succeeded'
    ? 'Its run didn’t fail, and the failure it addresses was not recorded.'
    : 'The cause of the failure is unknown.'

/** What a fix is called: its own title, else its task. */
export const fixName = ({ title, task, ordinal }: Pick<FixItem, 'title' | 'task' | 'ordinal'>): string =>
  title ?? `Fix ${ordinal}${task === '' ? '' : ` of ${task}`}`

/** Which lines of a patch are masked. */
export interface MaskedLines {
  has: (line: number) => boolean
  /** The reader may not see them, asked for or not. */
  hidden: boolean
}

/** Lines of the patch that hold what looks like a secret: every one of them, however many there are. All, while nobody knows. */
export function secretLines({
  secretLines: runs,
  secretsHidden: hidden,
}: Pick<FixDetail, 'secretLines' | 'secretsHidden'>): MaskedLines {
  if (runs === null) return { has: () => true, hidden }
  return {
    hidden,
    has: (line) => {
      let [low, high] = [0, runs.length - 1]
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (runs[middle]!.start <= line) low = middle
        else high = middle - 1
      }
      const run = runs[low]
      return run !== undefined && run.start <= line && line <= run.end
    },
  }
}

/** What is in the place of a line that is masked. */
export const MASKED_SENTENCE = 'this line may contain a secret'
export const HIDDEN_SENTENCE = 'requires the role reviewer'
