-- What is inferred has no mark to be walked by. Where nearly all is recorded or recomputed it would be looked for in all of that:
-- this index has just those rows. Statements repeat its condition word for word.
create index executions_inferred_recent on executions (project_id, sort_at, id) where not (marks && '{decided:recorded,decided:recomputed}'::text[]);
