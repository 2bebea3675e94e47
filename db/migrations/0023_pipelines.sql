-- Runs of async-pipeline. What a reader needs of their files beside what every execution has (null: it is none).
alter table executions add column pipeline jsonb;
--> statement-breakpoint
-- Of a try: the digest of what it was made from, where its source has one, and whether the work failed in it (null: the chain does not tell).
-- Runs of one job are a chain of tries only where one of them failed.
alter table execution_chains add column inputs text collate "C", add column failed boolean;
