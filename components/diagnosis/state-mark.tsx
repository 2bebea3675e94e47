import {
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleEllipsis,
  CircleSlash,
  TriangleAlert,
} from 'lucide-react'
import type { RunDiagnosisState } from '@/lib/judge/diagnosis/run-diagnosis'

const MARKS = {
  none_requested: { Icon: CircleDashed, tone: 'text-none' },
  attempted_nothing_attached: { Icon: CircleSlash, tone: 'text-bad' },
  running: { Icon: CircleEllipsis, tone: 'text-run' },
  handle_only: { Icon: CircleDot, tone: 'text-warn' },
  incomplete: { Icon: TriangleAlert, tone: 'text-warn' },
  attached: { Icon: CircleCheck, tone: 'text-good' },
} as const satisfies Record<RunDiagnosisState, unknown>

/** The shape of a state, beside its word. */
export function StateMark({ state }: { state: RunDiagnosisState }) {
  const { Icon, tone } = MARKS[state]
  return <Icon size={16} aria-hidden className={`shrink-0 ${tone}`} />
}
