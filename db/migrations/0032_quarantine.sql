-- An execution whose analysis broke keeps what was known of it, and says here what went wrong: {error, message, at, version, attempts}.
-- The next analysis that succeeds takes it away.
alter table executions add column analysis_failure jsonb;
--> statement-breakpoint
create index executions_analysis_failed on executions (project_id, id) where analysis_failure is not null;
--> statement-breakpoint
-- Builds of a whole project from its kept bytes: each works through its streams, then its executions, a few at a time. What is noted after each of these
-- steps lets the next one go on from there, also after a restart of the server.
create table reingests (
  project_id uuid not null,
  id uuid not null,
  state text not null,
  phase text not null,
  -- Streams, then executions, that are done with, and how many there were when the phase began.
  done integer not null default 0,
  total integer not null default 0,
  streams integer not null default 0,
  executions integer not null default 0,
  records integer not null default 0,
  quarantined integer not null default 0,
  -- The first problems, each with what it is about; `problems_total` counts all of them.
  problems jsonb not null default '[]',
  problems_total integer not null default 0,
  -- Id of the last stream or execution that is done with.
  cursor uuid,
  error text,
  requested_by text not null,
  requested_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  stop_requested_by text,
  -- When a process last worked on it; null: none does, and the next one may begin at once.
  worked_at timestamptz(3),
  primary key (project_id, id)
);
--> statement-breakpoint
create unique index reingests_open on reingests (project_id) where state in ('queued', 'running');
--> statement-breakpoint
create index reingests_recent on reingests (project_id, requested_at, id);
