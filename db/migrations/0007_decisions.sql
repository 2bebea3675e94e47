-- What was decided about an execution, where more is known than what it did: the verdict, what it was made of, and what the source recorded.
create table decisions (
  project_id uuid not null,
  execution_id uuid not null,
  basis text not null,
  policy text not null,
  content_state text not null,
  outcome text not null,
  retry_reason text not null,
  subtype text not null,
  rule text not null,
  because text not null,
  missing text[] not null default '{}',
  differs text[] not null default '{}',
  recorded jsonb,
  recomputed jsonb,
  trace jsonb not null default '[]',
  evidence jsonb not null default '{}',
  what_if jsonb,
  input_redacted boolean not null default false,
  decided_at timestamptz(3) not null default now(),
  primary key (project_id, execution_id)
) partition by range (execution_id);
--> statement-breakpoint
create table decisions_default partition of decisions default;
--> statement-breakpoint
-- Executions that are tries of one piece of work. `chain_id` is the digest of what makes the work; `rule` says how that is known.
create table execution_chains (
  project_id uuid not null,
  chain_id text collate "C" not null,
  execution_id uuid not null,
  name text not null,
  rule text not null,
  basis text not null,
  attempt integer,
  sort_at timestamptz(3) not null,
  primary key (project_id, chain_id, execution_id)
);
--> statement-breakpoint
create index execution_chains_execution on execution_chains (project_id, execution_id);
--> statement-breakpoint
create index execution_chains_order on execution_chains (project_id, chain_id, sort_at, execution_id);
--> statement-breakpoint
-- The CI run that an execution was part of.
create table ci_runs (
  project_id uuid not null,
  provider text collate "C" not null,
  path text collate "C" not null,
  run text collate "C" not null,
  execution_id uuid not null,
  attempt integer,
  job text,
  url text,
  commit_sha text,
  primary key (project_id, provider, path, run, execution_id)
);
--> statement-breakpoint
create index ci_runs_execution on ci_runs (project_id, execution_id);
