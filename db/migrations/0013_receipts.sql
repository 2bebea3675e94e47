-- Receipts of Agent Receipts by their place in a chain. A row says where the received bytes lie, from which alone a chain is verified; the
-- columns are for looking up. Two rivals for one place are two rows.
create table receipts (
  project_id uuid not null,
  stream_id uuid not null,
  chain_id text collate "C" not null,
  sequence bigint,
  -- Behind every number stand those that have none.
  place bigint not null generated always as (coalesce(sequence, 9223372036854775807)) stored,
  receipt_id text collate "C",
  receipt_hash text,
  status text,
  action_type text,
  event text,
  session_id text,
  correlation_id text,
  at timestamptz(3),
  execution_id uuid not null,
  received_id uuid not null,
  kept_start integer not null,
  kept_end integer not null,
  primary key (project_id, stream_id)
);
--> statement-breakpoint
create index receipts_place on receipts (project_id, chain_id, place, stream_id);
--> statement-breakpoint
create index receipts_id on receipts (project_id, receipt_id);
--> statement-breakpoint
create index receipts_execution on receipts (project_id, execution_id);
--> statement-breakpoint
-- Public keys that people trust to have signed receipts. A key without a chain may begin any chain of the project.
create table receipt_keys (
  project_id uuid not null,
  id uuid not null,
  fingerprint text collate "C" not null,
  public_key text not null,
  label text not null,
  chain_id text collate "C",
  is_current boolean not null default false,
  added_by uuid,
  added_at timestamptz(3) not null default now(),
  primary key (project_id, id)
);
--> statement-breakpoint
create unique index receipt_keys_once on receipt_keys (project_id, fingerprint, coalesce(chain_id, ''));
