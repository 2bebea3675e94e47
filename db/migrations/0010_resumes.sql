-- Sessions that executions go on from, by the external ids of both: the one may arrive before the other. What hangs together is one chain
-- (`execution_chains`, rule `resumed_session`).
create table session_resumes (
  project_id uuid not null,
  execution_id uuid not null,
  session text collate "C" not null,
  resumed text collate "C" not null,
  primary key (project_id, execution_id, resumed)
);
--> statement-breakpoint
create index session_resumes_session on session_resumes (project_id, session);
--> statement-breakpoint
create index session_resumes_resumed on session_resumes (project_id, resumed);
