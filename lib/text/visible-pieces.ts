import { visible } from './visible'

// Marks that `visible` puts in; an escape keeps the sequence it started, so that colours read as one thing.
const MARKS = /(␛(?:\[[0-?]*[ -/]*[@-~])?|[\u2400-\u2421]|⟨U\+[0-9A-F]{4,6}⟩)/

// Few fonts draw the control pictures; their names are written instead. What is copied stays the picture.
const NAMES =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP DEL'.split(
    ' ',
  )

export interface VisiblePiece {
  text: string
  /** Stands for what could not be seen. */
  isMark: boolean
  /** Of a control character that only few fonts draw. */
  name?: string
}

/** `visible`, with what it made visible separated from the text. */
export const visiblePieces = (text: string): VisiblePiece[] =>
  visible(text)
    .split(MARKS)
    .map((piece, index) => {
      const name = index % 2 === 1 ? NAMES[piece.charCodeAt(0) - 0x2400] : undefined
      return { text: piece, isMark: index % 2 === 1, ...(name !== undefined && { name }) }
    })
