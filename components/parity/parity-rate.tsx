import type { CheckVerdict } from '@/lib/model/parity'
import type { ParityOverview } from '@/lib/api/parity-schemas'
import { limits } from '@/lib/limits'
import { VerdictGlyph } from '../receipts/receipt-glyphs'
import type { VerdictLook } from '../receipts/words'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { Time } from '../shared/time'

type Rate = ParityOverview['rate']

const PARTS: {
  verdict: CheckVerdict
  count: (rate: Rate) => number
  words: string
  look: VerdictLook
  bar: string
}[] = [
  { verdict: 'equal', count: (rate) => rate.equal, words: 'equal', look: 'complete', bar: 'bg-good' },
  {
    verdict: 'different',
    count: (rate) => rate.different,
    words: 'different',
    look: 'broken',
    bar: 'bg-bad',
  },
  { verdict: 'in_doubt', count: (rate) => rate.inDoubt, words: 'in doubt', look: 'open', bar: 'bg-run' },
  {
    verdict: 'unknown',
    count: (rate) => rate.unknown,
    words: 'unknown',
    look: 'unchecked',
    bar: 'bg-control',
  },
  {
    verdict: 'not_trustworthy',
    count: (rate) => rate.notTrustworthy,
    words: 'unreliable',
    look: 'interrupted',
    bar: 'bg-stop',
  },
]

/** How the newest checks came out: the numbers first, then the same as a bar. Each number opens its executions. */
export function ParityRate({
  rate,
  shown,
  onShow,
}: {
  rate: Rate
  shown: CheckVerdict | null
  onShow: (verdict: CheckVerdict) => void
}) {
  const parts = PARTS.map((part) => ({ ...part, n: part.count(rate) })).filter(
    ({ verdict, n }) => n > 0 || verdict !== 'not_trustworthy',
  )
  return (
    <section aria-label="Parity rate" className="rounded border border-line bg-surface p-3">
      <h2 className="text-md font-semibold">{rateSentence(rate)}</h2>
      <ul aria-label="Counts" className="mt-2 flex flex-wrap gap-x-2 gap-y-1">
        {parts.map(({ verdict, words, look, n }) => (
          <li key={verdict}>
            <button
              type="button"
              disabled={n === 0}
              aria-pressed={shown === verdict}
              onClick={() => onShow(verdict)}
              title={`List the executions that are ${words}`}
              className={cn(
                'flex items-center gap-1.5 rounded border border-line px-2 py-1 hover:bg-hover disabled:hover:bg-transparent',
                shown === verdict && 'border-accent bg-selected',
              )}
            >
              <VerdictGlyph look={look} /> <span className="font-semibold">{formatCount(n)}</span> {words}
            </button>
          </li>
        ))}
        <li className="flex items-center gap-1.5 px-2 py-1 text-ink-2">
          <span className="font-semibold">
            {formatCount(rate.notChecked)}
            {rate.notCheckedCapped && '+'}
          </span>{' '}
          not checked
        </li>
      </ul>
      <div aria-hidden className="mt-2 flex h-2 overflow-hidden rounded-sm bg-sunken">
        {parts.map(
          ({ verdict, bar, n }) =>
            n > 0 && (
              <span
                key={verdict}
                className={cn('h-full border-r border-surface last:border-0', bar)}
                style={{ width: `${(n / rate.checked) * 100}%`, minWidth: 3 }}
              />
            ),
        )}
      </div>
      {rate.oldest !== null && (
        <p className="mt-2 text-sm text-ink-3">
          Latest check of each execution. Oldest: <Time at={rate.oldest} />.
        </p>
      )}
    </section>
  )
}

/** `9,820 of the last 10,000 executions checked are equal (98.2 %)`: never rounded up to all of them. */
export function rateSentence({ checked, equal }: Pick<Rate, 'checked' | 'equal'>): string {
  if (checked === 0) return 'No checks yet'
  const share = Math.floor((equal / checked) * 1000) / 10
  const of =
    checked >= limits.countMax ? `the last ${formatCount(checked)} executions` : plural(checked, 'execution')
  return `${formatCount(equal)} of ${of} checked ${equal === 1 ? 'is' : 'are'} equal (${share} %)`
}
