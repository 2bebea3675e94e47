-- Servers that are asked for their executions. What opens them is sealed (docs/decisions/0018-fetching.md) and is never handed out.
create table source_connections (
  project_id uuid not null references projects (id),
  id uuid not null,
  source_id uuid not null,
  kind text not null,
  -- Nothing outside of it is asked; ends with a slash.
  base_url text not null,
  auth_header text,
  credential bytea,
  database_url bytea,
  allow_private boolean not null default false,
  enabled boolean not null default true,
  interval_seconds integer not null,
  created_at timestamptz(3) not null default now(),
  -- When a person last changed it: a poll that began before does not put off the next one.
  edited_at timestamptz(3) not null default now(),
  -- Executions that began before are all known.
  known_since timestamptz(3),
  last_polled_at timestamptz(3),
  last_ok_at timestamptz(3),
  last_error_kind text,
  last_error_text text,
  -- Polls in a row that failed.
  failures integer not null default 0,
  next_at timestamptz(3) not null default now(),
  -- Whoever polls holds it until then, so that nobody else does at the same time.
  leased_until timestamptz(3),
  primary key (project_id, id),
  unique (project_id, source_id),
  foreign key (project_id, source_id) references sources (project_id, id)
);
--> statement-breakpoint
-- How far each execution of such a server has been taken in.
create table connection_runs (
  project_id uuid not null,
  connection_id uuid not null,
  run_id text collate "C" not null,
  started_at timestamptz(3),
  -- What the list says of it; a change there is a reason to look at it again.
  listed_status text,
  listed_events integer,
  -- What its own document said when it was last taken.
  status text,
  ended boolean not null default false,
  -- All rows up to this id are taken, and so many they are.
  taken_to text collate "C",
  taken_rows integer,
  -- Pages that are under way, newest rows first; null when none are. Rows that come meanwhile only move others to later pages.
  walk_page integer,
  walk_since text collate "C",
  walk_newest text collate "C",
  walk_total integer,
  failures integer not null default 0,
  -- Looks in a row at which nothing was new: a run that nobody ends is looked at more and more seldom.
  quiet integer not null default 0,
  -- When it is to be looked at again; null when nothing is expected any more.
  look_at timestamptz(3) default now(),
  primary key (project_id, connection_id, run_id),
  foreign key (project_id, connection_id) references source_connections (project_id, id) on delete cascade
);
--> statement-breakpoint
create index connection_runs_due on connection_runs (project_id, connection_id, look_at) where look_at is not null;
