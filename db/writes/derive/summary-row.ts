import { storedAttention } from '@/lib/words/attention'
import { createHash } from 'node:crypto'
import type { Decision } from '@/lib/judge/decisions/decision'
import type { AnalysisFailure } from '@/lib/analysis/analysis-failure'
import { marksOf } from '@/lib/analysis/marks'
import type { ExecutionSummary } from '@/lib/model/summary'
import { searchTokens } from '@/lib/analysis/search-text'
import { storable } from '@/lib/formats/storable'
import { storedAdvice } from '@/lib/words/retry'
import { jsonText } from '../../json-text'

/** Longest text that is in an index: a page of a btree must hold three entries, and an entry holds two such texts. */
const INDEXED_CHARS_MAX = 200
/** Beside those two it contains all marks of an execution, of which two are words of the source. Ours are half as long. */
const MARK_CHARS_MAX = 50

const indexed = (text: string | undefined, max = INDEXED_CHARS_MAX): string | null =>
  text === undefined || text === '' ? null : [...storable(text)].slice(0, max).join('')
const plain = (text: string | null): string | null => (text === null ? null : storable(text))

/** Place in the order of time of an execution that no record dates: behind all others, whenever it arrived. */
export const NO_TIME = '1970-01-01T00:00:00.000Z'

/** Digest of everything that is derived: two equal ones mean that readers would see no difference. */
export function summaryDigest(
  { calls, ...rest }: ExecutionSummary,
  extra: { odd: number; redactions: number; decision: Decision | null },
  parentId: string | null,
): string {
  const hash = createHash('sha256').update(JSON.stringify([rest, extra, parentId]))
  // One after the other: all of a long session at once would be a text of a hundred megabytes.
  for (const call of calls) hash.update(JSON.stringify(call))
  return hash.digest('base64url')
}

type Column = [value: unknown, cast: string]

/**
 * The derived columns of `executions`, with their types.
 *
 * @param own.attempts size of the retry chain of executions that it is part of, itself included
 */
export function executionColumns(
  s: ExecutionSummary,
  extra: { odd: number; redactions: number },
  own: {
    parentId: string | null
    digest: string
    externalId: string
    attempts: number
    /** Why its analysis broke; left out when it did not. */
    failure?: AnalysisFailure | null
  },
): Record<string, Column> {
  // As text first: a parameter declared jsonb would be spelled as JSON once more by the driver.
  const json = (value: unknown): Column => [value === null ? null : jsonText(value), 'text::jsonb']
  return {
    outcome: [s.outcome, 'text'],
    outcome_basis: [s.outcomeBasis, 'text'],
    outcome_rule: [s.outcomeRule, 'text'],
    outcome_because: [storable(s.outcomeBecause), 'text'],
    outcome_params: json(s.outcomeParams),
    cause_text: [plain(s.cause?.text ?? null), 'text'],
    cause_rule: [s.cause?.message.id ?? null, 'text'],
    cause_params: json(s.cause?.message.params ?? null),
    cause_earlier: json(s.cause?.earlier ?? null),
    cause_category: [plain(s.cause?.category ?? null), 'text'],
    cause_pointer: json(s.cause?.pointer ?? null),
    attention: json(storedAttention(s.attention)),
    failed_at: [plain(s.failedAt), 'text'],
    title: [plain(s.title), 'text'],
    started_at: [s.startedAt, 'timestamptz'],
    ended_at: [s.endedAt, 'timestamptz'],
    sort_at: [s.startedAt ?? NO_TIME, 'timestamptz'],
    labels: json(s.labels),
    repository: [indexed(s.labels.repository), 'text'],
    branch: [indexed(s.labels.branch), 'text'],
    records: [s.counts.records, 'int'],
    calls: [s.counts.calls, 'int'],
    failed_calls: [s.counts.failedCalls, 'int'],
    calls_without_result: [s.counts.callsWithoutResult, 'int'],
    chains: [s.counts.chains, 'int'],
    recovered_chains: [s.counts.recoveredChains, 'int'],
    failed_by_class: json(s.counts.failedByClass),
    marks: [
      [...new Set(marksOf(s, own.attempts).flatMap((mark) => indexed(mark, MARK_CHARS_MAX) ?? []))],
      'text[]',
    ],
    chain_list: json(s.chains),
    advice: json(s.advice && storedAdvice(s.advice)),
    signal_hints: json(s.signalHints),
    silence: json(s.silence),
    repeats: json(s.repeats),
    usage: json(s.usage),
    pipeline: json(s.pipeline),
    disagreements: json(s.disagreements),
    parent_key: [plain(s.parent?.key ?? null), 'text'],
    parent_call: [plain(s.parent?.callId ?? null), 'text'],
    parent_id: [own.parentId, 'uuid'],
    search: [searchTokens(searchTexts(s, own.externalId)), 'text[]'], // made a tsvector by the statement
    odd: [extra.odd, 'int'],
    redactions: [extra.redactions, 'int'],
    digest: [own.digest, 'text'],
    analysis_failure: json(own.failure ?? null),
  }
}

/** What free text finds an execution by, what matters most first. */
function searchTexts(s: ExecutionSummary, externalId: string): string[] {
  const failed = s.calls.filter((a) => a.state === 'failed').slice(0, 20)
  return [
    s.title ?? '',
    s.cause?.text ?? '',
    externalId,
    ...Object.values(s.labels),
    ...failed.flatMap((a) => [a.tool, a.target ?? '', a.failureClass ?? '']),
    ...failed.map((a) => a.errorText?.slice(0, 300) ?? ''),
  ]
}
