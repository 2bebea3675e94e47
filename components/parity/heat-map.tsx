'use client'

import { SEVERITIES } from '@/lib/model/parity'
import { ArrowRight } from 'lucide-react'
import { useId } from 'react'
import type { ParityOverview } from '@/lib/api/parity-schemas'
import type { ParityCell } from '@/lib/judge/parity/parity-question'
import { oneLine } from '@/lib/text/visible'
import { cn } from '../shared/ui/cn'
import { CopyButton } from '../shared/copy-button'
import { formatCount, plural } from '../shared/format'
import { moveInGrid } from '../shared/move-in-grid'
import { VisibleText } from '../shared/visible-text'
import { heatSvg } from './heat-svg'
import { SEVERITY_LOOKS, SeverityMark } from './severity-mark'
import { layerWord, placeWord } from '@/lib/words/parity'

type Heat = ParityOverview['heat']

/**
 * Places against transitions between layers: in each cell how many executions differ there, with the worst severity as colour, shape and letter.
 * A cell opens its executions; arrows go from cell to cell.
 */
export function HeatMap({
  heat,
  chosen,
  onChoose,
}: {
  heat: Heat
  chosen: ParityCell | null
  onChoose: (cell: ParityCell | null) => void
}) {
  const id = useId()
  const most = Math.max(1, ...heat.rows.flatMap(({ cells }) => cells.map((cell) => cell.executions)))
  return (
    <figure aria-labelledby={id} className="min-w-0 rounded border border-line bg-surface">
      <figcaption className="flex flex-wrap items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="text-md font-semibold">
            Where layers differ
          </h2>
          <p className="wrap-anywhere text-ink-2">
            <VisibleText text={heatSentence(heat)} />
          </p>
        </div>
        <CopyButton text={() => heatSvg(heat)} label="Copy as SVG" className="text-sm">
          SVG
        </CopyButton>
      </figcaption>
      <div tabIndex={0} role="group" aria-label="Heat map" className="overflow-x-auto">
        <table onKeyDown={moveInGrid} className="w-full border-separate border-spacing-1 p-1.5">
          <caption className="sr-only">
            Rows: paths, with list indices as *. Columns: from one layer to the next. Each cell counts the
            executions that differ there; select it to list them.
          </caption>
          <thead>
            <tr>
              <th scope="col" className="px-1 pb-1 text-left align-bottom text-sm font-medium text-ink-3">
                Place
              </th>
              {heat.transitions.map(({ from, to }) => (
                <th
                  key={`${from} ${to}`}
                  scope="col"
                  className="min-w-20 px-1 pb-1 text-left align-bottom text-sm font-medium md:min-w-40"
                >
                  {layerWord(from)}{' '}
                  <ArrowRight size={11} className="inline text-ink-3" role="img" aria-label="to" />{' '}
                  {layerWord(to)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {heat.rows.map(({ path, executions, cells }) => (
              <tr key={path}>
                <th scope="row" className="w-full min-w-36 px-1 py-0.5 text-left font-normal">
                  <code className="font-mono text-sm wrap-anywhere">
                    <VisibleText text={placeWord(path)} />
                  </code>
                  {heat.transitions.length > 1 && (
                    <span className="block text-xs text-ink-3">{plural(executions, 'execution')}</span>
                  )}
                </th>
                {heat.transitions.map(({ from, to }) => (
                  <td key={`${from} ${to}`} className="h-11 p-0 align-top">
                    <Cell
                      cell={cells.find((cell) => cell.from === from && cell.to === to)}
                      place={path}
                      most={most}
                      chosen={chosen?.path === path && chosen.from === from && chosen.to === to}
                      onChoose={(isOpen) => onChoose(isOpen ? null : { path, from, to })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {heat.moreRows > 0 && (
        <p className="border-t border-line px-3 py-2 text-sm text-ink-2">
          {plural(heat.moreRows, 'more place')} not shown. Use filters to narrow the list.
        </p>
      )}
      <Legend />
    </figure>
  )
}

function Cell({
  cell,
  place,
  most,
  chosen,
  onChoose,
}: {
  cell: Heat['rows'][number]['cells'][number] | undefined
  place: string
  most: number
  chosen: boolean
  onChoose: (isOpen: boolean) => void
}) {
  if (!cell)
    return (
      <span className="flex h-full items-center rounded bg-sunken px-2 text-ink-3">
        <span aria-hidden>–</span>
        <span className="sr-only">0</span>
      </span>
    )
  const { tint } = SEVERITY_LOOKS[cell.worst]
  const words = `${plural(cell.executions, 'execution')} (worst: ${cell.worst}): ${oneLine(placeWord(place))}, ${layerWord(cell.from)} to ${layerWord(cell.to)}`
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={words}
      title={words}
      onClick={() => onChoose(chosen)}
      className={cn(
        'relative flex h-full w-full min-w-0 items-center gap-2 overflow-hidden rounded border px-2 pb-0.5 text-left transition-shadow duration-[120ms] hover:shadow-[0_0_0_1px_var(--control)]',
        tint,
        chosen && 'border-accent shadow-[0_0_0_2px_var(--accent)] hover:shadow-[0_0_0_2px_var(--accent)]',
      )}
    >
      <SeverityMark severity={cell.worst} />
      <span className="font-semibold text-ink">{formatCount(cell.executions)}</span>
      <span
        aria-hidden
        className="absolute bottom-0 left-0 h-[3px] bg-control"
        style={{ width: `${Math.max(3, (cell.executions / most) * 100)}%` }}
      />
    </button>
  )
}

const Legend = () => (
  <ul
    aria-label="Legend"
    className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-3 py-2 text-sm text-ink-2"
  >
    {SEVERITIES.map((severity) => (
      <li key={severity} className="flex items-center gap-1.5">
        <SeverityMark severity={severity} /> {severity}
      </li>
    ))}
    <li className="text-ink-3">Bar: relative to the largest cell.</li>
  </ul>
)

/** The picture in words. */
export function heatSentence({ executions, executionsCapped, rows, moreRows }: Heat): string {
  const [first] = rows
  if (!first) return 'No differences.'
  const places = plural(rows.length + moreRows, 'place')
  return `${plural(executions, 'execution')}${executionsCapped ? ', the ones checked last,' : ''} ${executions === 1 ? 'differs' : 'differ'} in ${places}. Worst: ${first.worst}, at ${placeWord(first.path)}.`
}
