-- Why a decision is as it is, and why one call is a further call of another, are kept as facts: an id with its params. The text of the day stays
-- beside the reason of a decision. Rows from before have no params until they are read again, and their link rule is a text.
alter table decisions add column because_rule text, add column because_params jsonb;
--> statement-breakpoint
alter table calls add column link_params jsonb;
