-- Each entry holds the digest of the one before it: a changed or missing entry breaks the chain behind it.
create table audit_log (
  project_id uuid not null references projects (id),
  seq bigint not null,
  at timestamptz(3) not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}',
  prev_hash text not null,
  hash text not null,
  primary key (project_id, seq)
);
--> statement-breakpoint
create trigger audit_log_append_only before update or delete on audit_log for each row execute function inquest_append_only();
--> statement-breakpoint
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function inquest_append_only();
