-- Runs with patches of which not all are known to be proposed as fixes. A row is written with what is known of the run, and goes when its patches were handed over:
-- what a crash leaves behind is found here.
create table patch_handovers (
  project_id uuid not null references projects (id),
  execution_id uuid not null,
  -- Counts the changes of the run since: a row goes only when nothing came while its patches were handed over.
  changes integer not null default 1,
  primary key (project_id, execution_id)
);
--> statement-breakpoint
-- Runs that were taken in before patches were handed over.
insert into patch_handovers (project_id, execution_id) select project_id, id from executions where jsonb_array_length(pipeline -> 'patches') > 0;
