-- What was found whenever the layers of an execution were compared: on demand, when it ended, or by the sweep. Rows are added, never changed; of one
-- execution the newest few are kept.
create table parity_checks (
  project_id uuid not null,
  execution_id uuid not null,
  id uuid not null,
  checked_at timestamptz(3) not null,
  trigger text not null,
  verdict text not null,
  worst text,
  -- Between which layers it was lost: the first transition with a critical difference.
  lost_from text,
  lost_to text,
  -- Each layer in order, with its state, and the digest and size of the text that was compared.
  layers jsonb not null,
  -- The worst ones; `differences_total` counts those that the comparison listed, which are all of them where `is_whole`.
  differences jsonb not null,
  differences_total integer not null,
  is_whole boolean not null,
  changed_parts text[] not null,
  failed_controls text[] not null,
  millis integer not null,
  compared_by text not null,
  -- The version of the execution that was compared.
  execution_version integer not null,
  primary key (project_id, execution_id, id)
);
--> statement-breakpoint
create index parity_checks_newest on parity_checks (project_id, execution_id, checked_at, id);
--> statement-breakpoint
create trigger parity_checks_never_changed before update on parity_checks for each row execute function inquest_append_only();
--> statement-breakpoint
-- How each execution stands: its newest check, if there is one, and when the next one is due; null: not before it changes.
create table parity_standing (
  project_id uuid not null,
  execution_id uuid not null,
  check_id uuid,
  checked_at timestamptz(3),
  verdict text,
  worst text,
  compared_by text,
  due_at timestamptz(3),
  due_for text,
  primary key (project_id, execution_id)
);
--> statement-breakpoint
create index parity_standing_due on parity_standing (due_at) where due_at is not null;
--> statement-breakpoint
create index parity_standing_checked on parity_standing (project_id, checked_at, execution_id, verdict) where checked_at is not null;
--> statement-breakpoint
create index parity_standing_verdict on parity_standing (project_id, verdict, checked_at, execution_id) where checked_at is not null;
--> statement-breakpoint
create index parity_standing_unchecked on parity_standing (project_id) where checked_at is null;
--> statement-breakpoint
-- Where the newest check of an execution found differences, places of one list put together: what the heat map is made of.
create table parity_places (
  project_id uuid not null,
  execution_id uuid not null,
  from_layer text not null,
  to_layer text not null,
  path text collate "C" not null,
  kind text not null,
  severity text not null,
  differences integer not null,
  checked_at timestamptz(3) not null,
  primary key (project_id, execution_id, from_layer, to_layer, path, kind)
);
--> statement-breakpoint
create index parity_places_path on parity_places (project_id, path, from_layer, to_layer, checked_at, execution_id);
--> statement-breakpoint
-- What is there already is due, the oldest first.
insert into parity_standing (project_id, execution_id, due_at, due_for) select project_id, id, least(updated_at, now()), 'sweep' from executions;
