import type { DecisionDocument } from '@/lib/api/decision-schemas'
import { fieldWords } from '@/lib/words/decision-details'
import { retryReasonWords, subtypeWords } from '@/lib/words/decision-values'
import { cn } from '../shared/ui/cn'
import { Outcome, StateGlyph, stateWord } from '../shared/glyphs'
import { VisibleText } from '../shared/visible-text'

type Words = NonNullable<DecisionDocument['recorded']>
const FIELDS = ['contentState', 'outcome', 'retryReason', 'subtype'] as const

/** What the source recorded beside what the rules give; neither is corrected by the other. */
export function TwoVerdicts({ decision: { recorded, recomputed, differs } }: { decision: DecisionDocument }) {
  return (
    <table className="w-full max-w-3xl text-left">
      <caption className="text-left font-semibold">Recorded and recomputed</caption>
      <thead className="text-sm text-ink-3">
        <tr>
          <th scope="col" className="py-1 pr-4 font-normal">
            <span className="sr-only">Field</span>
          </th>
          <th scope="col" className="py-1 pr-4 font-normal">
            Recorded by the source
          </th>
          <th scope="col" className="py-1 font-normal">
            Recomputed by Inquest
          </th>
        </tr>
      </thead>
      <tbody>
        {FIELDS.map((field) => (
          <tr key={field} className={cn('border-t border-line', differs.includes(field) && 'bg-mark')}>
            <th scope="row" className="py-1 pr-4 pl-1 text-sm font-normal text-ink-3">
              {fieldWords(field)}
              {differs.includes(field) && ', differs'}
            </th>
            <td className="py-1 pr-4">
              <Word field={field} words={recorded} />
            </td>
            <td className="py-1">
              <Word field={field} words={recomputed} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function Word({ field, words }: { field: (typeof FIELDS)[number]; words: Words | null }) {
  const value = words?.[field] ?? 'unknown'
  if (value === 'unknown') return <span className="text-ink-3">unknown</span>
  if (field === 'outcome') return <Outcome outcome={value} size={14} />
  if (field === 'contentState')
    return (
      <span className="inline-flex items-center gap-1.5">
        <StateGlyph state={value} size={14} /> <VisibleText text={stateWord(value)} />
      </span>
    )
  return (
    <span>
      <VisibleText text={field === 'subtype' ? subtypeWords(value) : retryReasonWords(value)} />{' '}
      <code className="font-mono text-xs text-ink-3">
        <VisibleText text={value} />
      </code>
    </span>
  )
}
