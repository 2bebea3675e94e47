-- The external id of an execution, and ours: made once on first sight, never changed.
create table execution_keys (
  project_id uuid not null,
  source_id uuid not null,
  external_id text collate "C" not null,
  execution_id uuid not null,
  primary key (project_id, source_id, external_id),
  foreign key (project_id, source_id) references sources (project_id, id)
);
--> statement-breakpoint
create index execution_keys_external on execution_keys (project_id, external_id);
--> statement-breakpoint
create index execution_keys_execution on execution_keys (project_id, execution_id);
--> statement-breakpoint
create table executions (
  project_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  external_id text collate "C" not null,
  outcome text not null,
  outcome_basis text not null,
  outcome_rule text not null,
  outcome_because text not null,
  cause_text text,
  cause_category text,
  cause_pointer jsonb,
  failed_at text,
  title text,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  sort_at timestamptz(3) not null,
  labels jsonb not null default '{}',
  repository text,
  branch text,
  records integer not null default 0,
  calls integer not null default 0,
  failed_calls integer not null default 0,
  calls_without_result integer not null default 0,
  chains integer not null default 0,
  recovered_chains integer not null default 0,
  failed_by_class jsonb not null default '{}',
  failed_classes text[] not null default '{}',
  chain_list jsonb not null default '[]',
  advice jsonb,
  usage jsonb not null,
  disagreements jsonb not null default '[]',
  parent_key text collate "C",
  parent_call text collate "C",
  parent_id uuid,
  search tsvector not null default '',
  odd integer not null default 0,
  redactions integer not null default 0,
  version integer not null default 1,
  digest text not null default '',
  dirty boolean not null default false,
  first_seen_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (project_id, id)
) partition by range (id);
--> statement-breakpoint
create table executions_default partition of executions default;
--> statement-breakpoint
create index executions_recent on executions (project_id, sort_at, id);
--> statement-breakpoint
create index executions_outcome_recent on executions (project_id, outcome, sort_at, id);
--> statement-breakpoint
create index executions_source_recent on executions (project_id, source_id, sort_at, id);
--> statement-breakpoint
create index executions_repository_recent on executions (project_id, repository, sort_at, id);
--> statement-breakpoint
create index executions_branch_recent on executions (project_id, branch, sort_at, id);
--> statement-breakpoint
create index executions_search on executions using gin (search) with (fastupdate = off);
--> statement-breakpoint
create index executions_parent on executions (project_id, parent_id) where parent_id is not null;
--> statement-breakpoint
create index executions_parent_key on executions (project_id, source_id, parent_key) where parent_key is not null;
--> statement-breakpoint
create index executions_dirty on executions (project_id, updated_at) where dirty;
--> statement-breakpoint
-- The failure classes of an execution, one row each: an array cannot be walked in the order of time.
create table execution_classes (
  project_id uuid not null,
  execution_id uuid not null,
  class text not null,
  sort_at timestamptz(3) not null,
  primary key (project_id, execution_id, class)
) partition by range (execution_id);
--> statement-breakpoint
create table execution_classes_default partition of execution_classes default;
--> statement-breakpoint
create index execution_classes_recent on execution_classes (project_id, class, sort_at, execution_id);
--> statement-breakpoint
-- One row for each record; the payload stays in the received bytes.
create table events (
  project_id uuid not null,
  execution_id uuid not null,
  stream_id uuid not null,
  byte_offset bigint not null,
  length integer not null,
  identity text collate "C" not null,
  door text not null,
  kind text not null,
  type text not null,
  at timestamptz(3),
  parent_uuid text collate "C",
  summary text not null,
  odd_reason text,
  odd_detail text,
  facts jsonb not null,
  received_id uuid not null,
  kept_start integer not null,
  kept_end integer not null,
  primary key (project_id, execution_id, stream_id, byte_offset)
) partition by range (execution_id);
--> statement-breakpoint
create table events_default partition of events default;
--> statement-breakpoint
create index events_identity on events (project_id, identity);
--> statement-breakpoint
create trigger events_append_only before update or delete on events
  for each row when (old.odd_reason is distinct from 'torn_line') execute function inquest_append_only();
--> statement-breakpoint
-- The streams that an execution is made of, with what listing its events in order needs: streams follow one another
-- by the time of their first record that has one, then by name.
create table execution_streams (
  project_id uuid not null,
  execution_id uuid not null,
  stream_id uuid not null,
  events integer not null default 0,
  redactions integer not null default 0,
  first_at timestamptz(3),
  first_at_offset bigint,
  primary key (project_id, execution_id, stream_id)
) partition by range (execution_id);
--> statement-breakpoint
create table execution_streams_default partition of execution_streams default;
--> statement-breakpoint
create index execution_streams_stream on execution_streams (project_id, stream_id);
--> statement-breakpoint
-- Derived from events, rewritten by each analysis.
create table attempts (
  project_id uuid not null,
  execution_id uuid not null,
  ordinal integer not null,
  call_id text collate "C" not null,
  tool text not null,
  target text,
  loose_target text,
  input_digest text not null,
  state text not null,
  failure_class text,
  error_text text,
  error_text_cut boolean not null default false,
  exit_code integer,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  duration_ms double precision,
  call_pointer jsonb,
  result_pointer jsonb,
  chain integer,
  attempt integer,
  link_rule text,
  link_basis text,
  input_changed boolean,
  linked_to text collate "C",
  attached_to jsonb,
  child_key text collate "C",
  disagreements jsonb not null default '[]',
  primary key (project_id, execution_id, ordinal)
) partition by range (execution_id);
--> statement-breakpoint
create table attempts_default partition of attempts default;
--> statement-breakpoint
create index attempts_call on attempts (project_id, call_id);
--> statement-breakpoint
-- Facet counts. Writers only add deltas, so that no two of them wait for one counter; a fold sums them up now and then.
create table facet_counts (
  project_id uuid not null references projects (id),
  facet text not null,
  value text not null,
  n bigint not null,
  primary key (project_id, facet, value)
);
--> statement-breakpoint
create table facet_deltas (
  project_id uuid not null,
  id bigint generated always as identity,
  facet text not null,
  value text not null,
  n integer not null,
  primary key (project_id, id)
);
