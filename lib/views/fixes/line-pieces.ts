import type { CharRange } from './word-edits'

/** Words of syntax that have a colour of their own. */
export const SYNTAX_KINDS = ['keyword', 'string', 'comment', 'number', 'function', 'type'] as const
export type SyntaxKind = (typeof SYNTAX_KINDS)[number]
export interface ColourRange extends CharRange {
  kind: SyntaxKind
}

export interface LinePiece {
  text: string
  isEdit: boolean
  kind: SyntaxKind | null
}

/** Cuts a line where a colour or an edited word begins or ends; together the pieces are the line again. Ranges are in order and do not overlap. */
export function linePieces(
  text: string,
  edits: readonly CharRange[],
  colours: readonly ColourRange[],
): LinePiece[] {
  const cuts = [
    ...new Set([0, text.length, ...[...edits, ...colours].flatMap(({ start, end }) => [start, end])]),
  ]
    .filter((at) => at >= 0 && at <= text.length)
    .toSorted((a, b) => a - b)
  const pieces: LinePiece[] = []
  let [edit, colour] = [0, 0]
  for (let i = 0; i + 1 < cuts.length; i++) {
    const start = cuts[i]!
    while (edit < edits.length && edits[edit]!.end <= start) edit++
    while (colour < colours.length && colours[colour]!.end <= start) colour++
    const [inEdit, inColour] = [edits[edit], colours[colour]]
    pieces.push({
      text: text.slice(start, cuts[i + 1]),
      isEdit: inEdit !== undefined && inEdit.start <= start,
      kind: inColour && inColour.start <= start ? inColour.kind : null,
    })
  }
  return pieces
}
