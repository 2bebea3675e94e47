import { memo, useMemo, useState } from 'react'
import type { DiffRow } from '@/lib/views/fixes/diff-rows'
import { type ColourRange, linePieces, type SyntaxKind } from '@/lib/views/fixes/line-pieces'
import { type CharRange, wordEdits } from '@/lib/views/fixes/word-edits'
import { cn } from '../shared/ui/cn'
import { formatBytes } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import { HIDDEN_SENTENCE, MASKED_SENTENCE } from './words'

/** What a line is drawn from; `partner` is the one that it is compared with word by word. */
export interface LineToken {
  type: 'line'
  row: DiffRow
  partner: DiffRow | null
  colours: readonly ColourRange[]
  /** A rule found what looks like a secret in it: it is shown only when asked for. */
  isMasked: boolean
  /** Nor then: the reader may not see it. */
  isHidden: boolean
}

const COLOURS: Record<SyntaxKind, string> = {
  keyword: 'text-(--code-keyword)',
  string: 'text-(--code-string)',
  comment: 'text-ink-2 italic',
  number: 'text-(--code-number)',
  function: 'text-(--code-function)',
  type: 'text-(--code-type)',
}
const NONE: readonly CharRange[] = []

/** The text of a line: only ever text, with what cannot be seen made visible, and what is not shown said. */
export const LineText = memo(function LineText({
  row,
  partner,
  colours,
  isMasked,
  isHidden,
  words,
}: Omit<LineToken, 'type'> & { words: boolean }) {
  const pieces = useMemo(() => {
    if (!words || partner === null) return linePieces(row.text, NONE, colours)
    const [old, fresh] = row.kind === 'deleted' ? [row, partner] : [partner, row]
    const edits = wordEdits(old.text, fresh.text)
    return linePieces(row.text, row.kind === 'deleted' ? edits.old : edits.fresh, colours)
  }, [row, partner, colours, words])
  const [asked, setAsked] = useState(false)
  if (isMasked && (isHidden || !asked))
    return (
      <>
        <Sign row={row} />
        <Note>
          {MASKED_SENTENCE}
          {isHidden && `; ${HIDDEN_SENTENCE}`}
        </Note>
        {!isHidden && (
          <button type="button" onClick={() => setAsked(true)} className="link ml-2 font-sans text-sm">
            Show the line
          </button>
        )}
      </>
    )
  return (
    <>
      <Sign row={row} />
      {pieces.map(({ text, isEdit, kind }, index) =>
        isEdit || kind !== null ? (
          <span key={index} className={cn(kind !== null && COLOURS[kind], isEdit && 'diff-word')}>
            <VisibleText text={text} />
          </span>
        ) : (
          <VisibleText key={index} text={text} />
        ),
      )}
      {row.bytesLeftOut > 0 && (
        <Note>{formatBytes(row.bytesLeftOut)} more in this line; download the patch to see them</Note>
      )}
      {row.isLossy && <Note>not UTF-8: � replaces invalid bytes</Note>}
      {row.noNewline && <Note>no newline at end of file</Note>}
    </>
  )
})

/** Said to ears; eyes see the sign. */
const Sign = ({ row }: { row: DiffRow }) => (
  <>
    <span
      className="diff-sign"
      aria-hidden
      data-sign={row.kind === 'added' ? '+' : row.kind === 'deleted' ? '-' : ' '}
    />
    {row.kind !== 'context' && <span className="sr-only">{row.kind}: </span>}
  </>
)

const Note = ({ children }: { children: React.ReactNode }) => (
  <span className="ml-2 rounded-sm border border-line bg-surface px-1 font-sans text-xs whitespace-nowrap text-ink-2 max-md:whitespace-normal">
    {children}
  </span>
)
