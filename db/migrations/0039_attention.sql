-- What became of a failed call, whether the identical call would succeed, and whether an execution needs a look: each with the rule that decided,
-- its params and the text of the day. Rows from before have none of it until they are read again.
alter table calls add column resolution jsonb, add column retry jsonb;
alter table executions add column attention jsonb;
