-- Received bytes are content-addressed by the digest of what was kept. The digest lives in a table that is not partitioned,
-- so it can be unique; the bytes are partitioned by the time inside their id and dropped with their month.
create table received_keys (
  project_id uuid not null references projects (id),
  sha256 text collate "C" not null,
  received_id uuid not null,
  primary key (project_id, sha256)
);
--> statement-breakpoint
create table received (
  project_id uuid not null,
  id uuid not null,
  sha256 text collate "C" not null,
  kept_length integer not null,
  bytes bytea not null,
  received_at timestamptz(3) not null default now(),
  primary key (project_id, id)
) partition by range (id);
--> statement-breakpoint
-- Kept out of line and uncompressed, so that a range can be read without the rest.
alter table received alter column bytes set storage external;
--> statement-breakpoint
create table received_default partition of received default;
--> statement-breakpoint
create trigger received_append_only before update or delete on received for each row execute function inquest_append_only();
--> statement-breakpoint
-- One growing sequence of bytes of one producer. `context` is what the fold of the next part needs to know.
create table streams (
  project_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  stream_id text collate "C" not null,
  variant_of text collate "C",
  kind text not null,
  door text not null,
  file_name text,
  next_offset bigint not null default 0,
  context jsonb,
  first_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  unique (project_id, source_id, stream_id),
  foreign key (project_id, source_id) references sources (project_id, id)
);
--> statement-breakpoint
create index streams_by_stream_id on streams (project_id, stream_id);
--> statement-breakpoint
create index streams_not_begun on streams (project_id, source_id) where next_offset = 0;
--> statement-breakpoint
create index streams_by_variant on streams (project_id, variant_of) where variant_of is not null;
--> statement-breakpoint
-- Which bytes make up a stream. `state`: `folded`, or `pending` while it waits for a gap to close.
-- `lines` maps kept lines to original ones, `[keptStart, offset, length, digest]`, in parts from which something was taken out.
create table stream_parts (
  project_id uuid not null,
  id uuid not null,
  stream_id uuid not null,
  byte_offset bigint not null,
  original_length integer not null,
  original_sha256 text collate "C" not null,
  received_id uuid not null,
  state text not null,
  marks jsonb not null default '[]',
  lines jsonb,
  received_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  unique (project_id, stream_id, byte_offset, original_sha256),
  foreign key (project_id, stream_id) references streams (project_id, id)
);
--> statement-breakpoint
create index stream_parts_received on stream_parts (project_id, received_id);
--> statement-breakpoint
create index stream_parts_original on stream_parts (project_id, original_sha256);
--> statement-breakpoint
-- Everything that was kept but not understood, whether or not it became an event.
create table odd_input (
  project_id uuid not null,
  id uuid not null,
  stream_id uuid,
  execution_id uuid,
  received_id uuid,
  byte_offset bigint not null,
  line integer,
  reason text not null,
  detail text not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  foreign key (project_id, stream_id) references streams (project_id, id)
);
--> statement-breakpoint
create index odd_input_stream on odd_input (project_id, stream_id, byte_offset);
--> statement-breakpoint
create index odd_input_execution on odd_input (project_id, execution_id, byte_offset) where execution_id is not null;
