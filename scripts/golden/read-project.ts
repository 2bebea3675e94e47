import type { Sql } from '@/db/client'
import { decide } from '@/lib/judge/decisions/decide'
import type { Decision } from '@/lib/judge/decisions/decision'
import { readWhatIf } from '@/lib/judge/decisions/kept'
import { POLICIES } from '@/lib/judge/decisions/policies'
import type { Call, Chain, ExecutionSummary } from '@/lib/model/summary'
import type { Advice, Pointer } from '@/lib/model/execution'
import type { RedactionMark } from '@/lib/text/redaction/finding'
import {
  noConclusions,
  type CallRow,
  type Conclusions,
  type DecisionRow,
  type JobAttemptRow,
  type OddRow,
  type PartRow,
} from './product-rows'

/**
 * Reads back everything that the product derived in a project; each row names its execution by the id of
 * its source.
 */
export async function readProject(sql: Sql, projectId: string): Promise<Conclusions> {
  const found = noConclusions()
  await readKept(sql, projectId, found)
  await readExecutions(sql, projectId, found)
  await readCalls(sql, projectId, found)
  await readDecisions(sql, projectId, found)
  return found
}

interface KeptPart extends PartRow {
  marks: RedactionMark[]
}

async function readKept(sql: Sql, projectId: string, found: Conclusions): Promise<void> {
  const parts = await sql<KeptPart[]>`
    select t.kind, p.byte_offset as "byteOffset", p.original_sha256 as "originalSha256", r.sha256,
      r.kept_length as "keptLength", p.marks
    from stream_parts p join streams t on t.project_id = p.project_id and t.id = p.stream_id
    join received r on r.project_id = p.project_id and r.id = p.received_id where p.project_id = ${projectId}`
  for (const { marks, ...part } of parts) {
    found.part.push(part)
    found.redaction.push(
      ...marks.map((mark, place) => ({ originalSha256: part.originalSha256, place, ...mark })),
    )
  }
  const odd = await sql<(Omit<OddRow, 'at'> & { kind: string | null; offset: number })[]>`
    select t.kind, o.byte_offset as offset, o.reason from odd_input o
    left join streams t on t.project_id = o.project_id and t.id = o.stream_id where o.project_id =
      ${projectId}`
  found.odd.push(
    ...odd.map(({ kind, offset, reason }) => ({ at: ['input', kind ?? '', String(offset)], reason })),
  )
  const events = await sql<{ execution: string; identity: string; reason: string }[]>`
    select e.external_id as execution, v.identity, v.odd_reason as reason from events v
    join executions e on e.project_id = v.project_id and e.id = v.execution_id where v.project_id =
      ${projectId} and v.odd_reason is not null`
  found.odd.push(
    ...events.map(({ execution, identity, reason }) => ({ at: ['record', execution, identity], reason })),
  )
}

type StoredExecution = Pick<
  ExecutionSummary,
  | 'outcome'
  | 'outcomeRule'
  | 'outcomeBasis'
  | 'failedAt'
  | 'signalHints'
  | 'silence'
  | 'repeats'
  | 'disagreements'
> & {
  externalId: string
  causeCategory: string | null
  causePointer: Pointer | null
  advice: Advice | null
  chainList: Chain[]
  records: number
  calls: number
  failedCalls: number
  failedByClass: Record<string, number>
  callsWithoutResult: number
  chains: number
  recoveredChains: number
  odd: number
  redactions: number
  parentKey: string | null
  parentCall: string | null
  events: Record<string, number> | null
}

async function readExecutions(sql: Sql, projectId: string, found: Conclusions): Promise<void> {
  const rows = await sql<StoredExecution[]>`
    select e.external_id as "externalId", e.outcome, e.outcome_rule as "outcomeRule", e.outcome_basis as
      "outcomeBasis", e.failed_at as "failedAt",
      e.signal_hints as "signalHints", e.silence, e.repeats, e.disagreements, e.cause_category as
      "causeCategory",
      e.cause_pointer as "causePointer", e.advice, e.chain_list as "chainList", e.records, e.calls,
      e.failed_calls as "failedCalls",
      e.failed_by_class as "failedByClass", e.calls_without_result as "callsWithoutResult", e.chains,
      e.recovered_chains as "recoveredChains",
      e.odd, e.redactions, e.parent_key as "parentKey", e.parent_call as "parentCall",
      (select jsonb_object_agg(kind, n) from (
        select kind, count(*)::int as n from events v where v.project_id = e.project_id and v.execution_id =
        e.id group by kind) k) as events
    from executions e where e.project_id = ${projectId}`
  for (const { chainList, repeats, disagreements, ...row } of rows) {
    const { externalId: execution, advice, silence } = row
    const failures = advice?.failures ?? []
    found.execution.push({ ...row, counts: row, events: row.events ?? {} })
    found.failure.push(...failures.map((failure, place) => ({ execution, place, ...failure })))
    const listed = new Map(
      failures.flatMap((failure) => failure.chains.map((number) => [number, failure] as const)),
    )
    found.chain.push(
      ...chainList.map((chain) => ({ execution, ...chain, failure: listed.get(chain.number) ?? null })),
    )
    found.disagreement.push(...disagreements.map((one) => ({ execution, callId: null, ...one })))
    found.repeatedEffect.push(...repeats.map((repeat) => ({ execution, ...repeat })))
    found.receiptFinding.push(
      ...(silence?.findings ?? []).map((finding, place) => ({ execution, place, ...finding })),
    )
  }
}

async function readCalls(sql: Sql, projectId: string, found: Conclusions): Promise<void> {
  const calls = await sql<(CallRow & { disagreements: Call['disagreements'] })[]>`
    select e.external_id as execution, a.ordinal, a.call_id as "callId", a.tool, a.target, a.state,
      a.failure_class as "failureClass",
      a.exit_code as "exitCode", a.error_text as "errorText", a.result_pointer as "resultPointer", a.chain,
      a.number_in_chain as "numberInChain", a.link_rule as "linkRule", a.link_params as "linkParams",
      a.link_basis as "linkBasis", a.linked_to as "linkedTo", a.input_changed as "inputChanged",
      a.attached_to as "attachedTo",
      a.child_key as "childKey", a.disagreements
    from calls a join executions e on e.project_id = a.project_id and e.id = a.execution_id where
      a.project_id = ${projectId}`
  for (const { disagreements, ...call } of calls) {
    found.call.push(call)
    const { execution, callId } = call
    for (const { channel, fact, said, used } of disagreements)
      found.disagreement.push({ execution, callId, fact, values: [{ channel, said }], used })
  }
  found.jobAttempt.push(
    ...(await sql<JobAttemptRow[]>`
    select e.external_id as execution, c.chain_id as "chainId", c.rule, c.basis, c.attempt, c.failed,
      c.inputs from execution_chains c
    join executions e on e.project_id = c.project_id and e.id = c.execution_id where c.project_id =
      ${projectId}`),
  )
}

async function readDecisions(sql: Sql, projectId: string, found: Conclusions): Promise<void> {
  const decisions = await sql<(DecisionRow & { whatIf: Decision['whatIf'] })[]>`
    select e.external_id as execution, d.basis, d.policy, d.content_state as "contentState", d.outcome,
      d.retry_reason as "retryReason", d.subtype, d.rule,
      d.missing, d.differs, d.input_redacted as "inputRedacted", d.recorded, d.recomputed, d.recorder,
      d.trace, d.what_if as "whatIf"
    from decisions d join executions e on e.project_id = d.project_id and e.id = d.execution_id where
      d.project_id = ${projectId}`
  for (const { whatIf, ...decision } of decisions) {
    found.decision.push(decision)
    const kept = readWhatIf(whatIf)
    if (kept === null) continue
    for (const policy of POLICIES)
      found.policyVerdict.push({
        of: decision.execution,
        policy: policy.name,
        ...decide(kept.actual, policy),
      })
  }
}
