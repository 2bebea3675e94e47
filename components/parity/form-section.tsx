'use client'

import { DIFFERENCE_KINDS, type DifferenceKind } from '@/lib/model/parity'
import { useId, useState } from 'react'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { Switch } from '../shared/ui/switch'
import { VisibleText } from '../shared/visible-text'
import { ByDesignList } from './by-design-list'
import { LayerStrip } from './layer-strip'
import { LayerTable } from './layer-table'
import { parityRows, type FormRead } from './parity-rows'
import { FORM_WORDS, KIND_WORDS, placeWord } from '@/lib/words/parity'

const LISTED_MAX = 500
/** Fewer rows are searched faster than a filter is set. */
const FILTERED_FROM = 8

/** One form of an execution: its layers, where data was lost, and every place at which they differ. */
export function FormSection({ read, children }: { read: FormRead; children?: React.ReactNode }) {
  const { form, layers, transitions } = read
  const heading = useId()
  const [withDesign, setWithDesign] = useState(false)
  const [kind, setKind] = useState<DifferenceKind | null>(null)
  const all = parityRows(transitions)
  const kinds = DIFFERENCE_KINDS.filter((one) => all.some((row) => row.kinds.includes(one)))
  const rows = kind === null || !kinds.includes(kind) ? all : all.filter((row) => row.kinds.includes(kind))
  const shown = rows.slice(0, LISTED_MAX)
  const readLayers = layers.filter(({ state }) => state === 'read').map(({ layer }) => layer)
  const byDesign = transitions.reduce((sum, one) => sum + one.byDesign.length, 0)
  const scalarOnly = transitions.flatMap((one) => one.scalarOnly)
  return (
    <section aria-labelledby={heading} className="overflow-hidden rounded border border-line bg-surface">
      <div className="px-4 pt-3">
        <h3 id={heading} className="font-semibold">
          {FORM_WORDS[form]}
        </h3>
        <LayerStrip read={read} />
        {children}
        {transitions.length > 0 && all.length === 0 && (
          <p className="mt-2 text-sm text-ink-2">
            No differences between the layers that were read{byDesign > 0 && ', except by design'}.
          </p>
        )}
        {scalarOnly.length > 0 && (
          <p className="mt-2 max-w-[90ch] text-sm">
            <strong>Scalar-only projection</strong>: nested values were lost, plain values survived
            {form === 'document' && '. NoETL up to 2.35.8 wrote results that way'}. At{' '}
            <code className="font-mono wrap-anywhere">
              <VisibleText text={placeWord(scalarOnly[0]!)} />
            </code>
            {scalarOnly.length > 1 && ` and ${plural(scalarOnly.length - 1, 'other place')}`}.
          </p>
        )}
        {((all.length > FILTERED_FROM && kinds.length > 1) || byDesign > 0) && (
          <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2">
            {all.length > FILTERED_FROM && kinds.length > 1 && (
              <div role="group" aria-label="Kind" className="flex flex-wrap items-center gap-1">
                {kinds.map((one) => (
                  <button
                    key={one}
                    type="button"
                    aria-pressed={kind === one}
                    onClick={() => setKind(kind === one ? null : one)}
                    className={cn(
                      'flex h-7 items-center gap-1.5 rounded border px-2 text-sm hover:bg-hover',
                      kind === one ? 'border-accent bg-selected font-medium' : 'border-line text-ink-2',
                    )}
                  >
                    {KIND_WORDS[one]}{' '}
                    <span className="text-ink-3">
                      {formatCount(all.filter((row) => row.kinds.includes(one)).length)}
                    </span>
                  </button>
                ))}
              </div>
            )}
            {byDesign > 0 && (
              <span className="flex items-center gap-2 text-sm">
                <Switch checked={withDesign} onChange={setWithDesign} label="Show by-design" />
                <span aria-hidden>
                  Show by-design <span className="text-ink-3">{formatCount(byDesign)}</span>
                </span>
              </span>
            )}
          </div>
        )}
      </div>
      {shown.length > 0 ? (
        <LayerTable form={form} layers={readLayers} rows={shown} label={`Differences: ${FORM_WORDS[form]}`} />
      ) : (
        <div className="h-3" />
      )}
      <Left
        rows={rows.length - shown.length}
        isWhole={transitions.every((one) => one.isWhole)}
        withoutValues={shown.filter(({ values }) => values === undefined).length}
      />
      {withDesign && <ByDesignList form={form} transitions={transitions} />}
    </section>
  )
}

/** What is not in the table. */
function Left({ rows, isWhole, withoutValues }: { rows: number; isWhole: boolean; withoutValues: number }) {
  const said = [
    rows > 0 && `${plural(rows, 'more place')} in the API response.`,
    !isWhole && 'Not all differences are listed.',
    withoutValues > 0 &&
      `Values of ${plural(withoutValues, 'place')} are not shown: only the first 100 differences of a step include them.`,
  ].filter((one) => one !== false)
  return said.length === 0 ? null : (
    <p className="border-t border-line px-4 py-2 text-sm text-ink-2">{said.join(' ')}</p>
  )
}
