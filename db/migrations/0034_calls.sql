-- A tool call is called a call: the table and the number of a call in its chain are named after it. Nothing is rewritten.
alter table attempts rename to calls;
--> statement-breakpoint
alter table calls rename column attempt to number_in_chain;
--> statement-breakpoint
alter index attempts_pkey rename to calls_pkey;
--> statement-breakpoint
alter index attempts_call rename to calls_call;
--> statement-breakpoint
-- Partitions carry the name of their table, with the indexes that they inherit.
do $$
declare
  part record;
begin
  for part in
    select c.oid, c.relname, c.relkind from pg_class c join pg_inherits i on i.inhrelid = c.oid
    where i.inhparent in ('calls'::regclass, 'calls_pkey'::regclass, 'calls_call'::regclass) and c.relname like 'attempts%'
  loop
    execute format('alter %s %I rename to %I', case part.relkind when 'r' then 'table' else 'index' end, part.relname, replace(part.relname, 'attempts', 'calls'));
  end loop;
end $$;
