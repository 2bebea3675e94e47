import type { Place } from '../judge/calls/merge-streams'
import type { Disagreement, ExecutionSummary } from '../model/summary'
import type { Usage } from '../model/execution'
import { RECORDED_FILES, type RecordedDecisionFact, type RecordedSource } from '../model/run-facts'

export interface HeldRecorded {
  place: Place
  fact: RecordedDecisionFact
}

/** What the source recorded of the last run of a session, all its files taken together. */
export interface Recorded {
  fact: Omit<RecordedDecisionFact, 'source' | 'span'>
  /** The record that says how the run ended (for a crash without any, the crash): what a cause points at. */
  decided: HeldRecorded | null
  /** Of all runs of the session. */
  startedAt: string | null
  endedAt: string | null
  disagreements: Disagreement[]
}

type Key = keyof Recorded['fact']

/** Where each fact is looked for; the audit log holds an earlier verdict, so of it only what nothing else says counts. */
const SOURCES_OF: Record<Exclude<Key, 'dirName'>, readonly RecordedSource[]> = {
  success: ['summary', 'index'],
  subtype: ['summary', 'index'],
  cliSubtype: ['summary', 'index'],
  exitCode: ['summary', 'index'],
  terminationReason: ['summary', 'index'],
  killReason: ['summary', 'index'],
  needsRetry: ['audit_log'],
  retryReason: ['audit_log'],
  skillCommand: ['summary', 'index', 'audit_log'],
  writeCallCount: ['summary', 'index'],
  kitchenId: ['summary', 'index'],
  orderId: ['summary', 'index', 'token_usage', 'step_timing'],
  stepName: ['summary', 'index', 'token_usage', 'step_timing'],
  startedAt: ['summary', 'index'],
  endedAt: ['summary', 'index'],
  durationSeconds: ['summary', 'index'],
  writePathWarnings: ['summary', 'index'],
  cloneContaminationReverted: ['summary', 'index'],
  inputTokens: ['token_usage', 'summary', 'index'],
  outputTokens: ['token_usage', 'summary', 'index'],
  cacheReadInputTokens: ['token_usage', 'summary', 'index'],
  cacheCreationInputTokens: ['token_usage', 'summary', 'index'],
  crash: ['crash'],
}

/** Commands are cut to 100 characters in the index and to 200 in the audit log. */
const CUT_MIN = 100

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Records in the order in which they count: what the source wrote later last. Names of streams say nothing, they go by arrival. */
const inTime = (a: HeldRecorded, b: HeldRecorded): number =>
  byText(a.fact.startedAt ?? a.place.at ?? '', b.fact.startedAt ?? b.place.at ?? '') ||
  a.place.offset - b.place.offset ||
  byText(a.place.identity, b.place.identity)

/**
 * Merges what the files of a session log say. The strongest file that says a fact is believed; what another says otherwise is a
 * disagreement, never dropped. A session with several runs (a resumed one) is described by its last; only files of one run can disagree.
 *
 * @returns null when nothing was recorded
 * @see docs/sources/autoskillit.md
 */
export function mergeRecorded(held: readonly HeldRecorded[]): Recorded | null {
  if (held.length === 0) return null
  const runs = new Map<string, HeldRecorded[]>()
  for (const one of [...held].sort(inTime)) {
    const key = one.fact.dirName ?? ''
    runs.set(key, [...(runs.get(key) ?? []), one])
  }
  const merged = [...runs.entries()].map(([dirName, all]) => ({
    dirName,
    all,
    ...mergeRun(all, runs.size === 1 ? null : dirName),
  }))
  merged.sort(
    (a, b) => byText(a.fact.startedAt ?? '', b.fact.startedAt ?? '') || byText(a.dirName, b.dirName),
  )
  const last = merged.at(-1)!
  const starts = held.flatMap(({ fact }) => fact.startedAt ?? []).sort()
  const ends = held.flatMap(({ fact }) => fact.endedAt ?? []).sort()
  return {
    fact: { ...(last.dirName === '' ? {} : { dirName: last.dirName }), ...last.fact },
    decided:
      (['summary', 'index', 'crash'] as const)
        .map((source) => last.all.findLast(({ fact }) => fact.source === source))
        .find((one) => one !== undefined) ?? null,
    startedAt: starts[0] ?? null,
    endedAt: ends.at(-1) ?? null,
    disagreements: merged.flatMap((run) => run.disagreements),
  }
}

/** @param run its folder; null: it is the only one */
function mergeRun(
  all: readonly HeldRecorded[],
  run: string | null,
): Pick<Recorded, 'disagreements'> & { fact: Partial<Recorded['fact']> } {
  const fact: Record<string, unknown> = {}
  const disagreements: Recorded['disagreements'] = []
  for (const key of Object.keys(SOURCES_OF) as (keyof typeof SOURCES_OF)[]) {
    // Of two records of one file the later counts.
    const said = SOURCES_OF[key].flatMap((source) =>
      all.filter((one) => one.fact.source === source && one.fact[key] !== undefined).reverse(),
    )
    const used = said[0]?.fact[key]
    if (used === undefined) continue
    fact[key] = used
    // The audit log holds one record for each step of the history: they tell of different moments.
    const others =
      key === 'needsRetry' || key === 'retryReason'
        ? []
        : said.filter((one) => !isSame(key, one.fact[key], used))
    if (others.length === 0) continue
    disagreements.push({
      rule: 'recorded_fact',
      params: { fact: key, run },
      values: distinct(
        [said[0]!, ...others].map((one) => ({
          channel: 'log' as const,
          said: `${RECORDED_FILES[one.fact.source]}: ${shown(one.fact[key])}`,
        })),
      ),
      used: shown(used),
    })
  }
  return { fact: fact as Partial<Recorded['fact']>, disagreements }
}

function isSame(key: string, a: unknown, b: unknown): boolean {
  if (key === 'skillCommand' && typeof a === 'string' && typeof b === 'string') {
    const [short, long] = a.length < b.length ? [a, b] : [b, a]
    return short === long || (short.length >= CUT_MIN && long.startsWith(short))
  }
  return shown(a) === shown(b)
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const distinct = <V extends { said: string }>(values: V[]): V[] => [
  ...new Map(values.map((value) => [value.said, value])).values(),
]

/** What a list shows of where a run belongs. */
export function labelsOf(recorded: Recorded | null): Record<string, string> {
  const { kitchenId, orderId, stepName } = recorded?.fact ?? {}
  return {
    ...(kitchenId && { kitchen: kitchenId }),
    ...(orderId && { order: orderId }),
    ...(stepName && { step: stepName }),
  }
}

export interface TimeRange {
  first: string | null
  last: string | null
}

export function widen(range: TimeRange, at: string): void {
  if (range.first === null || at < range.first) range.first = at
  if (range.last === null || at > range.last) range.last = at
}

/**
 * When a run began and ended: by what other channels saw and what was recorded. A log is written after the run, so the times of its own
 * records fill in only what nothing else says.
 */
export function timesOf(
  observed: TimeRange,
  logged: TimeRange,
  recorded: Recorded | null,
): Pick<ExecutionSummary, 'startedAt' | 'endedAt'> {
  const range = { ...observed }
  if (recorded?.startedAt && (range.first === null || recorded.startedAt < range.first))
    range.first = recorded.startedAt
  if (recorded?.endedAt && (range.last === null || recorded.endedAt > range.last))
    range.last = recorded.endedAt
  const startedAt = range.first ?? logged.first
  return { startedAt, endedAt: range.last ?? (logged.last === startedAt ? null : logged.last) }
}

/** Tokens that were recorded are where no message of the model was received. */
export function usageOf(counted: Usage, recorded: Recorded | null): Usage {
  const {
    inputTokens,
    outputTokens,
    cacheReadInputTokens = 0,
    cacheCreationInputTokens = 0,
  } = recorded?.fact ?? {}
  if (counted.messages > 0 || (inputTokens === undefined && outputTokens === undefined)) return counted
  return {
    ...counted,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cacheReadInputTokens,
    cacheCreationInputTokens,
  }
}
