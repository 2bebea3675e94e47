-- Failure classes become marks: beside them the same column and the same table hold the values of other facets, as `<facet>:<value>`.
alter table executions rename column failed_classes to marks;
--> statement-breakpoint
alter table execution_classes rename to execution_marks;
--> statement-breakpoint
alter table execution_marks rename column class to mark;
--> statement-breakpoint
-- An index keeps names of columns of its own, from which the names of those of later partitions are made.
alter table execution_classes_pkey rename column class to mark;
--> statement-breakpoint
alter table execution_classes_recent rename column class to mark;
--> statement-breakpoint
-- Indexes and partitions.
do $$
declare
  one record;
begin
  for one in
    select oid::regclass as thing, replace(replace(relname, 'execution_classes', 'execution_marks'), '_class_', '_mark_') as name
    from pg_class where relname like 'execution\_classes%' and relnamespace = (select relnamespace from pg_class where oid = 'execution_marks'::regclass)
  loop
    execute format('alter table %s rename to %I', one.thing, one.name);
  end loop;
end $$;
--> statement-breakpoint
-- What is known already of the executions that are there. Nearly all outcomes are inferred: that one makes no mark.
with marked as (
  update executions set marks = array(
    select mark from unnest(marks || array[case when outcome_basis <> 'inferred' then 'decided:' || outcome_basis end,
      case when advice->>'retry' <> 'unknown' then 'help:' || (advice->>'retry') end]) mark where mark is not null order by mark collate "C")
  where outcome_basis <> 'inferred' or advice->>'retry' <> 'unknown'
  returning project_id, id, marks, sort_at)
insert into execution_marks (project_id, execution_id, mark, sort_at)
select project_id, id, mark, sort_at from marked, unnest(marks) mark where mark like 'decided:%' or mark like 'help:%';
--> statement-breakpoint
insert into facet_counts (project_id, facet, value, n)
select project_id, 'decided', outcome_basis, count(*) from executions group by project_id, outcome_basis
union all
select project_id, 'help', advice->>'retry', count(*) from executions where advice->>'retry' <> 'unknown' group by project_id, advice->>'retry';
