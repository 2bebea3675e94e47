-- Rivals for one place of a chain stand in the order of what they say, not of when they came: whoever sends them in which order, the verdict is one.
alter table receipts add column digest text collate "C";
--> statement-breakpoint
update receipts r set digest = substring(s.stream_id from 9) from streams s where s.project_id = r.project_id and s.id = r.stream_id;
--> statement-breakpoint
alter table receipts alter column digest set not null;
--> statement-breakpoint
drop index receipts_place;
--> statement-breakpoint
create index receipts_place on receipts (project_id, chain_id, place, digest, stream_id);
--> statement-breakpoint
-- What the server found when it last verified a chain, so that a list and a first screen can tell of it: in the background, a little after receipts came.
create table chain_verdicts (
  project_id uuid not null,
  chain_id text collate "C" not null,
  state text not null,
  reason text,
  -- The receipt at which it breaks; null where it does not.
  bad_place bigint,
  bad_sequence bigint,
  bad_receipt_id text,
  receipts integer not null,
  checked_at timestamptz(3) not null default now(),
  -- How long that took: a chain is not verified again before ten times as long has passed.
  millis integer not null,
  primary key (project_id, chain_id)
);
