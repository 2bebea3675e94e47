import { Users } from 'lucide-react'
import { LookGlyph, MarkGlyph } from './receipt-glyphs'
import { LOOK_WORDS } from './words'

const LOOKS = ['success', 'failure', 'pending', 'event'] as const
const MARKS = [
  ['ok', 'holds'],
  ['bad', 'invalid'],
  ['not_checked', 'not checked'],
] as const

/** What the shapes on the tiles mean. */
export const StripLegend = ({ others }: { others: boolean }) => (
  <ul aria-label="Legend" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3">
    {LOOKS.map((look) => (
      <li key={look} className="flex items-center gap-1.5">
        <LookGlyph look={look} /> {LOOK_WORDS[look]}
      </li>
    ))}
    {MARKS.map(([mark, words]) => (
      <li key={mark} className="flex items-center gap-1.5">
        <MarkGlyph mark={mark} /> {words}
      </li>
    ))}
    {others && (
      <li className="flex items-center gap-1.5">
        <Users size={12} aria-hidden /> of another execution
      </li>
    )}
  </ul>
)
