-- Repositories of this server that patches are checked against. Only read: nothing is ever applied in them.
create table mirrors (
  project_id uuid not null references projects (id),
  id uuid not null,
  -- As fixes name it; empty: for fixes that name none.
  repository text collate "C" not null,
  -- Below the folder that the operator allows for the project.
  path text not null,
  -- For fixes that name no branch.
  branch text not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  unique (project_id, repository)
);
--> statement-breakpoint
-- The newest check whether a fix still fits, and the one that is asked for.
create table fix_fits (
  project_id uuid not null,
  fix_id uuid not null,
  requested_at timestamptz(3) not null default clock_timestamp(),
  started_at timestamptz(3),
  checked_at timestamptz(3),
  outcome text,
  -- What was checked and what came of it.
  reading jsonb,
  primary key (project_id, fix_id),
  foreign key (project_id, fix_id) references fixes (project_id, id)
);
