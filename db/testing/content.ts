import type { TransactionSql } from 'postgres'
import type { Pointer } from '@/lib/model/execution'
import type { Db } from '../client'

type Row = Record<string, unknown>

/**
 * Everything that was stored, without our own ids, times and the way the bytes were cut into parts: what two databases that took in the
 * same input must have in common. Pointers are replaced by the bytes they point at.
 */
export async function storedContent(db: Pick<Db, 'sql'>): Promise<{
  executions: Row[]
  calls: Row[]
  events: Row[]
  odd: Row[]
  counts: Row[]
  marks: Row[]
  decisions: Row[]
  attempts: Row[]
}> {
  const { sql } = db
  const kept = new Map(
    (await sql<{ sha256: string; bytes: Buffer }[]>`select sha256, bytes from received`).map((r) => [
      r.sha256,
      r.bytes,
    ]),
  )
  const resolve = (pointer: Pointer | null) =>
    pointer === null
      ? null
      : {
          ...(pointer.jsonPointer ? { at: pointer.jsonPointer } : {}),
          text: kept.get(pointer.received)!.subarray(pointer.byteStart, pointer.byteEnd).toString('utf8'),
        }
  const executions = await sql<Row[]>`
    select e.external_id, outcome, outcome_basis, outcome_rule, outcome_because, outcome_params, cause_text, cause_rule, cause_params, cause_earlier, cause_category, cause_pointer, failed_at, title,
      started_at, ended_at, sort_at, labels, repository, branch, records, calls, failed_calls,
      calls_without_result, chains, recovered_chains, failed_by_class, marks, chain_list, advice, signal_hints, silence, repeats, pipeline, usage, disagreements, parent_key, parent_call,
      (select p.external_id from executions p where p.id = e.parent_id) as parent, search::text as search, odd, redactions, dirty
    from executions e order by external_id, started_at`
  const calls = await sql<
    Row[]
  >`select e.external_id, a.* from calls a join executions e on e.id = a.execution_id order by 1, ordinal`
  const events = await sql<Row[]>`
    select e.external_id, s.stream_id as stream, v.byte_offset, v.length, v.identity, v.channel, v.kind, v.type, v.at, v.parent_uuid, v.summary,
      v.odd_reason, v.odd_detail, v.facts, v.kept_start, v.kept_end, r.sha256
    from events v join executions e on e.id = v.execution_id join streams s on s.id = v.stream_id join received r on r.id = v.received_id
    order by 1, split_part(s.stream_id, '~', 1), v.byte_offset, v.identity, substr(r.bytes, v.kept_start + 1, v.kept_end - v.kept_start), s.stream_id`
  const odd = await sql<Row[]>`select reason, detail, byte_offset from odd_input order by 1, 3, 2`
  const counts = await sql<Row[]>`
    select facet, case when facet = 'source' then '' else value end as value, sum(n)::int as n
    from (select facet, value, n from facet_counts union all select facet, value, n from facet_deltas) c group by 1, 2 having sum(n) <> 0 order by 1, 2`
  const marks = await sql<
    Row[]
  >`select e.external_id, m.mark, m.sort_at from execution_marks m join executions e on e.id = m.execution_id order by 1, 2`
  const decisions = await sql<
    Row[]
  >`select e.external_id, d.* from decisions d join executions e on e.id = d.execution_id order by 1`
  const attempts = await sql<Row[]>`
    select e.external_id, c.chain_id, c.name, c.rule, c.basis, c.attempt, c.sort_at, c.inputs, c.failed, r.provider, r.path, r.run, r.attempt as ci_attempt, r.job
    from execution_chains c join executions e on e.id = c.execution_id left join ci_runs r on r.execution_id = e.id order by 1, 2`
  return {
    executions: executions.map((row) => ({
      ...row,
      cause_pointer: resolve(row.cause_pointer as Pointer | null),
      signal_hints: (row.signal_hints as { pointer: Pointer }[]).map((hint) => ({
        ...hint,
        pointer: resolve(hint.pointer),
      })),
    })),
    calls: calls.map(({ project_id: _p, execution_id: _e, ...row }) => ({
      ...row,
      call_pointer: resolve(row.call_pointer as Pointer | null),
      result_pointer: resolve(row.result_pointer as Pointer | null),
    })),
    events: events.map(({ kept_start, kept_end, sha256, ...row }) => ({
      ...row,
      bytes: kept
        .get(sha256 as string)!
        .subarray(kept_start as number, kept_end as number)
        .toString('utf8'),
    })),
    odd: [...odd],
    counts: [...counts],
    marks: [...marks],
    decisions: decisions.map(({ project_id: _p, execution_id: _e, decided_at: _at, ...row }) => row),
    attempts: [...attempts],
  }
}

/** What is taken in; the tables that refer to these are emptied with them. */
const TAKEN_IN =
  'patches, patch_handovers, fixes, fix_standing, fix_files, fix_flags, fix_reviews, fix_late_reviews, fix_comments, fix_viewed, received, received_keys, streams, stream_parts, odd_input, execution_keys, executions, execution_marks, events, execution_streams, calls, decisions, execution_chains, session_resumes, ci_runs, receipts, receipt_keys, chain_verdicts, cause_corrections, parity_checks, parity_standing, parity_places, facet_counts, facet_deltas'.split(
    ', ',
  )

/** The schema is the same in every test database. */
let statements: string | undefined

/**
 * Empties a test database of everything that was taken in. Rows are deleted: `truncate` makes new files for 70 tables
 * and their indexes, which was a third of the time of the tests of writes.
 */
export async function forgetEverything(db: Pick<Db, 'sql'>): Promise<void> {
  await db.sql.begin(async (sql) => {
    // Neither the order of references nor what is only ever added to matters here.
    await sql`set local session_replication_role = replica`
    statements ??= await deletions(sql)
    await sql.unsafe(statements)
  })
}

async function deletions(sql: TransactionSql): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    with recursive emptied as (
      select unnest(${TAKEN_IN}::regclass[])::oid as id
      union
      select c.conrelid from pg_constraint c join emptied e on c.confrelid = e.id where c.contype = 'f'
    )
    select t.oid::regclass::text as name from emptied e join pg_class t on t.oid = e.id where not t.relispartition`
  return tables.map(({ name }) => `delete from ${name}`).join(';')
}
