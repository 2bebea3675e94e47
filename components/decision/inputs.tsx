import { EyeOff } from 'lucide-react'
import type { DecisionDocument } from '@/lib/api/decision-schemas'
import type { PatternReading } from '@/lib/judge/decisions/kept'
import { inReadingOrder, nameWords, valueWords } from '@/lib/words/decision-values'
import { formatCount } from '../shared/format'
import { StateGlyph } from '../shared/glyphs'
import { VisibleText } from '../shared/visible-text'
import { Values } from './values'

/** Shown in a way of their own below. */
const APART = ['patterns', 'result_tail', 'warnings', 'command']

/** What a run may be asked for, by its name among the missing and in the evidence: what is empty there was not given to the recorder, and may have been asked for elsewhere. */
const ASKED_FOR: Record<string, string> = { 'completion marker': 'marker', 'expected patterns': 'patterns' }
const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)

/** Everything that was recorded of the run and that the decision was made from; what is missing is among it. */
export function Inputs({
  decision,
  patterns,
}: {
  decision: DecisionDocument
  patterns: readonly PatternReading[]
}) {
  const { evidence, missing, inputRedacted } = decision
  const unknownInputs = missing.filter((name) => isEmpty(evidence[ASKED_FOR[name] ?? '']))
  const apart = [...APART, ...unknownInputs.map((name) => ASKED_FOR[name]!)]
  // An exit code and a signal exclude each other.
  const knownInputs = inReadingOrder(evidence).filter(
    ([name, value]) =>
      !apart.includes(name) && (value !== null || (name !== 'signal' && name !== 'exit_code')),
  )
  const command = evidence['command']
  const tail = evidence['result_tail']
  const warnings = evidence['warnings'] ?? []
  return (
    <section aria-labelledby="inputs" className="min-w-0">
      <h3 id="inputs" className="font-semibold">
        Recorded inputs
      </h3>
      <dl className="mt-2 grid grid-cols-[9rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm [&_dt]:text-ink-3">
        {knownInputs.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{nameWords(name)}</dt>
            <dd>
              <Values name={name} value={value} />
            </dd>
          </div>
        ))}
        {missing.map((name) => (
          <div key={name} className="contents">
            <dt>
              <VisibleText text={name.slice(0, 1).toUpperCase() + name.slice(1)} />
            </dt>
            <dd className="flex items-center gap-1.5 text-ink-2">
              <StateGlyph state="unknown" size={13} />{' '}
              {unknownInputs.includes(name) ? 'not given to the recorder' : 'missing'}
            </dd>
          </div>
        ))}
        {typeof command === 'string' && command !== '' && (
          <div className="contents">
            <dt>{nameWords('command')}</dt>
            <dd>
              <Values name="command" value={command} />
            </dd>
          </div>
        )}
      </dl>
      {patterns.length > 0 && <Patterns patterns={patterns} />}
      {typeof tail === 'string' && tail !== '' && <ResultTail tail={tail} chars={evidence['result_chars']} />}
      {Array.isArray(warnings) && warnings.length > 0 && (
        <ul aria-label="Warnings" className="mt-3 space-y-1 rounded bg-tint-warn px-3 py-2 text-sm">
          {valueWords('warnings', warnings).map(({ text }, index) => (
            <li key={index}>
              <VisibleText text={text} />
            </li>
          ))}
        </ul>
      )}
      {inputRedacted && (
        <p className="mt-3 flex gap-2 text-sm text-ink-2">
          <EyeOff size={14} aria-hidden className="mt-0.5 shrink-0" />
          Part of the output was redacted on import. The decision was made without it.
        </p>
      )}
    </section>
  )
}

const PATTERN_WORDS: Record<PatternReading['state'], { word: string; glyph: string }> = {
  found: { word: 'found', glyph: 'complete' },
  missing: { word: 'missing', glyph: 'contract_violation' },
  invalid: { word: 'invalid', glyph: 'session_error' },
  differs: { word: 'not supported: our engine cannot express it', glyph: 'unknown' },
  unknown: { word: 'unknown', glyph: 'unknown' },
}

function Patterns({ patterns }: { patterns: readonly PatternReading[] }) {
  return (
    <section aria-labelledby="patterns" className="mt-3">
      <h4 id="patterns" className="text-sm text-ink-3">
        Expected patterns (all required)
      </h4>
      <ul className="mt-1 space-y-1.5">
        {patterns.map(({ pattern, state, why }, index) => (
          <li key={index} className="flex items-start gap-2">
            <span className="mt-0.5">
              <StateGlyph state={PATTERN_WORDS[state].glyph} size={14} />
            </span>
            <span className="min-w-0 text-sm">
              <code className="rounded-sm bg-sunken px-1 font-mono wrap-anywhere">
                <VisibleText text={pattern} />
              </code>{' '}
              <span className="text-ink-2">
                {PATTERN_WORDS[state].word}
                {why !== undefined && (
                  <>
                    {' '}
                    (<VisibleText text={why} />)
                  </>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ResultTail({ tail, chars }: { tail: string; chars: unknown }) {
  const left = typeof chars === 'number' ? chars - tail.length : 0
  return (
    <section aria-labelledby="tail" className="mt-3">
      <h4 id="tail" className="text-sm text-ink-3">
        End of the result{left > 0 && ` (${formatCount(left)} more characters before it)`}
      </h4>
      <pre
        role="group"
        tabIndex={0}
        aria-labelledby="tail"
        className="mt-1 max-h-40 overflow-auto rounded border border-line bg-bg px-2.5 py-1.5 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {left > 0 && <span className="text-ink-3">…</span>}
        <VisibleText text={tail} />
      </pre>
    </section>
  )
}
