-- Projects own every row; sources are the producers of data inside one project.
create table projects (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  created_at timestamptz(3) not null default now()
);
--> statement-breakpoint
create table sources (
  project_id uuid not null references projects (id),
  id uuid not null,
  kind text not null,
  name text not null,
  redact boolean not null default true,
  created_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  unique (project_id, kind, name)
);
--> statement-breakpoint
-- What may only be added to refuses the rest here. Rebuilding from the kept bytes and moving rows between partitions
-- announce themselves with `set local inquest.rebuilding = 'on'`; a torn line is provisional until it is completed.
create function inquest_append_only() returns trigger language plpgsql as $$
begin
  if current_setting('inquest.rebuilding', true) = 'on' and tg_table_name not like 'audit_log%' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;
