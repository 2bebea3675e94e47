import { OUTCOME_NAMES } from '@/lib/words/outcome-names'
import { CONTENT_STATE_NAMES, contentStateWords } from '@/lib/words/content-states'

/**
 * States have a shape, a word and a colour together. The shapes are ours, 16 × 16, drawn with `currentColor`
 * and an outline strong enough (≥ 3 : 1) to be distinguished without any colour.
 */
interface Look {
  word: string
  tone: Tone
  shape: React.ReactNode
}
type Tone = 'good' | 'bad' | 'warn' | 'run' | 'stop' | 'none'

const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const SHAPES = {
  ringTick: (
    <g {...stroke}>
      <circle cx="8" cy="8" r="6.1" />
      <path d="m5.3 8.2 1.9 1.9 3.6-4" />
    </g>
  ),
  octagonCross: (
    <g {...stroke}>
      <path d="M5.4 1.7h5.2l3.7 3.7v5.2l-3.7 3.7H5.4l-3.7-3.7V5.4z" />
      <path d="m5.9 5.9 4.2 4.2m0-4.2-4.2 4.2" />
    </g>
  ),
  triangle: (
    <g {...stroke}>
      <path d="M8 2 14.6 13.6H1.4z" />
      <path d="M8 6.4v3.2" />
      <path d="M8 11.5v.01" strokeWidth={2.2} />
    </g>
  ),
  halfRing: (
    <g {...stroke}>
      <circle cx="8" cy="8" r="6.1" />
      <path d="M8 4.4a3.6 3.6 0 0 1 0 7.2z" fill="currentColor" stroke="none" />
    </g>
  ),
  ringSlash: (
    <g {...stroke}>
      <circle cx="8" cy="8" r="6.1" />
      <path d="m3.9 12.1 8.2-8.2" />
    </g>
  ),
  squareStop: (
    <g {...stroke}>
      <rect x="2.2" y="2.2" width="11.6" height="11.6" rx="2.4" />
      <path d="M6.2 5.6v4.8M9.8 5.6v4.8" />
    </g>
  ),
  dotted: (
    <g {...stroke}>
      <circle cx="8" cy="8" r="6.1" strokeDasharray="0.1 3.09" strokeWidth={2.1} />
    </g>
  ),
  dashed: (
    <g {...stroke}>
      <circle cx="8" cy="8" r="6.1" strokeDasharray="3.2 2.28" />
    </g>
  ),
}

const OUTCOME_LOOKS: Record<string, Look> = {
  succeeded: { word: OUTCOME_NAMES.succeeded, tone: 'good', shape: SHAPES.ringTick },
  failed: { word: OUTCOME_NAMES.failed, tone: 'bad', shape: SHAPES.octagonCross },
  retriable: { word: OUTCOME_NAMES.retriable, tone: 'warn', shape: SHAPES.triangle },
  running: { word: OUTCOME_NAMES.running, tone: 'run', shape: SHAPES.halfRing },
  cancelled: { word: OUTCOME_NAMES.cancelled, tone: 'none', shape: SHAPES.ringSlash },
  interrupted: { word: OUTCOME_NAMES.interrupted, tone: 'stop', shape: SHAPES.squareStop },
  unknown: { word: OUTCOME_NAMES.unknown, tone: 'none', shape: SHAPES.dotted },
}

const CALL_LOOKS: Record<string, Look> = {
  succeeded: { word: 'Succeeded', tone: 'good', shape: SHAPES.ringTick },
  failed: { word: 'Failed', tone: 'bad', shape: SHAPES.octagonCross },
  no_result: { word: 'No result', tone: 'none', shape: SHAPES.dashed },
}

/** Content states of a decision: what was delivered, against what was agreed on. */
const STATE_LOOKS: Record<string, Look> = {
  complete: { word: CONTENT_STATE_NAMES['complete']!, tone: 'good', shape: SHAPES.ringTick },
  absent: { word: CONTENT_STATE_NAMES['absent']!, tone: 'run', shape: SHAPES.dashed },
  contract_violation: {
    word: CONTENT_STATE_NAMES['contract_violation']!,
    tone: 'warn',
    shape: SHAPES.triangle,
  },
  session_error: { word: CONTENT_STATE_NAMES['session_error']!, tone: 'bad', shape: SHAPES.octagonCross },
  unknown: { word: CONTENT_STATE_NAMES['unknown']!, tone: 'none', shape: SHAPES.dotted },
}

const TONES: Record<Tone, string> = {
  good: 'text-good',
  bad: 'text-bad',
  warn: 'text-warn',
  run: 'text-run',
  stop: 'text-stop',
  none: 'text-none',
}
const TINTS: Record<Tone, string> = {
  good: 'bg-tint-good',
  bad: 'bg-tint-bad',
  warn: 'bg-tint-warn',
  run: 'bg-tint-run',
  stop: 'bg-tint-stop',
  none: 'bg-tint-none',
}

// A value that only a newer source knows is shown as itself, neutrally.
const lookOf = (looks: Record<string, Look>, value: string): Look =>
  looks[value] ?? { word: value, tone: 'none', shape: SHAPES.dotted }

export const outcomeWord = (outcome: string): string => lookOf(OUTCOME_LOOKS, outcome).word
export const outcomeTint = (outcome: string): string => TINTS[lookOf(OUTCOME_LOOKS, outcome).tone]
export const callWord = (state: string): string => lookOf(CALL_LOOKS, state).word
export const callTint = (state: string): string => TINTS[lookOf(CALL_LOOKS, state).tone]

export const stateWord = contentStateWords

function Glyph({ look, label, size = 16 }: { look: Look; label: boolean; size?: number }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      className={`${TONES[look.tone]} shrink-0`}
      {...(label ? { role: 'img', 'aria-label': look.word } : { 'aria-hidden': true })}
    >
      {look.shape}
    </svg>
  )
}

/** The glyph alone needs a label; beside its word it is decoration. */
export const OutcomeGlyph = ({
  outcome,
  label = false,
  size,
}: {
  outcome: string
  label?: boolean
  size?: number
}) => <Glyph look={lookOf(OUTCOME_LOOKS, outcome)} label={label} size={size} />
export const CallGlyph = ({
  state,
  label = false,
  size,
}: {
  state: string
  label?: boolean
  size?: number
}) => <Glyph look={lookOf(CALL_LOOKS, state)} label={label} size={size} />

export const StateGlyph = ({
  state,
  label = false,
  size,
}: {
  state: string
  label?: boolean
  size?: number
}) => <Glyph look={lookOf(STATE_LOOKS, state)} label={label} size={size} />

export function Outcome({ outcome, size }: { outcome: string; size?: number }) {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <OutcomeGlyph outcome={outcome} size={size} />
      {outcomeWord(outcome)}
    </span>
  )
}
