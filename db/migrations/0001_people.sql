-- People and how they sign in are shared by all projects (better-auth keeps them); what they may do is per project.
create table people (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  global_role text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create table sessions (
  id uuid primary key,
  token text not null unique,
  person_id uuid not null references people (id) on delete cascade,
  expires_at timestamptz(3) not null,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index sessions_person on sessions (person_id);
--> statement-breakpoint
create table accounts (
  id uuid primary key,
  account_id text not null,
  provider_id text not null,
  person_id uuid not null references people (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  password text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index accounts_person on accounts (person_id);
--> statement-breakpoint
create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create index verifications_identifier on verifications (identifier);
--> statement-breakpoint
create table api_keys (
  id uuid primary key,
  config_id text not null default 'default',
  name text,
  start text,
  reference_id text not null,
  prefix text,
  key text not null,
  refill_interval bigint,
  refill_amount integer,
  last_refill_at timestamptz(3),
  enabled boolean default true,
  rate_limit_enabled boolean default true,
  rate_limit_time_window bigint,
  rate_limit_max integer,
  request_count integer default 0,
  remaining integer,
  last_request timestamptz(3),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  permissions text,
  metadata text
);
--> statement-breakpoint
create index api_keys_key on api_keys (key);
--> statement-breakpoint
create index api_keys_reference on api_keys (reference_id);
--> statement-breakpoint
create index api_keys_config on api_keys (config_id);
--> statement-breakpoint
create table rate_limits (
  id uuid primary key,
  key text not null unique,
  count integer not null,
  last_request bigint not null
);
--> statement-breakpoint
-- Only the digest of the token is kept.
create table one_time_links (
  id uuid primary key,
  token_hash text not null unique,
  purpose text not null,
  person_id uuid references people (id) on delete cascade,
  detail jsonb not null default '{}',
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create table memberships (
  project_id uuid not null references projects (id),
  person_id uuid not null references people (id) on delete cascade,
  role text not null,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, person_id)
);
--> statement-breakpoint
create index memberships_person on memberships (person_id);
--> statement-breakpoint
-- The project a key works in, and what it may do there.
create table api_key_grants (
  project_id uuid not null references projects (id),
  key_id uuid not null references api_keys (id) on delete cascade,
  scopes text[] not null,
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, key_id)
);
--> statement-breakpoint
create index api_key_grants_key on api_key_grants (key_id);
--> statement-breakpoint
create table idempotency_keys (
  project_id uuid not null references projects (id),
  caller text not null,
  key text not null,
  request_sha256 text not null,
  status integer,
  answer jsonb,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (project_id, caller, key)
);
--> statement-breakpoint
create index idempotency_keys_expires on idempotency_keys (expires_at);
