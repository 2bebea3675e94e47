import { ArrowRight } from 'lucide-react'
import { LAYER_STATE_WORDS, layerInWords, layerWord } from '@/lib/words/parity'
import { cn } from '../shared/ui/cn'
import { VisibleText } from '../shared/visible-text'
import type { FormRead } from './parity-rows'
import { SeverityMark } from './severity-mark'

/** The layers of a form in the order in which the data travels, with what became of reading each, and the step on which something critical was lost first. */
export function LayerStrip({ read: { form, layers, lost } }: { read: FormRead }) {
  return (
    <>
      <ol aria-label="Layers" className="mt-2 flex flex-wrap items-stretch gap-2 text-sm">
        {layers.map(({ layer, state, why, counts }, index) => (
          <li key={layer} className="flex max-w-full items-center gap-2">
            {index > 0 &&
              (lost?.to === layer ? (
                <span className="inline-flex items-center gap-1 rounded border-2 border-bad bg-tint-bad px-1.5 py-0.5 font-semibold text-bad">
                  <SeverityMark severity="critical" /> {form === 'made' ? 'missing here' : 'lost here'}
                </span>
              ) : (
                <ArrowRight size={14} aria-hidden className="shrink-0 text-ink-3" />
              ))}
            <span
              className={cn(
                'min-w-0 rounded border px-2.5 py-1',
                state === 'read' && why === null ? 'border-line' : 'border-dashed border-line-strong',
              )}
            >
              <span className="font-medium">{layerWord(layer, form)}</span>{' '}
              <span className={state === 'read' || !counts ? 'text-ink-3' : 'text-warn'}>
                {LAYER_STATE_WORDS[state]}
              </span>
              {why !== null && (
                <span className="block max-w-[48ch] wrap-anywhere text-ink-2">
                  <VisibleText text={why} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {lost && (
        <p className="mt-2 font-medium text-bad">
          {form === 'made'
            ? 'Never attached, or lost in transit'
            : `Lost between ${layerInWords(lost.from, form)} and ${layerInWords(lost.to, form)}`}
          {lost.over.length > 0 && (
            <span className="font-normal text-ink-2">
              . Not read in between: {lost.over.map((layer) => layerInWords(layer, form)).join(', ')}
            </span>
          )}
        </p>
      )}
    </>
  )
}
