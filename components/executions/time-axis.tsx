'use client'

import { CallStatesLegend } from '../calls/call-states-legend'
import { cn } from '../shared/ui/cn'
import { formatAbsolute, formatCount, formatDuration, plural } from '../shared/format'
import type { TimeScale } from './time-scale'

export const TIMELINE_GRID = 'grid grid-cols-[minmax(0,1fr)] md:grid-cols-[minmax(18rem,2fr)_minmax(0,3fr)]'
/** Places of the labels, and from which width of the axis on there is room for one: a label takes up to 7 rem. */
const TICKS: [place: number, shown: string][] = [
  [0, ''],
  [0.25, 'hidden @[32rem]:inline'],
  [0.5, 'hidden @[16rem]:inline'],
  [0.75, 'hidden @[32rem]:inline'],
  [1, ''],
]

/** The axis over the bars: time since the start, where idle time was cut, and the legend. */
export function TimeAxis({
  scale,
  quiet,
  every,
  linear,
  onEvery,
  onLinear,
}: {
  scale: TimeScale
  quiet: number
  every: boolean
  linear: boolean
  onEvery: (on: boolean) => void
  onLinear: (on: boolean) => void
}) {
  const cutMs = scale.cuts.reduce((sum, cut) => sum + cut.ms, 0)
  return (
    <div className="sticky top-11 z-10 border-b border-line bg-bg">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 px-4 pt-2 pb-1 text-sm text-ink-2 md:px-6">
        <label className="flex items-center gap-1.5">
          <input
            type="checkbox"
            className="accent-accent"
            checked={every}
            onChange={(event) => onEvery(event.target.checked)}
          />{' '}
          All records
          {quiet > 0 && <span className="text-ink-3">({formatCount(quiet)} minor ones hidden)</span>}
        </label>
        <label className="flex items-center gap-1.5">
          <input
            type="checkbox"
            className="accent-accent"
            checked={!linear}
            onChange={(event) => onLinear(!event.target.checked)}
          />{' '}
          Compress idle time
        </label>
        {cutMs > 0 && (
          <span>
            {formatDuration(cutMs)} idle in {plural(scale.cuts.length, 'period')}, compressed
          </span>
        )}
        <ul aria-label="Legend" className="ml-auto flex items-center gap-4 text-ink-3 max-lg:hidden">
          <CallStatesLegend />
          <li className="flex items-center gap-1.5">
            <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden>
              <path d="m5 1 4 4-4 4-4-4z" fill="none" stroke="currentColor" strokeWidth="1.4" />
            </svg>{' '}
            record
          </li>
          <li className="flex items-center gap-1.5">
            <span className="h-3 w-2.5 bg-[repeating-linear-gradient(135deg,var(--line-strong)_0_2px,transparent_2px_5px)]" />{' '}
            idle, compressed
          </li>
        </ul>
      </div>
      <div className={`${TIMELINE_GRID} px-4 md:px-6`}>
        <span className="max-md:hidden" />
        <div className="@container relative mb-1 h-4 text-xs text-ink-3" aria-hidden>
          {scale.to > scale.from &&
            TICKS.map(([tick, shown]) => {
              const moment = scale.moment(tick)
              return (
                <span
                  key={tick}
                  title={formatAbsolute(moment, true)}
                  className={cn(
                    'absolute whitespace-nowrap',
                    shown,
                    tick === 1 ? '-translate-x-full' : tick !== 0 && '-translate-x-1/2',
                  )}
                  style={{ left: `${tick * 100}%` }}
                >
                  {tick === 0 ? formatAbsolute(moment).slice(11) : `+${formatDuration(moment - scale.from)}`}
                </span>
              )
            })}
        </div>
      </div>
    </div>
  )
}
