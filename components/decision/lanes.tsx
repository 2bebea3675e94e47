import type { Lane } from '@/lib/judge/decisions/path'
import { LANES } from '@/lib/judge/decisions/path'
import { cn } from '../shared/ui/cn'

/** Geometry of the picture: a lane for each place where a verdict can stand, a node at the same height of each row. */
const LANE_WIDTH = 20
export const NODE_Y = 19
export const lanesWidth = LANE_WIDTH * LANES.length
export const laneX = (lane: Lane): number => LANE_WIDTH * (LANES.indexOf(lane) + 0.5)

/** From one lane into another; straight down where it stays. */
export const bend = (from: Lane, to: Lane): string =>
  `M${laneX(from)} 0C${laneX(from)} ${NODE_Y * 0.7} ${laneX(to)} ${NODE_Y * 0.3} ${laneX(to)} ${NODE_Y}`

const STROKES: Record<Lane, string> = {
  open: 'stroke-control',
  succeeded: 'stroke-good',
  retriable: 'stroke-warn',
  failed: 'stroke-bad',
}
const FILLS: Record<Lane, string> = {
  open: 'fill-control',
  succeeded: 'fill-good',
  retriable: 'fill-warn',
  failed: 'fill-bad',
}

interface Row {
  /** Null in the first row: there is nothing before it. */
  from: Lane | null
  to: Lane
  /** The verdict as it was, where another one is drawn. */
  was?: { from: Lane | null; to: Lane }
  /** A rule fired. */
  fired: boolean
  moved: boolean
  /** Nothing follows. */
  last?: boolean
}

/** One row of the picture; what it shows is in words beside it. */
export function LaneRow({ from, to, was, fired, moved, last = false }: Row) {
  const strays = was !== undefined && (was.to !== to || was.from !== from)
  return (
    <svg
      width={lanesWidth}
      height="100%"
      aria-hidden
      className="absolute inset-y-0 left-0 overflow-visible"
      fill="none"
    >
      {LANES.map((lane) => (
        <line
          key={lane}
          x1={laneX(lane)}
          x2={laneX(lane)}
          y1={0}
          y2={last ? NODE_Y : '100%'}
          className="stroke-line"
          strokeWidth={1}
        />
      ))}
      {strays && (
        <g className="stroke-control" strokeWidth={1.5} strokeDasharray="2 4" strokeLinecap="round">
          {was.from !== null && <path d={bend(was.from, was.to)} />}
          {!last && <line x1={laneX(was.to)} x2={laneX(was.to)} y1={NODE_Y} y2="100%" />}
        </g>
      )}
      <g className={STROKES[to]} strokeWidth={2.5} strokeLinecap="round">
        {from !== null && <path d={bend(from, to)} />}
        {!last && <line x1={laneX(to)} x2={laneX(to)} y1={NODE_Y} y2="100%" />}
      </g>
      {!last && (
        <circle
          cx={laneX(to)}
          cy={NODE_Y}
          r={moved ? 6.5 : 4.5}
          strokeWidth={2}
          className={cn(
            STROKES[to],
            fired ? FILLS[to] : 'fill-surface',
            'transition-[r] duration-[120ms] group-hover:[r:7.5px]',
          )}
        />
      )}
    </svg>
  )
}
