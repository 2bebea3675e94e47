-- What stands beside a verdict and changes none: breaches of the contract by a failure block, and what the recorder itself had judged.
-- Executions that are there already get both when they are derived again.
alter table executions add column signal_hints jsonb not null default '[]';
--> statement-breakpoint
alter table decisions add column recorder jsonb;
