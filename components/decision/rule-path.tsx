'use client'

import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { LANES, type FiredRule, type Lane, type PathStop } from '@/lib/judge/decisions/path'
import { DECISION_RULES } from '@/lib/model/decision-rules'
import { pathPassText } from '@/lib/words/decision-details'
import { ruleWords, STAGE_WORDS } from '@/lib/words/decision-rules'
import { reasonIn, retryReasonWords } from '@/lib/words/decision-values'
import { cn } from '../shared/ui/cn'
import { CopyButton } from '../shared/copy-button'
import { plural } from '../shared/format'
import { OutcomeGlyph, outcomeWord } from '../shared/glyphs'
import { VisibleText } from '../shared/visible-text'
import { LaneRow, lanesWidth, laneX, NODE_Y } from './lanes'
import { pathSvg } from './path-svg'
import { ValueList } from './values'

interface Verdict {
  outcome: string
  retryReason: string
}

interface Props {
  stops: readonly PathStop[]
  verdict: Verdict
  /** The path as it was, where `stops` is that of changed inputs. */
  was?: { stops: readonly PathStop[]; verdict: Verdict } | null
}

const laneWord = (lane: Lane): string => (lane === 'open' ? 'Undecided' : outcomeWord(lane))

/** The way of the verdict through the rules: a row for each stage, a lane for each verdict, and in each row the value that chose the branch. */
export function RulePath({ stops, verdict, was = null }: Props) {
  const heading = useId()
  const wasAt = (index: number): Lane | null => was?.stops[index]?.lane ?? null
  return (
    <section aria-labelledby={heading} className="min-w-0 self-start md:sticky md:top-14">
      <div className="flex flex-wrap items-center gap-x-3">
        <h3 id={heading} className="font-semibold">
          Rule path
        </h3>
        <CopyButton text={() => pathSvg(stops, verdict)} label="Copy as SVG" className="ml-auto text-sm">
          SVG
        </CopyButton>
      </div>
      <Legend changed={was !== null} />
      <ol className="mt-2">
        <li aria-hidden className="relative flex h-6 items-center">
          {LANES.map((lane) => (
            <span key={lane} title={laneWord(lane)} className="absolute" style={{ left: laneX(lane) - 7 }}>
              <OutcomeGlyph outcome={lane === 'open' ? 'unknown' : lane} size={14} />
            </span>
          ))}
        </li>
        {stops.map((stop, index) => (
          <Stop
            key={stop.stage}
            stop={stop}
            from={index === 0 ? null : stops[index - 1]!.lane}
            was={was === null ? undefined : { from: wasAt(index - 1), to: wasAt(index) ?? stop.lane }}
          />
        ))}
        <li className="relative min-h-9" style={{ paddingLeft: lanesWidth + 12 }}>
          <LaneRow
            from={stops.at(-1)!.lane}
            to={laneOf(verdict.outcome, stops)}
            fired
            moved
            last
            was={
              was === null
                ? undefined
                : { from: was.stops.at(-1)!.lane, to: laneOf(was.verdict.outcome, was.stops) }
            }
          />
          <span
            className="absolute rounded-full bg-surface"
            style={{ left: laneX(laneOf(verdict.outcome, stops)) - 9, top: NODE_Y - 9 }}
          >
            <OutcomeGlyph outcome={verdict.outcome} size={18} />
          </span>
          <p className="pt-2">
            <strong className="font-semibold">{outcomeWord(verdict.outcome)}</strong>
            {verdict.outcome !== 'succeeded' && (
              <span className="text-ink-2">, {retryReasonWords(verdict.retryReason)}</span>
            )}
          </p>
        </li>
      </ol>
    </section>
  )
}

const laneOf = (outcome: string, stops: readonly PathStop[]): Lane =>
  LANES.find((lane) => lane === outcome) ?? stops.at(-1)!.lane

function Legend({ changed }: { changed: boolean }) {
  return (
    <ul aria-label="Legend" className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-ink-3">
      {LANES.map((lane) => (
        <li key={lane} className="flex items-center gap-1.5">
          <OutcomeGlyph outcome={lane === 'open' ? 'unknown' : lane} size={13} />{' '}
          {laneWord(lane).toLowerCase()}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <Dot filled /> rule fired
      </li>
      <li className="flex items-center gap-1.5">
        <Dot /> skipped
      </li>
      {changed && (
        <li className="flex items-center gap-1.5">
          <svg width="20" height="8" aria-hidden>
            <path
              d="M1 4h18"
              className="stroke-control"
              strokeWidth={1.5}
              strokeDasharray="2 4"
              strokeLinecap="round"
            />
          </svg>{' '}
          before the change
        </li>
      )}
    </ul>
  )
}

const Dot = ({ filled = false }: { filled?: boolean }) => (
  <svg width="12" height="12" aria-hidden>
    <circle
      cx="6"
      cy="6"
      r="4"
      strokeWidth={2}
      className={cn('stroke-control', filled ? 'fill-control' : 'fill-surface')}
    />
  </svg>
)

/** A stage: what fired in it first; the rules that did not are folded. */
function Stop({
  stop,
  from,
  was,
}: {
  stop: PathStop
  from: Lane | null
  was?: { from: Lane | null; to: Lane }
}) {
  const [open, setOpen] = useState(false)
  const { stage, lane, moved, rules, passed } = stop
  const { name, asks } = STAGE_WORDS[stage]
  const codes = rules.map(({ rule }) => rule)
  const others = Object.entries(DECISION_RULES)
    .filter(([code, stageOf]) => stageOf === stage && !codes.includes(code))
    .map(([code]) => code)
  const changed = was !== undefined && was.to !== lane
  return (
    <li
      className="group relative rounded focus-within:bg-hover hover:bg-hover"
      style={{ paddingLeft: lanesWidth + 12 }}
    >
      <LaneRow from={from} to={lane} was={was} fired={rules.length > 0} moved={moved} />
      <div className="min-w-0 py-2 pr-2">
        <h4 className="flex items-baseline gap-1.5">
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            disabled={others.length === 0}
            title={asks}
            className="inline-flex items-baseline gap-1 rounded text-left text-sm font-medium text-ink-3 not-disabled:hover:text-ink disabled:cursor-default"
          >
            {name}
            {others.length > 0 && (
              <ChevronRight
                size={12}
                aria-hidden
                className={cn('self-center transition-transform duration-[120ms]', open && 'rotate-90')}
              />
            )}
          </button>
          {moved && <span className="text-sm text-ink-2">→ {laneWord(lane).toLowerCase()}</span>}
          {changed && <mark className="px-1 text-sm">was {laneWord(was.to).toLowerCase()}</mark>}
        </h4>
        {rules.map((fired, index) => (
          <Fired key={index} fired={fired} />
        ))}
        {passed !== null && (
          <>
            <p className="text-ink-2">{pathPassText(passed.why)}</p>
            <ValueList values={passed.values} />
          </>
        )}
        {open && (
          <ul
            aria-label={`Rules of ${name} that did not fire`}
            className="mt-1.5 space-y-1 border-l border-line pl-2.5 text-sm text-ink-2"
          >
            <li className="text-ink-3">{plural(others.length, 'rule')} did not fire:</li>
            {others.map((code) => (
              <li key={code}>
                {ruleWords(code)!.says} <span className="text-ink-3">{ruleWords(code)!.does}</span>{' '}
                <code className="font-mono text-xs text-ink-3">{code}</code>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

function Fired({ fired }: { fired: FiredRule }) {
  const rule = ruleWords(fired.rule)
  const reason = reasonIn(fired)
  return (
    <div className="mt-0.5">
      <p>
        {rule?.says ?? 'Rule of a newer version.'}{' '}
        <span className="text-ink-2">{rule?.does ?? <VisibleText text={`${fired.effect}.`} />}</span>{' '}
        {reason !== null && <span className="text-ink-2">Reason: {retryReasonWords(reason)}. </span>}
        <code className="font-mono text-xs wrap-anywhere text-ink-3">
          <VisibleText text={fired.rule} />
        </code>
      </p>
      <ValueList values={fired.inputs} />
    </div>
  )
}
