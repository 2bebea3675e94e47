import { Fragment, memo } from 'react'
import { visible } from '@/lib/text/visible'

// Marks that `visible` puts in; an escape keeps the sequence it started, so that colours read as one thing.
const MARKS = /(␛(?:\[[0-?]*[ -/]*[@-~])?|[\u2400-\u2421]|⟨U\+[0-9A-F]{4,6}⟩)/

/** Text that an agent wrote: control characters, escapes and direction marks are shown, never obeyed; line breaks stay. */
export const VisibleText = memo(function VisibleText({ text }: { text: string }) {
  return visible(text)
    .split(MARKS)
    .map((piece, index) =>
      index % 2 === 1 ? (
        <span key={index} className="made-visible">
          {piece}
        </span>
      ) : (
        <Fragment key={index}>{piece}</Fragment>
      ),
    )
})
