import type { InputChange } from '../../model/messages/decision'
import type { DecisionFacts } from './decide'
import type { GateFacts } from './gates'
import type { PatternFinding } from './patterns'
import { exhaustionBy } from './session'
import type { VerdictFacts } from './verdict-facts'

/** Something that could have been otherwise. */
export interface Change {
  id: string
  /** What it changes: of several of the same only one can be. */
  of: string
  /** Changes are made in this order. */
  order: number
  /** How it would have been. */
  message: InputChange
  /** The facts with it, in keeping with each other; the same facts where it means nothing. */
  apply(facts: DecisionFacts): DecisionFacts
}

interface Edit<Facts> extends Omit<Change, 'order' | 'apply'> {
  /** Null where there is nothing to change. */
  edit(facts: Facts): Facts | null
}

/** The changes that say the same of every execution. */
type PlainChange = Exclude<InputChange['id'], 'channel' | 'pattern_found' | 'pattern_missing'>
const edit = <Facts>(
  id: string,
  message: PlainChange | InputChange,
  change: Edit<Facts>['edit'],
): Edit<Facts> => ({
  id,
  of: id.slice(0, id.lastIndexOf(':')),
  message: typeof message === 'string' ? { id: message, params: {} } : message,
  edit: change,
})

/** Subtypes of output in which no record says how the session ended: the error is that. */
const UNTOLD: ReadonlySet<string> = new Set(['empty_output', 'unparseable', 'context_exhaustion'])

/** What a session that was stopped for its time says of its end is not its own. */
const isRewritten = ({ termination, subtype }: VerdictFacts): boolean =>
  termination === 'timed_out' && subtype === 'timeout'

const blanked = (facts: VerdictFacts): VerdictFacts => ({
  ...facts,
  blank: true,
  markerInResult: false,
  markerInText: false,
  onlyMarker: facts.markerSet,
  patterns: facts.patterns.map((finding) =>
    finding.state === 'found' ? { ...finding, state: 'missing' } : finding,
  ),
  exhaustionSigns: facts.exhaustionSigns.filter((sign) => sign !== 'result'),
})

const VERDICT_EDITS: readonly Edit<VerdictFacts>[] = [
  edit('exit:zero', 'exit_zero', (facts) =>
    facts.exitCode === 0 || facts.termination === 'timed_out' ? null : { ...facts, exitCode: 0 },
  ),
  edit('exit:other', 'exit_one', (facts) =>
    facts.exitCode !== 0 || facts.termination === 'timed_out' ? null : { ...facts, exitCode: 1 },
  ),
  edit('subtype:success', 'subtype_success', (facts) =>
    facts.subtype === 'success' || facts.termination === 'timed_out'
      ? null
      : { ...facts, subtype: 'success', isError: facts.isError && !UNTOLD.has(facts.subtype) },
  ),
  edit('error:cleared', 'error_cleared', (facts) =>
    !facts.isError || isRewritten(facts) ? null : { ...facts, isError: false },
  ),
  edit('error:set', 'error_set', (facts) => (facts.isError ? null : { ...facts, isError: true })),
  edit('exhaustion:gone', 'context_left', (facts) =>
    facts.exhaustion === null ? null : { ...facts, exhaustionSigns: [] },
  ),
  edit('text:there', 'text_there', (facts) =>
    facts.blank || facts.onlyMarker ? { ...facts, blank: false, onlyMarker: false } : null,
  ),
  edit('text:blank', 'text_blank', (facts) => (facts.blank ? null : blanked(facts))),
  edit('marker:printed', 'marker_printed', (facts) =>
    // Into a blank text it comes alone; that nothing but it is there is said of blank texts already.
    !facts.markerSet || facts.markerInText
      ? null
      : { ...facts, blank: false, markerInResult: true, markerInText: true },
  ),
  edit('marker:omitted', 'marker_omitted', (facts) => {
    if (!facts.markerInResult) return null
    return facts.onlyMarker ? blanked(facts) : { ...facts, markerInResult: false, markerInText: false }
  }),
]

/** Of each pattern; one that is asked for twice is found twice. What is found is text, and more than the marker. */
const patternEdits = ({ patterns }: VerdictFacts): Edit<VerdictFacts>[] =>
  patterns
    .filter(({ pattern }, i) => patterns.findIndex((one) => one.pattern === pattern) === i)
    .flatMap(({ pattern }, i) => {
      const stateIn = (facts: VerdictFacts): PatternFinding['state'] | undefined =>
        facts.patterns.find((one) => one.pattern === pattern)?.state
      const all = (facts: VerdictFacts, state: PatternFinding['state']): VerdictFacts => ({
        ...facts,
        patterns: facts.patterns.map((one) => (one.pattern === pattern ? { pattern, state } : one)),
      })
      return [
        edit<VerdictFacts>(`pattern ${i}:found`, { id: 'pattern_found', params: { pattern } }, (facts) =>
          stateIn(facts) === 'found' || stateIn(facts) === undefined
            ? null
            : { ...all(facts, 'found'), blank: false, onlyMarker: false },
        ),
        edit<VerdictFacts>(`pattern ${i}:missing`, { id: 'pattern_missing', params: { pattern } }, (facts) =>
          stateIn(facts) === 'found' || stateIn(facts) === 'differs' ? all(facts, 'missing') : null,
        ),
      ]
    })

const isBudgetKept = ({ earlierInARow, commandIsCut }: GateFacts): boolean =>
  earlierInARow !== null && !commandIsCut

const BUDGET_EDITS: readonly Edit<GateFacts>[] = [
  edit('budget:left', 'budget_left', (gates) =>
    isBudgetKept(gates) && gates.earlierInARow! >= gates.maxConsecutiveRetries
      ? { ...gates, maxConsecutiveRetries: gates.earlierInARow! + 1 }
      : null,
  ),
  edit('budget:used', 'budget_used', (gates) =>
    isBudgetKept(gates) && gates.earlierInARow! < gates.maxConsecutiveRetries
      ? { ...gates, earlierInARow: gates.maxConsecutiveRetries }
      : null,
  ),
]

const GATE_EDITS: readonly Edit<GateFacts>[] = [
  edit('path:inside', 'paths_inside', (gates) =>
    gates.contaminated === null ? null : { ...gates, contaminated: null },
  ),
  edit('writes:some', 'file_written', (gates) => (gates.writeCount > 0 ? null : { ...gates, writeCount: 1 })),
  edit('writes:none', 'nothing_written', (gates) =>
    gates.writeCount === 0 ? null : { ...gates, writeCount: 0 },
  ),
  ...BUDGET_EDITS,
]

/** What could be otherwise in facts, short of the channel and the end. */
export function editsOf(facts: DecisionFacts): Change[] {
  const { way, gates } = facts
  const verdict = way.kind === 'session' || way.kind === 'stale' ? way.verdict : null
  const ofVerdict =
    verdict === null
      ? []
      : [...VERDICT_EDITS, ...patternEdits(verdict)].filter((one) => one.edit(verdict) !== null)
  const ofGates = (way.kind === 'session' ? GATE_EDITS : way.kind === 'crashed' ? [] : BUDGET_EDITS).filter(
    (one) => one.edit(gates) !== null,
  )
  const changes = [
    ...ofVerdict.map(({ edit: change, ...words }) => ({
      ...words,
      apply: (given: DecisionFacts) => withVerdict(given, change),
    })),
    ...ofGates.map(({ edit: change, ...words }) => ({
      ...words,
      apply: (given: DecisionFacts) => ({ ...given, gates: change(given.gates) ?? given.gates }),
    })),
  ]
  return changes.map((change) => ({ ...change, order: orderOf(change.of) }))
}

const ORDER = [
  'exit',
  'subtype',
  'error',
  'exhaustion',
  'text',
  'marker',
  'pattern',
  'path',
  'writes',
  'budget',
]

/** Behind the end and the channel. A text that is there first holds what is put into it next. */
const orderOf = (of: string): number => 3 + ORDER.indexOf(of.split(' ')[0]!)

export const withChannel = (facts: DecisionFacts, channel: string): DecisionFacts =>
  withVerdict(facts, (verdict) => ({ ...verdict, channel }))

export function withVerdict(
  facts: DecisionFacts,
  change: (verdict: VerdictFacts) => VerdictFacts | null,
): DecisionFacts {
  const { way } = facts
  if ((way.kind !== 'session' && way.kind !== 'stale') || way.verdict === null) return facts
  const changed = change(way.verdict)
  if (changed === null) return facts
  const verdict = { ...changed, exhaustion: exhaustionBy(changed.exhaustionSigns, changed) }
  if (way.kind === 'session') return { ...facts, way: { ...way, verdict } }
  // A silent attempt is looked at only when it may have ended.
  const mayHaveEnded = verdict.subtype === 'success' && !verdict.blank && !verdict.isError
  return { ...facts, way: { ...way, verdict: mayHaveEnded ? verdict : null } }
}
