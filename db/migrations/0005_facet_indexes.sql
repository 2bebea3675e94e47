-- The indexes of the facets also hold what the other facets look at: several facets are checked, and matches counted, without
-- fetching the rows. Two labels now share an entry of an index, which must not exceed a third of a page: both are cut shorter.
drop index executions_outcome_recent, executions_source_recent, executions_repository_recent, executions_branch_recent;
--> statement-breakpoint
update executions set repository = left(repository, 200), branch = left(branch, 200) where char_length(repository) > 200 or char_length(branch) > 200;
--> statement-breakpoint
update facet_deltas set value = left(value, 200) where facet in ('repository', 'branch') and char_length(value) > 200;
--> statement-breakpoint
with long as (delete from facet_counts where facet in ('repository', 'branch') and char_length(value) > 200 returning project_id, facet, value, n)
insert into facet_counts as c (project_id, facet, value, n) select project_id, facet, left(value, 200), sum(n) from long group by 1, 2, 3
on conflict (project_id, facet, value) do update set n = c.n + excluded.n;
--> statement-breakpoint
create index executions_outcome_recent on executions (project_id, outcome, sort_at, id) include (source_id, repository, branch, failed_classes);
--> statement-breakpoint
create index executions_source_recent on executions (project_id, source_id, sort_at, id) include (outcome, repository, branch, failed_classes);
--> statement-breakpoint
create index executions_repository_recent on executions (project_id, repository, sort_at, id) include (outcome, source_id, branch, failed_classes);
--> statement-breakpoint
create index executions_branch_recent on executions (project_id, branch, sort_at, id) include (outcome, source_id, repository, failed_classes);
