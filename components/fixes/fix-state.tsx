import {
  CheckCheck,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  ClockFading,
  Layers,
  PencilLine,
} from 'lucide-react'
import { cn } from '../shared/ui/cn'
import { fixStateWord } from './words'

const LOOKS: Record<string, { icon: typeof CircleCheck; tone: string }> = {
  proposed: { icon: CircleDashed, tone: 'text-run' },
  changes_requested: { icon: PencilLine, tone: 'text-warn' },
  approved: { icon: CircleCheck, tone: 'text-good' },
  applied: { icon: CheckCheck, tone: 'text-good' },
  rejected: { icon: CircleSlash, tone: 'text-bad' },
  superseded: { icon: Layers, tone: 'text-none' },
  expired: { icon: ClockFading, tone: 'text-none' },
}

/** The state of a fix: shape, word and colour. */
export function FixStateMark({ state }: { state: string }) {
  const { icon: Icon, tone } = (Object.hasOwn(LOOKS, state) ? LOOKS[state] : undefined) ?? {
    icon: CircleDashed,
    tone: 'text-none',
  }
  return (
    <span className="inline-flex items-center gap-1.5 font-medium whitespace-nowrap">
      <Icon size={16} aria-hidden className={cn('shrink-0', tone)} /> {fixStateWord(state)}
    </span>
  )
}
