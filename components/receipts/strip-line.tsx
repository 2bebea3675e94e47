import { KeyRound, ShieldQuestionMark, Unlink } from 'lucide-react'
import type { StripLine } from '@/lib/judge/receipts/strip-rows'
import { formatCount, plural } from '../shared/format'
import { shortPrint } from './words'

/** What is across the strip, between the tiles that it parts. */
export function StripLineView({ line }: { line: StripLine }) {
  const Icon = line.kind === 'rotation' ? KeyRound : line.kind === 'unproven' ? ShieldQuestionMark : Unlink
  const bad = line.kind === 'unproven' || (line.kind === 'rotation' && !line.accepted)
  return (
    <p
      className={`flex h-7 items-center gap-2 text-sm ${bad ? 'text-bad' : line.kind === 'rotation' ? 'text-ink-2' : 'text-warn'}`}
    >
      <Icon size={14} aria-hidden className="shrink-0" />
      <span className="min-w-0 truncate" title={words(line)}>
        {words(line)}
      </span>
      <span aria-hidden className="h-px min-w-4 flex-1 bg-current opacity-40" />
    </p>
  )
}

function words(line: StripLine): string {
  switch (line.kind) {
    case 'missing':
      return `${plural(line.count, 'number')} missing here`
    case 'dropped':
      return line.count === null
        ? 'Events lost here (number unknown)'
        : `${plural(line.count, 'event')} lost here`
    case 'rotation':
      return `${line.accepted ? 'New key from here on' : 'Rejected key change'}: ${shortPrint(line.from)} → ${shortPrint(line.to)}`
    case 'unproven':
      return `Unproven from here: ${formatCount(line.count)} more`
  }
}
