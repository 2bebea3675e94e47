import {
  Bot,
  Brain,
  CircleDot,
  CircleHelp,
  CirclePause,
  Cog,
  CornerDownLeft,
  Flag,
  FoldVertical,
  type LucideIcon,
  MessageSquare,
  OctagonX,
  Play,
  RotateCw,
  Webhook,
  Wrench,
} from 'lucide-react'
import { codeWords } from '@/lib/text/code-words'

const ICONS: Record<string, LucideIcon> = {
  prompt: MessageSquare,
  text: Bot,
  thinking: Brain,
  call: Wrench,
  result: CornerDownLeft,
  api_error: OctagonX,
  api_retry: RotateCw,
  interruption: CirclePause,
  compaction: FoldVertical,
  hook: Webhook,
  run_start: Play,
  run_result: Flag,
  progress: CircleDot,
  meta: Cog,
  odd: CircleHelp,
}

/** What kind of record it is; red only when it tells a failure. */
export function KindGlyph({ kind, failed }: { kind: string; failed: boolean }) {
  const Icon = ICONS[kind] ?? CircleDot
  return (
    <Icon
      size={14}
      role="img"
      aria-label={`${codeWords(kind)}${failed ? ', failed' : ''}`}
      className={failed ? 'shrink-0 text-bad' : 'shrink-0 text-ink-3'}
    />
  )
}
