import type { RuleValue } from '@/lib/model/rule-step'
import { inReadingOrder, nameWords, valueWords } from '@/lib/words/decision-values'
import { VisibleText } from '../shared/visible-text'

/** A value of the evidence or of a rule, in words; the code of the source is beside words of ours. */
export function Values({ name, value }: { name: string; value: RuleValue }) {
  const words = valueWords(name, value)
  if (words.length === 0) return <span className="text-ink-3">none</span>
  return words.map(({ text, code, quoted }, index) => (
    <span key={index} className="mr-2 last:mr-0">
      {quoted ? (
        <code className="rounded-sm bg-sunken px-1 font-mono text-sm wrap-anywhere">
          <VisibleText text={text} />
        </code>
      ) : (
        <VisibleText text={text} />
      )}
      {code !== null && (
        <>
          {' '}
          <code className="font-mono text-xs wrap-anywhere text-ink-3">
            <VisibleText text={code} />
          </code>
        </>
      )}
    </span>
  ))
}

/** Values that chose a branch, in one run of text. */
export function ValueList({ values }: { values: Readonly<Record<string, RuleValue>> }) {
  const entries = inReadingOrder(values).filter(([, value]) => !Array.isArray(value) || value.length > 0)
  if (entries.length === 0) return null
  return (
    <dl className="mt-0.5 flex flex-wrap gap-x-4 gap-y-0.5 text-sm">
      {entries.map(([name, value]) => (
        <div key={name} className="flex min-w-0 flex-wrap gap-x-1.5">
          <dt className="text-ink-3">{nameWords(name)}</dt>
          <dd className="min-w-0 text-ink-2">
            <Values name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
