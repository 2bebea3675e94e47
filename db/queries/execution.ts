import { attentionToday } from '@/lib/words/attention'
import type { ExecutionDetail } from '@/lib/api/schemas'
import { adviceToday, refutedAdvice } from '@/lib/words/retry'
import { storedText } from '@/lib/words/catalogue'
import { disagreementFact } from '@/lib/words/disagreements'
import { DECISION_REASONS } from '@/lib/words/decision'
import { OUTCOME_WORDS } from '@/lib/words/outcome'
import type { Db } from '../client'
import { readCorrection, STANDING_CORRECTION } from './cause-corrections'
import { listAgentRuns } from './agent-runs'
import { readPlaceInChain, readTimesNotHelped } from './chains'
import { listCiMemberships } from './ci-runs'
import { withAttemptsAlias } from './attempts-alias'
import { withChannelAlias } from './channel-alias'
import { isUuid } from './cursor'
import { LINE_COLUMNS, toDecisionLine, type DecisionLineRow } from './decision-line'
import { ITEM_COLUMNS, toItem, type ItemRow } from './execution-rows'
import { readOutput } from './run-output'
import { columnsOf, runText, type Selected } from '../statement-text'
import { mapSources } from './sources'
import type { RowOf } from '../schema/rows'
import type { ReceiptPlace } from '@/lib/model/silence'

const DETAIL = columnsOf('executions e', [
  'outcome_rule',
  'outcome_because',
  'outcome_params',
  'advice',
  'signal_hints',
  'silence',
  'repeats',
  'usage',
  'disagreements',
  'chain_list',
  'pipeline',
  'redactions',
  'first_seen_at',
  'updated_at',
  'version',
  'analysis_failure',
])

/** Why it was decided so, where a decision gave the outcome. */
const REASON = columnsOf('decisions d', ['because_rule', 'because_params'])

type DetailRow = ItemRow &
  DecisionLineRow &
  Selected<typeof DETAIL> &
  Selected<typeof REASON> &
  Selected<typeof STANDING_CORRECTION>

/** One execution with everything but its events, calls and bytes; null when there is none that the projects hold. */
export async function readExecution(
  db: Db,
  projectIds: string[],
  id: string,
): Promise<ExecutionDetail | null> {
  if (!isUuid(id) || projectIds.length === 0) return null
  const [row] = await runText<DetailRow>(db, {
    text: `select ${ITEM_COLUMNS}, ${DETAIL.text}, ${REASON.text}, ${LINE_COLUMNS}, ${STANDING_CORRECTION.text}
     from executions e left join decisions d on d.project_id = e.project_id and d.execution_id = e.id
     where e.project_id = any ($1::uuid[]) and e.id = $2::uuid`,
    params: [projectIds, id],
  })
  if (!row) return null
  const [
    sources,
    agentRuns,
    children,
    ciRuns,
    placeInChain,
    named,
    [held],
    [parity],
    correction,
    output,
    timesNotHelped,
  ] = await Promise.all([
    mapSources(db, [row.project_id]),
    listAgentRuns(db, row.project_id, row.id),
    db.sql<
      (RowOf<'executions', 'id' | 'externalId' | 'outcome' | 'title' | 'failedCalls'> & {
        callId: RowOf<'executions', 'parent_call'>['parent_call']
      })[]
    >`
      select id, external_id as "externalId", outcome, title, parent_call as "callId", failed_calls as "failedCalls"
      from executions where project_id = ${row.project_id} and parent_id = ${row.id} order by started_at, external_id`,
    listCiMemberships(db, row.project_id, row.id),
    readPlaceInChain(db, row.project_id, row.id),
    nameReceipts(db, row),
    db.sql<
      { receipts: number }[]
    >`select count(*)::int as receipts from receipts where project_id = ${row.project_id} and execution_id = ${row.id}`,
    db.sql<
      (RowOf<'parity_standing', 'worst'> & {
        verdict: NonNullable<RowOf<'parity_standing', 'verdict'>['verdict']>
        checkedAt: NonNullable<RowOf<'parity_standing', 'checkedAt'>['checkedAt']>
        lostFrom: RowOf<'parity_checks', 'lostFrom'>['lostFrom']
      })[]
    >`
      select s.verdict, s.worst, c.lost_from as "lostFrom", s.checked_at as "checkedAt" from parity_standing s
      left join parity_checks c on c.project_id = s.project_id and c.execution_id = s.execution_id and c.id = s.check_id
      where s.project_id = ${row.project_id} and s.execution_id = ${row.id} and s.checked_at is not null`,
    row.correction_id === null ? null : readCorrection(db, row.project_id, { id: row.correction_id }),
    // A process was recorded only where there is a decision about it.
    row.because_rule === null || row.outcome === 'succeeded' ? null : readOutput(db, row),
    row.advice?.retry === 'could-help' ? readTimesNotHelped(db, row.project_id, row.id) : 0,
  ])
  return {
    ...toItem(
      row,
      sources,
      row.cause_category === 'agent_failure'
        ? (agentRuns.find(({ callState, cause }) => callState === 'failed' && cause !== null)?.cause ?? null)
        : null,
    ),
    analysisFailure: row.analysis_failure,
    parity: parity ?? null,
    correction,
    decision: toDecisionLine(row),
    output,
    attention: row.attention && attentionToday(row.attention),
    outcomeRule: row.outcome_rule,
    outcomeBecause: becauseOf(row),
    outcomeParams: row.outcome_params,
    causeParams: row.cause_params,
    causeEarlier: row.cause_earlier,
    advice:
      row.advice &&
      (timesNotHelped === 0
        ? adviceToday(row.advice)
        : refutedAdvice(adviceToday(row.advice), timesNotHelped)),
    signalHints: row.signal_hints,
    ...named,
    usage: row.usage,
    disagreements: row.disagreements.map((one) => ({
      ...one,
      fact: disagreementFact(one),
      values: one.values.map(withChannelAlias),
    })),
    chains: row.chain_list,
    agentRuns,
    children: [...children],
    ciRuns,
    pipeline: row.pipeline && withAttemptsAlias(row.pipeline),
    placeInChain,
    receipts: held!.receipts,
    redactions: row.redactions,
    firstSeenAt: row.first_seen_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}

/** The reading of the rule that decided, in the words of today: a rule of an outcome has params, else a decision gave it. */
function becauseOf(row: DetailRow): string {
  const text = row.outcome_because
  return row.outcome_params === null
    ? storedText(DECISION_REASONS, { id: row.because_rule, params: row.because_params, text })
    : storedText(OUTCOME_WORDS, { id: row.outcome_rule, params: row.outcome_params, text })
}

/** What the receipts tell, with the keys by which they are opened. */
async function nameReceipts(
  db: Db,
  { project_id, silence, repeats }: DetailRow,
): Promise<Pick<ExecutionDetail, 'silence' | 'repeats'>> {
  const all = [...(silence?.findings ?? []), ...repeats.flatMap(({ calls }) => calls)].flatMap(
    ({ receipts }) => receipts,
  )
  if (all.length === 0) return { silence: null, repeats: [] }
  const rows = await db.sql<
    (RowOf<'receipts', 'chainId'> & {
      id: NonNullable<RowOf<'receipts', 'receipt_id'>['receipt_id']>
      key: string
    })[]
  >`
    select receipt_id as id, chain_id as "chainId", min(stream_id::text) as key from receipts
    where project_id = ${project_id} and receipt_id = any (${[...new Set(all.flatMap(({ id }) => id ?? []))]}::text[]) group by 1, 2`
  const keys = new Map(rows.map(({ id, chainId, key }) => [`${id} ${chainId}`, key]))
  const withKeys = <T extends { receipts: ReceiptPlace[] }>(one: T) => ({
    ...one,
    receipts: one.receipts.map((receipt) => ({
      ...receipt,
      key: keys.get(`${receipt.id} ${receipt.chainId}`) ?? null,
    })),
  })
  return {
    silence: silence && {
      counts: silence.counts as Record<string, number>,
      findings: silence.findings.map(withKeys),
    },
    repeats: repeats.map((repeat) => ({ ...repeat, calls: repeat.calls.map(withKeys) })),
  }
}
