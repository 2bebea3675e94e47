import { Fragment, memo } from 'react'
import { type VisiblePiece, visiblePieces } from '@/lib/text/visible-pieces'

/** Text that an agent wrote: control characters, escapes and direction marks are shown, never obeyed; line breaks stay. */
export const VisibleText = memo(function VisibleText({ text }: { text: string }) {
  return visiblePieces(text).map((piece, index) =>
    piece.isMark ? <Mark key={index} piece={piece} /> : <Fragment key={index}>{piece.text}</Fragment>,
  )
})

function Mark({ piece: { text, name } }: { piece: VisiblePiece }) {
  if (name === undefined) return <span className="made-visible">{text}</span>
  return (
    <span className="made-visible">
      <span className="control-picture" data-name={name}>
        {text[0]}
      </span>
      {text.slice(1)}
    </span>
  )
}
