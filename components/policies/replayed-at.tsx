import { RotateCw } from 'lucide-react'
import Link from 'next/link'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'

/** How old the answer is, and the ways on from it. */
export const ReplayedAt = ({
  at,
  busy,
  onAgain,
  list,
}: {
  at: number | null
  busy: boolean
  onAgain: () => void
  list: string
}) => (
  <p className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-3 text-sm text-ink-2">
    {at !== null && at > 0 && (
      <span>
        Replayed <Time at={new Date(at).toISOString()} />
      </span>
    )}
    <Button onClick={onAgain} why={busy ? 'Replay in progress' : null}>
      <RotateCw size={14} aria-hidden /> Replay
    </Button>
    <Link href={list} className="link">
      View executions
    </Link>
  </p>
)
