-- Reviews that were not taken, because somebody else had decided first: who decided is told of them. One for each person, decision and version that the person had seen.
create table fix_late_reviews (
  project_id uuid not null,
  fix_id uuid not null,
  actor text not null,
  to_state text not null,
  seen_version integer not null,
  actor_name text not null,
  at timestamptz(3) not null default clock_timestamp(),
  primary key (project_id, fix_id, actor, to_state, seen_version),
  foreign key (project_id, fix_id) references fixes (project_id, id)
);
--> statement-breakpoint
create trigger fix_late_reviews_append_only before update or delete on fix_late_reviews for each row execute function inquest_append_only();
