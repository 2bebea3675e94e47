-- Links by which people without an account download the patch of a fix. Of the token only a digest is kept.
create table fix_links (
  project_id uuid not null,
  id uuid not null,
  fix_id uuid not null,
  -- Hex of its SHA-256. Random, so that it needs no unique index of its own.
  token_hash text collate "C" not null,
  actor text not null,
  actor_name text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  -- Its maker knew that the patch holds a secret, or may hold one.
  secret_acknowledged boolean not null,
  downloads integer not null default 0,
  last_download_at timestamptz(3),
  revoked_by text,
  revoked_by_name text,
  revoked_at timestamptz(3),
  primary key (project_id, id),
  foreign key (project_id, fix_id) references fixes (project_id, id)
);
--> statement-breakpoint
create index fix_links_token on fix_links (token_hash);
--> statement-breakpoint
create index fix_links_fix on fix_links (project_id, fix_id, created_at);
