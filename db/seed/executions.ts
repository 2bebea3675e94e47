import { countValues } from '@/lib/analysis/marks'
import type { Sql } from '../client'
import { ensurePartitions } from '../partitions'

export interface SeedExecutions {
  projectId: string
  sourceId: string
  count: number
  /** Events of each; 0 for none. */
  events?: number
  /** Start of the newest one; the others lie a step apart before it. */
  newest: Date
  /** Days over which they are spread. */
  days?: number
  /** Number of the first one: seeding again with another adds. */
  from?: number
  onProgress?: (done: number) => void
}

const ROWS_AT_ONCE = 50_000

/** The values that are seeded, and how often they occur: common, middling and rare ones of each facet. */
export const SEEDED = {
  repository: { common: 'acme/shop', middling: 'acme/repo-42', rare: 'acme/rare' },
  branch: { common: 'main', middling: 'feature/17', rare: 'hotfix/once' },
  class: { common: 'exit_code', middling: 'not_read_first', rare: 'task_output' },
  outcome: { common: 'succeeded', middling: 'failed', rare: 'cancelled' },
  state: { common: 'complete', middling: 'contract_violation', rare: 'session_error' },
  help: { common: 'cannot-help', middling: 'could-help', rare: 'helped' },
  word: { common: 'deploy', middling: 'checkout', rare: 'zanzibar' },
} as const

/**
 * Fills a project with made-up executions on the server itself: the same numbers give the same rows (`count` and `from` name them), and
 * a hundred thousand take seconds. External ids are `seed-<n>`, call ids `call-<n>`, identities of events `event-<n>-<k>`.
 */
export async function seedExecutions(sql: Sql, o: SeedExecutions): Promise<void> {
  const { projectId, sourceId, count, events = 0, newest, days = 60, from = 0 } = o
  for (let month = 0; month <= Math.ceil(days / 28) + 1; month++)
    await ensurePartitions(
      sql,
      new Date(Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth() - month, 15)),
      1,
    )
  const stepMs = (days * 86_400_000) / Math.max(1, count)
  const [stream] = await sql<{ id: string }[]>`
    insert into streams (project_id, id, source_id, stream_id, kind, channel) values (${projectId}, gen_random_uuid(), ${sourceId}, 'seed', 'claude-transcript', 'transcript')
    on conflict (project_id, source_id, stream_id) do update set updated_at = now() returning id`
  const received = await seedBytes(sql, projectId, stream!.id)
  for (let at = from; at < from + count; at += ROWS_AT_ONCE) {
    const last = Math.min(at + ROWS_AT_ONCE, from + count) - 1
    await sql.begin(async (tx) => {
      await tx.unsafe(INSERT_EXECUTIONS, [
        projectId,
        sourceId,
        at,
        last,
        newest.toISOString(),
        stepMs,
      ] as never[])
      if (events > 0)
        await tx.unsafe(INSERT_EVENTS, [projectId, stream!.id, received, at, last, events] as never[])
    })
    o.onProgress?.(last + 1 - from)
  }
  await recountFacets(sql, projectId)
}

const BYTES = Buffer.from(
  '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"seeded"}]}}\n',
)

async function seedBytes(sql: Sql, projectId: string, stream: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    with made as (insert into received_keys (project_id, sha256, received_id) values (${projectId}, encode(sha256(${BYTES}), 'hex'), gen_random_uuid())
      on conflict (project_id, sha256) do nothing returning *)
    insert into received (project_id, id, sha256, kept_length, bytes) select project_id, received_id, sha256, ${BYTES.length}, ${BYTES} from made returning id`
  if (row)
    await sql`
    insert into stream_parts (project_id, id, stream_id, byte_offset, original_length, original_sha256, received_id, state)
    values (${projectId}, gen_random_uuid(), ${stream}, 0, ${BYTES.length}, encode(sha256(${BYTES}), 'hex'), ${row.id}, 'folded')`
  const [known] = await sql<
    { received_id: string }[]
  >`select received_id from received_keys where project_id = ${projectId} and sha256 = encode(sha256(${BYTES}), 'hex')`
  return known!.received_id
}

// `h` spreads the numbers: neighbours in time differ in everything else. The id carries the time of the start, as those of live data nearly do.
const NUMBERED = `
  select n, ('x' || substr(md5(n::text), 1, 7))::bit(28)::int as h, md5(n::text) as md5,
    date_trunc('milliseconds', $5::timestamptz - make_interval(secs => n * $6::float8 / 1000)) as at
  from generate_series($3::int, $4::int) n`

const ROWS = `
  select n, h, at, (substr(m, 1, 8) || '-' || substr(m, 9, 4) || '-7' || substr(md5, 1, 3) || '-8' || substr(md5, 4, 3) || '-' || substr(md5, 7, 12))::uuid as id,
    case when n % 50000 = 7 then 'cancelled' when h % 10 < 2 then 'failed' when h % 100 = 50 then 'interrupted' else 'succeeded' end as outcome,
    case when n % 50000 = 11 then 'acme/rare' when h % 3 = 0 then 'acme/shop' else 'acme/repo-' || (h / 7) % 200 end as repository,
    case when n % 50000 = 13 then 'hotfix/once' when h % 2 = 0 then 'main' else 'feature/' || (h / 11) % 300 end as branch,
    array_remove(array[
      case when h % 10 < 2 or h % 7 = 0 then 'exit_code' end, case when h % 40 = 3 then 'not_read_first' end, case when n % 50000 = 17 then 'task_output' end], null) as classes,
    array['run', 'n' || n, (array['deploy', 'build', 'review', 'migrate', 'lint'])[1 + h % 5], case when h % 400 = 9 then 'checkout' else 'plain' end,
      case when n % 50000 = 19 then 'zanzibar' else 'usual' end] as words,
    case when n % 50000 = 23 then 'session_error' when h / 13 % 480 = 36 then 'contract_violation' when h / 13 % 480 = 12 then 'absent' when h / 13 % 12 = 0 then 'complete' end as state,
    case when n % 50000 = 29 then 'helped' when h % 10 = 0 then 'cannot-help' when h % 20 = 1 then 'could-help' end as help
  from (select *, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as m from (${NUMBERED}) numbered) timed`

// One in twelve is of a source that decides: recomputed, with a content state. Of most others nothing is known but what they did.
const MARKED = `
  select *, case when state is not null then 'recomputed' when h % 25 = 7 then 'recorded' else 'inferred' end as basis,
    array(select mark from unnest(classes || array['state:' || state, case when state = 'contract_violation' then 'reason:contract_recovery' when state = 'absent' then 'reason:resume' end,
      'help:' || help, case when state is not null then 'decided:recomputed' when h % 25 = 7 then 'decided:recorded' end, case when state is not null and h / 13 % 60 = 24 then 'differs:yes' end,
      case when h % 200 = 9 then 'attempts:2' when h % 200 = 10 then 'attempts:3' when h % 2000 = 11 then 'attempts:5+' end]) mark where mark is not null order by mark collate "C") as marks
  from (${ROWS}) rows`

const INSERT_EXECUTIONS = `
  with rows as materialized (${MARKED}),
  keys as (insert into execution_keys (project_id, source_id, external_id, execution_id) select $1::uuid, $2::uuid, 'seed-' || n, id from rows),
  marked as (insert into execution_marks (project_id, execution_id, mark, sort_at) select $1::uuid, id, m, at from rows, unnest(marks) m),
  attempts as (
    insert into calls (project_id, execution_id, ordinal, call_id, tool, target, input_digest, state, failure_class, error_text)
    select $1::uuid, id, 0, 'call-' || n, 'Bash', 'make test', 'x', 'failed', classes[1], 'Exit code 1' from rows where classes <> '{}')
  insert into executions (project_id, id, source_id, external_id, outcome, outcome_basis, outcome_rule, outcome_because, cause_text, cause_category, title,
    started_at, ended_at, sort_at, labels, repository, branch, records, calls, failed_calls, failed_by_class, marks, advice, usage, search)
  select $1::uuid, id, $2::uuid, 'seed-' || n, outcome, basis, 'seeded', 'Seeded.', case when outcome = 'failed' then 'The command failed: exit code 1' end,
    case when outcome = 'failed' then 'command' end, words[3] || ' ' || words[4] || ' ' || n, at, at + interval '2 minutes', at,
    jsonb_build_object('repository', repository, 'branch', branch), repository, branch, 10, 4, cardinality(classes), '{}', marks,
    case when help is not null then jsonb_build_object('retry', help, 'retryBecause', 'Seeded.', 'next', 'Nothing.') end,
    '{"inputTokens":1,"outputTokens":1,"cacheReadInputTokens":0,"cacheCreationInputTokens":0,"messages":1,"costUsd":null}', array_to_tsvector(words)
  from rows`

const INSERT_EVENTS = `
  with those as (
    select k.execution_id, substr(k.external_id, 6)::int as n from execution_keys k
    where k.project_id = $1::uuid and k.external_id = any (select 'seed-' || n from generate_series($4::int, $5::int) n)),
  linked as (insert into execution_streams (project_id, execution_id, stream_id, events) select $1::uuid, execution_id, $2::uuid, $6::int from those)
  insert into events (project_id, execution_id, stream_id, byte_offset, length, identity, channel, kind, type, summary, facts, received_id, kept_start, kept_end)
  select $1::uuid, execution_id, $2::uuid, n::bigint * 10000 + k * 100, 96, 'event-' || n || '-' || k, 'transcript', 'text', 'assistant', 'seeded', '{}', $3::uuid, 0, 96
  from those, generate_series(0, $6::int - 1) k`

/** Counts the facets anew from the executions themselves. */
export async function recountFacets(sql: Pick<Sql, 'begin'>, projectId: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`delete from facet_deltas where project_id = ${projectId}`
    await tx`delete from facet_counts where project_id = ${projectId}`
    await tx`
      insert into facet_counts (project_id, facet, value, n)
      select ${projectId}, case when grouping(outcome) = 0 then 'outcome' when grouping(source_id) = 0 then 'source' when grouping(repository) = 0 then 'repository'
          when grouping(branch) = 0 then 'branch' else '' end,
        coalesce(case when grouping(outcome) = 0 then outcome when grouping(source_id) = 0 then source_id::text when grouping(repository) = 0 then repository
          when grouping(branch) = 0 then branch end, ''), count(*)
      from executions where project_id = ${projectId}
      group by grouping sets ((), (outcome), (source_id), (repository), (branch))
      having not (grouping(repository) = 0 and repository is null) and not (grouping(branch) = 0 and branch is null)`
    const marks = await tx<
      { mark: string; count: number }[]
    >`select mark, count(*)::int as count from execution_marks where project_id = ${projectId} group by mark`
    const [all] = await tx<
      { n: number }[]
    >`select coalesce(sum(n), 0)::int as n from facet_counts where project_id = ${projectId} and facet = ''`
    const values = countValues(marks, all!.n)
    await tx`
      insert into facet_counts (project_id, facet, value, n)
      select ${projectId}, * from unnest(${values.map((v) => v.facet)}::text[], ${values.map((v) => v.value)}::text[], ${values.map((v) => v.count)}::int[])`
  })
}
