-- What the receipts of an execution tell beside its calls: where they are silent (null: it has none, or they say all), and what was done more than
-- once. Executions that are there already get both, and the marks of the facet, when they are derived again: what a receipt says of lost
-- events, keys and parameters is not in what was derived so far.
alter table executions add column silence jsonb, add column repeats jsonb not null default '[]';
--> statement-breakpoint
-- Which chain and receipt the first receipt of a sub-agent's chain names as its parent: the way down from there.
alter table receipts add column parent_chain text collate "C", add column parent_receipt text collate "C";
--> statement-breakpoint
create index receipts_parent on receipts (project_id, parent_chain) where parent_chain is not null;
