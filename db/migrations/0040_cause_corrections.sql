-- What people say against a judged cause: another failed call, or that nothing needs attention. The verdict itself stays as it was judged; of an
-- execution one correction stands at a time, and one that was undone is kept.
create table cause_corrections (
  project_id uuid not null,
  id uuid not null,
  execution_id uuid not null,
  -- The cause as it was when it was corrected, and the call that it was about.
  cause_rule text collate "C",
  cause_text text not null,
  cause_pointer jsonb,
  cause_call_id text,
  -- Null: nothing needs attention.
  call_id text,
  reason text not null,
  actor text not null,
  actor_name text not null,
  at timestamptz(3) not null default clock_timestamp(),
  undone_by text,
  undone_by_name text,
  undone_at timestamptz(3),
  primary key (project_id, id)
);
--> statement-breakpoint
create unique index cause_corrections_standing on cause_corrections (project_id, execution_id) where undone_at is null;
--> statement-breakpoint
create index cause_corrections_execution on cause_corrections (project_id, execution_id);
--> statement-breakpoint
-- Executions of a rule are counted beside its corrections.
create index executions_cause_rule on executions (project_id, cause_rule) where cause_rule is not null;
