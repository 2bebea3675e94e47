-- Which request a check answers is told by number: two moments of one millisecond have no order.
alter table fix_fits add column requests integer not null default 1, add column started_for integer;
--> statement-breakpoint
update fix_fits set started_for = 1 where started_at >= requested_at;
