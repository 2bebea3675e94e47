'use client'

import { ArrowRight } from 'lucide-react'
import { useId } from 'react'
import type { Matrix } from '@/lib/judge/decisions/compare-policies'
import { moveWords } from '@/lib/words/policies'
import type { Cell, MatrixName } from '@/lib/judge/decisions/replay-cell'
import { cn } from '../shared/ui/cn'
import { formatCount, plural } from '../shared/format'
import { Outcome, OutcomeGlyph, outcomeTint, outcomeWord } from '../shared/glyphs'
import { moveInGrid } from '../shared/move-in-grid'
import { matrixRows, type MatrixCell } from './matrix-model'

/**
 * Counts of outcomes against outcomes. The diagonal is calm; what changes carries the shapes of both outcomes, a word and the colour of the
 * new one. A cell opens what is in it; arrows go from cell to cell.
 */
export function PolicyMatrix({
  name,
  title,
  sentence,
  rowsAre,
  columnsAre,
  matrix,
  otherReason,
  chosen,
  onChoose,
}: {
  name: MatrixName
  title: string
  /** The picture in words. */
  sentence: string
  rowsAre: string
  columnsAre: string
  matrix: Matrix
  otherReason?: Record<string, number>
  chosen: Cell | null
  onChoose: (cell: Cell | null) => void
}) {
  const id = useId()
  const { columns, rows } = matrixRows(matrix)
  const isChosen = (row: string, column: string): boolean =>
    chosen?.matrix === name && chosen.row === row && chosen.column === column
  return (
    <figure aria-labelledby={id} className="min-w-0 rounded border border-line bg-surface">
      <figcaption className="border-b border-line px-3 py-2">
        <h2 id={id} className="text-md font-semibold">
          {title}
        </h2>
        <p className="text-ink-2">{sentence}</p>
      </figcaption>
      <table onKeyDown={moveInGrid} className="w-full table-fixed border-separate border-spacing-1 p-1.5">
        <caption className="sr-only">
          {title}. Rows: {rowsAre}. Columns: {columnsAre}. Each cell is a number of executions and can be
          opened.
        </caption>
        <thead>
          <tr>
            <td className="px-1 pb-1 align-bottom text-xs leading-4 text-ink-3" aria-hidden>
              <span className="block text-right">{columnsAre.replace('under ', '')} →</span>
              <span className="block">{rowsAre.replace('under ', '')} ↓</span>
            </td>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="px-1 pb-1 text-left align-bottom font-medium max-sm:px-0"
              >
                <Head outcome={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ outcome, total, cells }) => (
            <tr key={outcome}>
              <th scope="row" className="px-1 text-left font-medium">
                <Head outcome={outcome} />
                <span className="block text-sm font-normal text-ink-3">{formatCount(total)}</span>
              </th>
              {cells.map((cell) => (
                <td key={cell.column} className="h-16 p-0 align-top">
                  <CountCell
                    row={outcome}
                    cell={cell}
                    words={`${outcomeWord(outcome)} ${rowsAre}, ${outcomeWord(cell.column)} ${columnsAre}`}
                    otherReason={cell.move === 'same' ? (otherReason?.[outcome] ?? 0) : 0}
                    chosen={isChosen(outcome, cell.column)}
                    onChoose={() =>
                      onChoose(
                        isChosen(outcome, cell.column)
                          ? null
                          : { matrix: name, row: outcome, column: cell.column },
                      )
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

/** Glyph and word; where there is no room for both side by side, one below the other. */
const Head = ({ outcome }: { outcome: string }) => (
  <span className="text-sm max-sm:text-xs max-sm:[&>span]:flex-col max-sm:[&>span]:items-start max-sm:[&>span]:gap-0.5">
    <Outcome outcome={outcome} size={14} />
  </span>
)

function CountCell({
  row,
  cell,
  words,
  otherReason,
  chosen,
  onChoose,
}: {
  row: string
  cell: MatrixCell
  words: string
  otherReason: number
  chosen: boolean
  onChoose: () => void
}) {
  const { column, count, move, share01 } = cell
  if (count === 0)
    return (
      <span
        className={cn('flex h-full items-center rounded px-2 text-ink-3', move === 'same' && 'bg-sunken')}
      >
        <span aria-hidden>–</span>
        <span className="sr-only">0</span>
      </span>
    )
  const calm = move === 'same'
  const reasons = otherReason === 0 ? '' : `, ${formatCount(otherReason)} with a different reason`
  return (
    <button
      type="button"
      aria-pressed={chosen}
      aria-label={`${plural(count, 'execution')}: ${words}: ${moveWords(move)}${reasons}`}
      onClick={onChoose}
      className={cn(
        'relative flex h-full w-full min-w-0 flex-col items-start justify-center overflow-hidden rounded border px-2 pt-1 pb-1.5 text-left',
        'transition-shadow duration-[120ms]',
        calm
          ? 'border-transparent bg-sunken text-ink-2 hover:border-control'
          : `${outcomeTint(column)} border-line-strong hover:border-control`,
        chosen && 'border-accent shadow-[0_0_0_1px_var(--accent)]',
      )}
    >
      <span className="flex w-full flex-wrap items-center gap-x-2">
        <span className={cn('text-md', calm ? 'font-medium' : 'font-semibold text-ink')}>
          {formatCount(count)}
        </span>
        {!calm && (
          <span aria-hidden className="flex items-center gap-0.5 text-ink-2">
            <OutcomeGlyph outcome={row} size={13} />
            <ArrowRight size={11} />
            <OutcomeGlyph outcome={column} size={13} />
          </span>
        )}
      </span>
      <span className="w-full text-xs text-ink-2">
        {moveWords(move)}
        {otherReason > 0 && `, ${formatCount(otherReason)} with a different reason`}
      </span>
      <span
        aria-hidden
        className="absolute bottom-0 left-0 h-[3px] bg-control"
        style={{ width: `${Math.max(2, share01 * 100)}%` }}
      />
    </button>
  )
}
