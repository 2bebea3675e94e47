import postgres from 'postgres'
import { recountFacets } from '@/db/seed/executions'
import { FAILURE_CLASSES } from '@/lib/model/execution'

/** What the rows of the list bench look like; the words and names a case asks for are made the same way. */
export const PROJECT = '01930000-0000-7000-8000-000000000001'
export const SOURCES = 12
export const REPOSITORIES = 300
export const BRANCHES = 2_000
export const VOCABULARY = 20_000
export const SEEDED_NOW = new Date('2026-11-15T00:00:00.000Z')
const DAYS = 45

export const sourceName = (n: number): string => `build-${String(n).padStart(2, '0')}`
export const repositoryName = (n: number): string => `/srv/work/service-${n}`

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The n-th word: six characters that share no start with its neighbours. */
const helpers = `
create function bench_random(bigint, bigint) returns float8 language sql immutable
  return ((hashint8extended($1, $2) >> 11) & 9007199254740991)::float8 / 9007199254740992;
create function bench_uuid(bigint, bigint) returns uuid language sql immutable
  return (lpad(to_hex($1), 12, '0') || '7' || substr(md5($2::text), 1, 3) || '8' || substr(md5($2::text), 4, 15))::uuid;
create function bench_word(bigint) returns text language sql immutable
  return substr(md5('word' || $1), 1, 6);`

/** Texts are put together from handfuls of words: making each word of each row anew takes most of the time. */
const HANDFULS = 65_536
const handfuls = `
create unlogged table bench_words as select n, array_to_tsvector(array_agg(distinct bench_word(floor(bench_random(n, 20 + k) ^ 3 * ${VOCABULARY})::bigint))) as words
from generate_series(0, ${HANDFULS - 1}) n, generate_series(1, 5) k group by n;
analyze bench_words;`

/** Executions without what identifies them: more of them than this are the same again at other times, under other ids and with a word of their own. */
const BASE_MAX = 1_000_000
const COMMON = `source_id, outcome, outcome_basis, outcome_rule, outcome_because, cause_text, cause_category, cause_pointer, failed_at, title, labels,
  repository, branch, records, calls, failed_calls, calls_without_result, chains, recovered_chains, failed_by_class, marks, advice, usage`

const createBase = `create unlogged table bench_base as select 0::bigint as i, ''::tsvector as words, ${COMMON} from executions limit 0`

const fillBase = (from: number, until: number): string => `
insert into bench_base (i, words, ${COMMON})
select i, w1.words || w2.words || w3.words || w4.words || w5.words,
  bench_uuid(0, source), outcome, basis, 'bench', 'the last call of the run failed and nothing followed',
  case when outcome = 'failed' then 'The command \`npm run ' || bench_word(i % 997) || '\` ended with exit code 1: ' || bench_word(i % 4999) || ' is not assignable to ' || bench_word(i % 61) end,
  case when outcome = 'failed' then 'tool_failed' end,
  case when outcome = 'failed' then jsonb_build_object('received', md5(i::text) || md5('x' || i), 'byteStart', 1000, 'byteEnd', 1100) end,
  case when outcome = 'failed' then 'tool' end,
  'Change the ' || bench_word(i % 7919) || ' of ' || bench_word(i % 104) || ' and run every check again',
  jsonb_build_object('cwd', repository, 'repository', repository, 'branch', branch, 'model', 'claude-sonnet-4-5', 'version', '2.1.' || i % 60),
  repository, branch, 10, 4, cardinality(classes), 0, cardinality(classes), 0,
  (select coalesce(jsonb_object_agg(c, 1), '{}') from unnest(classes) c),
  array(select mark from unnest(classes || array['state:' || state, 'reason:' || reason, 'help:' || help, case when basis <> 'inferred' then 'decided:' || basis end,
    case when basis = 'recomputed' and bench_random(i, 9) < 0.02 then 'differs:yes' end,
    case when basis = 'recomputed' and bench_random(i, 15) < 0.1 then 'attempts:' || (array['2', '2', '3', '5+'])[1 + i % 4] end]) mark where mark is not null order by mark collate "C"),
  case when help is not null then jsonb_build_object('retry', help, 'retryBecause', 'the same input fails the same way', 'next', 'Read the last lines of its output.') end,
  '{"inputTokens": 48, "outputTokens": 1600, "cacheReadInputTokens": 80000, "cacheCreationInputTokens": 4000, "messages": 4, "costUsd": null}'
from (
  select *, case when state <> 'complete' then (array['resume', 'contract_recovery', 'empty_output'])[1 + i % 3] end as reason
  from (
    select *,
      case when basis <> 'recomputed' then null when outcome = 'succeeded' then 'complete'
        else (array['contract_violation', 'absent', 'absent', 'session_error'])[1 + i % 4] end as state,
      case when outcome in ('failed', 'interrupted') then (array['cannot-help', 'cannot-help', 'cannot-help', 'cannot-help', 'could-help', 'could-help', 'helped', null])[1 + floor(bench_random(i, 8) * 8)::int] end as help
    from (
      select i, (bench_random(i, 1) ^ 2 * ${SOURCES})::int % ${SOURCES} as source,
        case when o < 0.62 then 'succeeded' when o < 0.88 then 'failed' when o < 0.93 then 'interrupted' when o < 0.96 then 'cancelled' when o < 0.99 then 'unknown' else 'retriable' end as outcome,
        case when bench_random(i, 6) < 0.05 then 'recomputed' when bench_random(i, 7) < 0.08 then 'recorded' else 'inferred' end as basis,
        '/srv/work/service-' || floor(bench_random(i, 2) ^ 3 * ${REPOSITORIES}) as repository,
        case when bench_random(i, 3) < 0.55 then 'main' else 'feature/' || floor(bench_random(i, 4) ^ 2 * ${BRANCHES}) end as branch,
        (select coalesce(array_agg(distinct (array[${FAILURE_CLASSES.map(quote).join(',')}])[1 + floor(bench_random(i, 10 + k) ^ 2 * ${FAILURE_CLASSES.length})::int]), '{}')
           from generate_series(1, case when o >= 0.62 and o < 0.88 then 1 else 0 end + floor(bench_random(i, 5) * 2.4)::int) k) as classes
      from (select i, bench_random(i, 0) as o from generate_series(${from}::bigint, ${until}::bigint) i) n
      offset 0) plain
    offset 0) decided
  offset 0) r
${[1, 2, 3, 4, 5].map((k) => `join bench_words w${k} on w${k}.n = floor(bench_random(i, ${20 + k}) * ${HANDFULS})::int`).join(' ')}`

/** Milliseconds of the time of the n-th of so many. */
const timeOf = (n: string, total: number): string =>
  `(${SEEDED_NOW.getTime()} - ((${total} - ${n}) * ${(DAYS * 86_400_000) / total})::bigint)`

/** The rows of the base from one number to another, `shift` further on. */
const seedExecutions = (from: number, until: number, shift: number, total: number): string => `
insert into executions (project_id, id, external_id, started_at, ended_at, sort_at, first_seen_at, updated_at, search, ${COMMON})
select '${PROJECT}', bench_uuid(ms, n), md5('session' || n)::uuid::text, at, at + interval '9 minutes', at, at, at,
  words || array_to_tsvector(array[substr(md5('own' || n), 1, 12)]), ${COMMON}
from (select *, to_timestamp(ms / 1000.0) as at from (
  select *, i + ${shift} as n, ${timeOf(`(i + ${shift})`, total)} as ms from bench_base where i between ${from} and ${until}) numbered offset 0) r`

const CALL =
  '{"calls": [{"callId": "toolu_01BenchBenchBenchBench01", "tool": "Bash", "target": "npm run check", "inputDigest": "0cc175b9c0f1b6a831c399e269772661", "span": {"start": 400, "end": 700}}]}'
const RESULT =
  '{"results": [{"callId": "toolu_01BenchBenchBenchBench01", "failed": false, "span": {"start": 200, "end": 900}}]}'

/** Events as short as the shortest real ones; the kept bytes are left out, no list reads them. */
const seedEvents = (from: number, until: number, total: number, each: number): string => `
insert into events (project_id, execution_id, stream_id, byte_offset, length, identity, channel, kind, type, at, summary, facts, received_id, kept_start, kept_end)
select '${PROJECT}', id, id, k * 2500, 2499, own || k, 'transcript', kind, type, at, 'Bash: npm run check', facts, id, k * 2500, k * 2500 + 2499
from (
  select bench_uuid(ms, i) as id, md5('event' || i) as own, to_timestamp(ms / 1000.0) as at
  from (select i, ${timeOf('i', total)} as ms from generate_series(${from}::bigint, ${until}::bigint) i) n
  offset 0) e,
(select k, case k % 2 when 0 then 'call' else 'result' end as kind, case k % 2 when 0 then 'assistant' else 'user' end as type,
  case k % 2 when 0 then '${CALL}'::jsonb else '${RESULT}'::jsonb end as facts from generate_series(0, ${each - 1}) k offset 0) f`

/** Rows that one statement makes. */
const BATCH = 100_000
/** Connections that write at once; the server has the other half of the processors for checkpoints. */
const WRITERS = 2

export interface Seeded {
  seconds: number
  executionBytes: number
  eventBytes: number
  databaseBytes: number
}

/** Does the tasks in their order, as many at once as there are clients. */
async function share(
  clients: readonly postgres.Sql[],
  tasks: readonly string[],
  done: (count: number) => void = () => {},
): Promise<void> {
  let next = 0
  let finished = 0
  await Promise.all(
    clients.map(async (sql) => {
      while (next < tasks.length) {
        await sql.unsafe(tasks[next++]!)
        done(++finished)
      }
    }),
  )
}

const spans = (count: number): [number, number][] =>
  Array.from({ length: Math.ceil(count / BATCH) }, (_, i) => [
    i * BATCH + 1,
    Math.min(count, (i + 1) * BATCH),
  ])

/**
 * Fills a fresh database by SQL alone, from the row numbers: the same rows everywhere. Indexes that are not constraints are built
 * when the rows are there, as their own definitions say.
 */
export async function seedList(
  url: string,
  { executions, eventsEach, log }: { executions: number; eventsEach: number; log: (line: string) => void },
): Promise<Seeded> {
  const settings = {
    TimeZone: 'UTC',
    synchronous_commit: 'off',
    maintenance_work_mem: '1GB',
    work_mem: '64MB',
    max_parallel_maintenance_workers: '0',
  }
  const clients = Array.from({ length: WRITERS }, () =>
    postgres(url, { max: 1, onnotice: () => {}, connection: settings }),
  )
  const sql = clients[0]!
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  try {
    await sql.unsafe(helpers)
    await sql.unsafe(`insert into projects (id, slug, name) values ('${PROJECT}', 'bench', 'Bench')`)
    await sql.unsafe(`insert into sources (project_id, id, kind, name)
      select '${PROJECT}', bench_uuid(0, n), 'claude-code', 'build-' || lpad(n::text, 2, '0') from generate_series(0, ${SOURCES - 1}) n`)
    const indexes = await sql<{ name: string; definition: string }[]>`
      select i.relname as name, pg_get_indexdef(i.oid) as definition from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      where t.relname = any (${['executions', 'execution_marks', 'events', 'execution_keys']}) and not exists (select 1 from pg_constraint c where c.conindid = i.oid)
      order by i.relname = 'executions_search' desc, i.relname like 'event%' desc, i.relname`
    for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
    await sql.unsafe(handfuls)
    await sql.unsafe(createBase)
    const base = Math.min(executions, BASE_MAX)
    await share(
      clients,
      spans(base).map(([from, until]) => fillBase(from, until)),
    )
    await sql.unsafe('create index on bench_base (i)')
    await sql.unsafe('analyze bench_base')
    const shifts = Array.from({ length: Math.ceil(executions / base) }, (_, i) => i * base)
    const rows = shifts.flatMap((shift) =>
      spans(Math.min(base, executions - shift)).map(([from, until]) =>
        seedExecutions(from, until, shift, executions),
      ),
    )
    const events =
      eventsEach === 0
        ? []
        : spans(executions).map(([from, until]) => seedEvents(from, until, executions, eventsEach))
    await share(clients, [...rows, ...events], (done) => {
      if (done % 20 === 0)
        log(`${done} of ${rows.length + events.length} batches written after ${seconds()} s`)
    })
    await sql.unsafe('drop table bench_base, bench_words')
    await share(clients, [
      `insert into execution_keys (project_id, source_id, external_id, execution_id) select project_id, source_id, external_id, id from executions`,
      `insert into execution_marks (project_id, execution_id, mark, sort_at) select project_id, id, unnest(marks), sort_at from executions`,
    ])
    await recountFacets(sql, PROJECT)
    log(`building the indexes after ${seconds()} s`)
    await share(
      clients,
      indexes.map(({ definition }) => definition.replace(' ON ONLY ', ' ON ')),
    )
    log(`vacuuming after ${seconds()} s`)
    await sql.unsafe('vacuum (analyze)')
    const [size] = await sql`
      select sum(pg_total_relation_size(relid)) filter (where relid::regclass::text like 'execution%')::float8 as executions,
        coalesce(sum(pg_total_relation_size(relid)) filter (where relid::regclass::text like 'events%'), 0)::float8 as events,
        pg_database_size(current_database())::float8 as whole from pg_stat_user_tables`
    return {
      seconds: seconds(),
      executionBytes: size!.executions,
      eventBytes: size!.events,
      databaseBytes: size!.whole,
    }
  } finally {
    await Promise.all(clients.map((client) => client.end({ timeout: 5 })))
  }
}
