'use client'

import { useNow } from './use-now'
import { formatAbsolute, formatDuration, formatRelative } from './format'

/** Relative to now, absolute on hover; what is copied out of `dateTime` and `title` is always absolute. */
export function Time({ at, className }: { at: string | null; className?: string }) {
  const now = useNow()
  const ms = at === null ? NaN : Date.parse(at)
  if (Number.isNaN(ms)) return <span className={className}>no time</span>
  return (
    <time
      dateTime={new Date(ms).toISOString()}
      title={formatAbsolute(ms, true)}
      className={className}
      suppressHydrationWarning
    >
      {formatRelative(ms, now)}
    </time>
  )
}

/** The absolute form, for places where the exact time matters. */
export function ExactTime({ at, className }: { at: string | null; className?: string }) {
  const ms = at === null ? NaN : Date.parse(at)
  if (Number.isNaN(ms)) return <span className={className}>no time</span>
  return (
    <time dateTime={new Date(ms).toISOString()} className={className}>
      {formatAbsolute(ms)}
    </time>
  )
}

/** How long something took, or took so far when it was last heard of; `running`: until now. */
export function Elapsed({
  from,
  to,
  running = false,
  className,
}: {
  from: string | null
  to: string | null
  running?: boolean
  className?: string
}) {
  const now = useNow()
  const start = from === null ? NaN : Date.parse(from)
  const end = running ? now : to === null ? NaN : Date.parse(to)
  if (Number.isNaN(start) || Number.isNaN(end)) return <span className={className}>–</span>
  return (
    <span className={className} suppressHydrationWarning>
      {formatDuration(Math.max(0, end - start))}
    </span>
  )
}
