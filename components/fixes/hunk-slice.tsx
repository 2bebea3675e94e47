'use client'

import { memo, useMemo } from 'react'
import {
  Diff,
  getChangeKey,
  Hunk,
  type ChangeData,
  type HunkData,
  type HunkTokens,
  type RenderGutter,
  type RenderToken,
} from 'react-diff-view'
import type { DiffRow } from '@/lib/views/fixes/diff-rows'
import type { DiffLayout, DrawnLine } from '@/lib/views/fixes/drawn-lines'
import type { ColourRange } from '@/lib/views/fixes/line-pieces'
import { LineText, type LineToken } from './line-text'
import type { MaskedLines } from './words'

/** A place of a file: a line of one side. */
export interface LinePlace {
  side: 'old' | 'new'
  line: number
}
/** Alone; from the one that was chosen before; from the one on which the pointer was pressed. */
export type ChooseLine = 'one' | 'to' | 'drag'

const changeOf = (line: DrawnLine): ChangeData =>
  line.kind === 'context'
    ? {
        type: 'normal',
        isNormal: true,
        oldLineNumber: line.old.oldLine ?? 0,
        newLineNumber: line.fresh.newLine ?? 0,
        content: line.fresh.text,
      }
    : line.kind === 'added'
      ? { type: 'insert', isInsert: true, lineNumber: line.row.newLine ?? 0, content: line.row.text }
      : { type: 'delete', isDelete: true, lineNumber: line.row.oldLine ?? 0, content: line.row.text }

const NO_COLOURS: readonly ColourRange[] = []

/** What the library draws of each line: one token of ours, by the number of the line. */
function tokensOf(
  lines: readonly DrawnLine[],
  colours: ReadonlyMap<number, readonly ColourRange[]> | undefined,
  masked: MaskedLines,
): HunkTokens {
  const tokens: { old: Record<number, LineToken[]>; new: Record<number, LineToken[]> } = { old: {}, new: {} }
  const token = (row: DiffRow, partner: DiffRow | null): LineToken[] => [
    {
      type: 'line',
      row,
      partner: partner !== null && masked.has(partner.line) ? null : partner,
      colours: colours?.get(row.line) ?? NO_COLOURS,
      isMasked: masked.has(row.line),
      isHidden: masked.hidden,
    },
  ]
  for (const line of lines) {
    if (line.kind !== 'added') {
      const row = line.kind === 'context' ? line.old : line.row
      tokens.old[(row.oldLine ?? 0) - 1] = token(row, line.kind === 'context' ? null : line.partner)
    }
    if (line.kind !== 'deleted') {
      const row = line.kind === 'context' ? line.fresh : line.row
      tokens.new[(row.newLine ?? 0) - 1] = token(row, line.kind === 'context' ? null : line.partner)
    }
  }
  // The library asks for single lines only; line numbers may be as large as a patch says.
  return tokens as unknown as HunkTokens
}

const placeOf = (change: ChangeData, side: 'old' | 'new'): LinePlace =>
  change.type === 'normal'
    ? { side, line: side === 'old' ? change.oldLineNumber : change.newLineNumber }
    : { side: change.type === 'insert' ? 'new' : 'old', line: change.lineNumber }

interface Props {
  lines: readonly DrawnLine[]
  /** A file that is new, or goes, has one side only. */
  status: string
  layout: DiffLayout
  words: boolean
  /** Lines of the patch that hold what looks like a secret. */
  masked: MaskedLines
  colours: ReadonlyMap<number, readonly ColourRange[]> | undefined
  /** What is below a line: threads, a form, flags. By line of the patch. */
  below: (row: DiffRow) => React.ReactNode
  isChosen: (place: LinePlace) => boolean
  /** Unset: lines cannot be chosen. */
  onChoose?: (place: LinePlace, how: ChooseLine) => void
  /** Name of the file, for the words of a line's button. */
  name: string
}

/** Some lines of a hunk, drawn by the library from our rows. */
export const HunkSlice = memo(function HunkSlice({
  lines,
  status,
  layout,
  words,
  masked,
  colours,
  below,
  isChosen,
  onChoose,
  name,
}: Props) {
  const changes = useMemo(() => lines.map(changeOf), [lines])
  const tokens = useMemo(() => tokensOf(lines, colours, masked), [lines, colours, masked])
  const hunk: HunkData = { content: '', oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, changes }
  const widgets: Record<string, React.ReactNode> = {}
  for (const [index, line] of lines.entries()) {
    const rows =
      line.kind === 'context' ? (line.old === line.fresh ? [line.fresh] : [line.old, line.fresh]) : [line.row]
    const found = rows.map(below).filter((node) => node !== null)
    if (found.length > 0)
      widgets[getChangeKey(changes[index]!)] = (
        <div>
          {found.map((node, at) => (
            <div key={at}>{node}</div>
          ))}
        </div>
      )
  }
  const selected = changes
    .filter((change) => (['old', 'new'] as const).some((side) => isChosen(placeOf(change, side))))
    .map(getChangeKey)
  const renderToken: RenderToken = (token, _default, index) => (
    <LineText key={index} {...(token as unknown as LineToken)} words={words} />
  )
  const renderGutter: RenderGutter = ({ change, side }) => {
    if (change.type === 'insert' && side === 'old') return null
    if (change.type === 'delete' && side === 'new') return null
    const place = placeOf(change, side)
    if (onChoose === undefined) return <span className="diff-number block">{place.line}</span>
    return (
      <button
        type="button"
        tabIndex={-1}
        title="Select this line; drag or hold Shift to select several"
        aria-label={`Line ${place.line} of the ${place.side} ${name}`}
        onPointerDown={(event) => event.button === 0 && onChoose(place, event.shiftKey ? 'to' : 'one')}
        onPointerEnter={(event) => event.buttons === 1 && onChoose(place, 'drag')}
        // A click that no pointer made comes from a tool that reads the page aloud.
        onClick={(event) => event.detail === 0 && onChoose(place, event.shiftKey ? 'to' : 'one')}
        className="diff-number"
      >
        {place.line}
      </button>
    )
  }
  return (
    <Diff
      diffType={status === 'A' ? 'add' : status === 'D' ? 'delete' : 'modify'}
      viewType={layout}
      hunks={[hunk]}
      tokens={tokens}
      widgets={widgets}
      selectedChanges={selected}
      renderToken={renderToken}
      renderGutter={renderGutter}
      className="fix-diff"
    >
      {(hunks) => hunks.map((one, index) => <Hunk key={index} hunk={one} />)}
    </Diff>
  )
})
