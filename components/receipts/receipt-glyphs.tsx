import type { Mark, TileLook } from '@/lib/judge/receipts/chain-tiles'
import type { VerdictLook } from './words'

/** Shapes that differ without any colour, as those of `shared/glyphs`. */
const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const
const ring = <circle cx="8" cy="8" r="6.1" />
const octagon = <path d="M5.4 1.7h5.2l3.7 3.7v5.2l-3.7 3.7H5.4l-3.7-3.7V5.4z" />
const cross = <path d="m5.9 5.9 4.2 4.2m0-4.2-4.2 4.2" />
const tick = <path d="m5.3 8.2 1.9 1.9 3.6-4" />

type Look = [tone: string, shape: React.ReactNode]

const VERDICTS: Record<VerdictLook, Look> = {
  complete: [
    'text-good',
    <>
      {ring}
      {tick}
    </>,
  ],
  // Never a bare tick: what is missing behind the end cannot be seen.
  open: [
    'text-run',
    <>
      <path d="M8 1.9a6.1 6.1 0 1 0 6.1 6.1" />
      <path d="M11 2.7a6.1 6.1 0 0 1 2.4 2.4" strokeDasharray="0.1 2.6" />
      {tick}
    </>,
  ],
  interrupted: [
    'text-stop',
    <>
      <rect x="2.2" y="2.2" width="11.6" height="11.6" rx="2.4" />
      <path d="M6.2 5.6v4.8M9.8 5.6v4.8" />
    </>,
  ],
  broken: [
    'text-bad',
    <>
      {octagon}
      {cross}
    </>,
  ],
  unchecked: ['text-none', <circle cx="8" cy="8" r="6.1" strokeDasharray="0.1 3.09" strokeWidth={2.1} />],
}

const LOOKS: Record<TileLook, Look> = {
  success: [
    'text-good',
    <>
      {ring}
      {tick}
    </>,
  ],
  failure: [
    'text-bad',
    <>
      {octagon}
      {cross}
    </>,
  ],
  pending: [
    'text-run',
    <>
      <circle cx="8" cy="8" r="6.1" strokeDasharray="3.2 2.28" />
      <path d="M8 5v3.2l2 1.2" />
    </>,
  ],
  event: [
    'text-ink-2',
    <>
      <path d="M8 1.9 14.1 8 8 14.1 1.9 8z" />
      <path d="M8 8v.01" strokeWidth={2.6} />
    </>,
  ],
  unknown: ['text-none', <circle cx="8" cy="8" r="6.1" strokeDasharray="0.1 3.09" strokeWidth={2.1} />],
}

const MARKS: Record<Mark, Look> = {
  ok: ['text-good', <path d="m2 5.4 2.2 2.3L8.2 2.6" />],
  bad: ['text-bad', <path d="m2 2 6 6m0-6L2 8" strokeWidth={2.2} />],
  not_checked: ['text-none', <path d="M2 5h.01M5 5h.01M8 5h.01" strokeWidth={1.9} />],
}

const Glyph = ({ look: [tone, shape], box, size }: { look: Look; box: number; size: number }) => (
  <svg viewBox={`0 0 ${box} ${box}`} width={size} height={size} className={`${tone} shrink-0`} aria-hidden>
    <g {...stroke}>{shape}</g>
  </svg>
)

export const VerdictGlyph = ({ look, size = 16 }: { look: VerdictLook; size?: number }) => (
  <Glyph look={VERDICTS[look]} box={16} size={size} />
)
export const LookGlyph = ({ look, size = 14 }: { look: TileLook; size?: number }) => (
  <Glyph look={LOOKS[look]} box={16} size={size} />
)
export const MarkGlyph = ({ mark, size = 10 }: { mark: Mark; size?: number }) => (
  <Glyph look={MARKS[mark]} box={10} size={size} />
)
