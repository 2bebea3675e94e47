import type { Form } from '@/lib/model/parity'
import { DESIGN_REASON_WORDS, KIND_WORDS, layerInWords, placeWord, ruleWords } from '@/lib/words/parity'
import { formatCount } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import type { ParityTransition } from './parity-rows'

const LISTED_MAX = 500

/** Differences that a rule explains: listed apart, and counted nowhere. */
export function ByDesignList({
  form,
  transitions,
}: {
  form: Form
  transitions: readonly ParityTransition[]
}) {
  const all = transitions.flatMap(({ from, to, byDesign }) => byDesign.map((one) => ({ ...one, from, to })))
  const left = all.length - LISTED_MAX
  return (
    <section aria-label="By design" className="border-t border-line px-4 py-3 text-sm">
      <h4 className="font-medium">By design</h4>
      <p className="text-ink-2">Intentional differences. They don’t count.</p>
      <ul className="mt-2 space-y-1">
        {all.slice(0, LISTED_MAX).map(({ path, kind, from, to, reason }) => (
          <li key={`${from} ${to} ${kind} ${path}`} className="flex flex-wrap gap-x-3">
            <code className="min-w-0 font-mono wrap-anywhere">
              <VisibleText text={placeWord(path)} />
            </code>
            <span>{KIND_WORDS[kind]}</span>
            <span>{ruleWords(DESIGN_REASON_WORDS, reason)}</span>
            <span className="text-ink-3">
              from {layerInWords(from, form)} to {layerInWords(to, form)}
            </span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className="mt-2 text-ink-2">{formatCount(left)} more in the API response.</p>}
    </section>
  )
}
