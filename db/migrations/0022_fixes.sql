-- Bytes of proposed patches, exactly as they came: never redacted, never decoded, never changed. Equal bytes are one row.
create table patches (
  project_id uuid not null references projects (id),
  sha256 text collate "C" not null,
  size integer not null,
  bytes bytea not null,
  received_at timestamptz(3) not null default now(),
  primary key (project_id, sha256)
);
--> statement-breakpoint
-- Kept out of line and uncompressed, so that a range can be read without the rest.
alter table patches alter column bytes set storage external;
--> statement-breakpoint
create trigger patches_append_only before update or delete on patches for each row execute function inquest_append_only();
--> statement-breakpoint
-- What was proposed, by whom and from what. `proposal` is what the proposer said, without what standing rows repeat for looking up.
create table fixes (
  project_id uuid not null,
  id uuid not null,
  execution_id uuid not null,
  task text collate "C" not null,
  -- Counts the fixes of one task of an execution, from 1.
  ordinal integer not null,
  origin text not null,
  patch_sha256 text collate "C" not null,
  proposed_by text not null,
  proposed_by_name text not null,
  proposal jsonb not null,
  -- Kept bytes of the transcript, redacted as every record is; null: none was handed over.
  transcript_sha256 text collate "C",
  supersedes_id uuid,
  received_at timestamptz(3) not null default clock_timestamp(),
  primary key (project_id, id),
  unique (project_id, execution_id, task, ordinal),
  unique (project_id, execution_id, task, patch_sha256),
  foreign key (project_id, patch_sha256) references patches (project_id, sha256),
  foreign key (project_id, supersedes_id) references fixes (project_id, id)
);
--> statement-breakpoint
create trigger fixes_append_only before update or delete on fixes for each row execute function inquest_append_only();
--> statement-breakpoint
-- How each fix stands, and what it is found by. All of it follows from the fix, its reviews and the rules that it was read by.
create table fix_standing (
  project_id uuid not null,
  fix_id uuid not null,
  execution_id uuid not null,
  state text not null,
  -- Counts the changes of the state: a review names the one it has seen.
  version integer not null default 1,
  changed_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  expires_at timestamptz(3),
  superseded_by uuid,
  origin text not null,
  evidence text not null,
  safety text not null,
  signals text[] not null default '{}',
  comments integer not null default 0,
  summary jsonb not null,
  facts jsonb not null,
  -- Version of the rules that it was read by.
  rules text not null,
  primary key (project_id, fix_id),
  foreign key (project_id, fix_id) references fixes (project_id, id)
);
--> statement-breakpoint
create index fix_standing_recent on fix_standing (project_id, received_at, fix_id);
--> statement-breakpoint
create index fix_standing_state on fix_standing (project_id, state, received_at, fix_id);
--> statement-breakpoint
create index fix_standing_execution on fix_standing (project_id, execution_id, received_at, fix_id);
--> statement-breakpoint
create index fix_standing_expires on fix_standing (expires_at) where expires_at is not null and state in ('proposed', 'changes_requested', 'approved');
--> statement-breakpoint
-- The files of a patch, one row each in its order, as they were read.
create table fix_files (
  project_id uuid not null,
  fix_id uuid not null,
  ordinal integer not null,
  document jsonb not null,
  primary key (project_id, fix_id, ordinal),
  foreign key (project_id, fix_id) references fixes (project_id, id)
);
--> statement-breakpoint
-- What rules found in a fix, the weightiest first.
create table fix_flags (
  project_id uuid not null,
  fix_id uuid not null,
  ordinal integer not null,
  document jsonb not null,
  primary key (project_id, fix_id, ordinal),
  foreign key (project_id, fix_id) references fixes (project_id, id)
);
--> statement-breakpoint
-- Each change of a state: by a person, or by the system when a fix was superseded or expired.
create table fix_reviews (
  project_id uuid not null,
  fix_id uuid not null,
  -- The version of the state that it made.
  version integer not null,
  id uuid not null,
  actor text not null,
  actor_name text not null,
  at timestamptz(3) not null default clock_timestamp(),
  from_state text not null,
  to_state text not null,
  -- The bytes that were judged.
  patch_sha256 text collate "C" not null,
  comment text not null,
  acknowledged text[] not null default '{}',
  applied jsonb,
  primary key (project_id, fix_id, version),
  foreign key (project_id, fix_id) references fixes (project_id, id)
);
--> statement-breakpoint
create trigger fix_reviews_append_only before update or delete on fix_reviews for each row execute function inquest_append_only();
--> statement-breakpoint
-- What people say of a fix. A thread is named by its first comment; resolving, reopening and withdrawing are rows too.
create table fix_comments (
  project_id uuid not null,
  id uuid not null,
  fix_id uuid not null,
  thread_id uuid not null,
  kind text not null,
  -- The comment that is withdrawn.
  target_id uuid,
  actor text not null,
  actor_name text not null,
  at timestamptz(3) not null default clock_timestamp(),
  text text not null,
  patch_sha256 text collate "C" not null,
  file integer,
  side text,
  line_start integer,
  line_end integer,
  primary key (project_id, id),
  foreign key (project_id, fix_id) references fixes (project_id, id)
);
--> statement-breakpoint
create index fix_comments_fix on fix_comments (project_id, fix_id, at, id);
--> statement-breakpoint
create trigger fix_comments_append_only before update or delete on fix_comments for each row execute function inquest_append_only();
--> statement-breakpoint
-- Files that a reviewer has marked as seen. The mark holds on to the bytes: a file that another version changes has none.
create table fix_viewed (
  project_id uuid not null,
  person_id uuid not null references people (id) on delete cascade,
  execution_id uuid not null,
  file_sha256 text collate "C" not null,
  at timestamptz(3) not null default now(),
  primary key (project_id, person_id, execution_id, file_sha256)
);
