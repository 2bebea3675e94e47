import { Fragment, memo } from 'react'
import { visible } from '@/lib/text/visible'

// Marks that `visible` puts in; an escape keeps the sequence it started, so that colours read as one thing.
const MARKS = /(␛(?:\[[0-?]*[ -/]*[@-~])?|[\u2400-\u2421]|⟨U\+[0-9A-F]{4,6}⟩)/

// Few fonts draw the control pictures; their names are written instead. What is copied stays the picture.
const NAMES = (
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP DEL'
).split(' ')
const nameOf = (mark: string): string | undefined => NAMES[mark.charCodeAt(0) - 0x2400]

/** Text that an agent wrote: control characters, escapes and direction marks are shown, never obeyed; line breaks stay. */
export const VisibleText = memo(function VisibleText({ text }: { text: string }) {
  return visible(text)
    .split(MARKS)
    .map((piece, index) => (index % 2 === 1 ? <Mark key={index} text={piece} /> : <Fragment key={index}>{piece}</Fragment>))
})

function Mark({ text }: { text: string }) {
  const name = nameOf(text)
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
