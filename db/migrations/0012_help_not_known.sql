-- That nobody can tell whether a retry could help is an answer by which failures are found, as the others are.
with marked as (
  update executions set marks = array(select mark from unnest(marks || array['help:unknown']) mark order by mark collate "C")
  where advice->>'retry' = 'unknown'
  returning project_id, id, sort_at)
insert into execution_marks (project_id, execution_id, mark, sort_at)
select project_id, id, 'help:unknown', sort_at from marked;
--> statement-breakpoint
insert into facet_counts (project_id, facet, value, n)
select project_id, 'help', 'unknown', count(*) from executions where advice->>'retry' = 'unknown' group by project_id;
